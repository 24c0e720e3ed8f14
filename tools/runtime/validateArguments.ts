import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ParametersSchema, ToolRecord } from "../tool.js";
import { errorText } from "./errorText.js";
import { problemsInWords } from "./problemsInWords.js";

/** What came of checking a call's arguments. */
export type ArgumentsCheck =
  /** `args` is a copy of what came, with the schema's defaults filled in. */
  | { ok: true; args: Record<string, unknown> }
  /** `problem` is one line for the model: what was wanted of each parameter, and what came. */
  | { ok: false; problem: string };

/**
 * Checks the arguments of a call against the tool's schema (draft 2020-12, or draft-07 where `$schema`
 * says so). The arguments that came are never changed. A schema that cannot be used is a problem of
 * the call, too: the model may take another tool.
 */
export function validateArguments({
  record,
  args,
}: {
  record: Pick<ToolRecord, "name" | "hash" | "parameters">;
  args: unknown;
}): ArgumentsCheck {
  const check = compiledCheck(record);
  if (typeof check === "string") {
    return { ok: false, problem: `the tool's schema cannot be used: ${check}` };
  }
  const filled: unknown = structuredClone(args);
  if (check(filled)) return { ok: true, args: filled as Record<string, unknown> };
  // `errors` is the check's own and changes with its next run.
  const errors: ErrorObject[] = check.errors ?? [];
  return { ok: false, problem: problemsInWords({ errors, schema: record.parameters, args }) };
}

/** Enough for all tools of a run; the oldest entry makes place for a new one. */
const CHECKS_KEPT = 500;

/** By hash of the tool; a text says why a schema cannot be compiled. */
const checks = new Map<string, ValidateFunction | string>();

function compiledCheck({
  hash,
  parameters,
}: Pick<ToolRecord, "hash" | "parameters">): ValidateFunction | string {
  const known = checks.get(hash);
  if (known !== undefined) return known;
  const check = compile(parameters);
  const oldest = checks.size >= CHECKS_KEPT ? checks.keys().next().value : undefined;
  if (oldest !== undefined) checks.delete(oldest);
  checks.set(hash, check);
  return check;
}

function compile({ $schema, ...schema }: ParametersSchema): ValidateFunction | string {
  const Dialect = String($schema).includes("draft-07") ? Ajv : Ajv2020;
  // An instance for each schema: two tools may use one $id, and what a shared one compiles, it keeps.
  const ajv = new Dialect({
    strict: false,
    allErrors: true,
    verbose: true,
    useDefaults: true,
    unicodeRegExp: false,
    logger: false,
  });
  addFormats.default(ajv);
  try {
    return ajv.compile(schema);
  } catch (error) {
    return errorText(error);
  }
}
