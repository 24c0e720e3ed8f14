import type { ErrorObject } from "ajv";
import { otherArguments } from "../../common/schemas/otherArguments.js";
import type { ParametersSchema, ToolRecord } from "../tool.js";
import { problemsInWords } from "./problemsInWords.js";
import { schemaCheck } from "./schemaCheck.js";

/** The outcome of checking a call's arguments. */
export type ArgumentsCheck =
  /** `args` is a copy with the schema's defaults filled in. */
  | { ok: true; args: Record<string, unknown> }
  /** `problem` is one line for the model: what was wanted of each parameter, and what came. */
  | { ok: false; problem: string };

/**
 * Checks the arguments of a call against the tool's schema (draft 2020-12, or draft-07 if `$schema` says so).
 * The given arguments are never changed. An unknown argument is a problem even if the schema does not forbid
 * it. An unusable schema is a problem of the call too, so that the model can use another tool.
 */
export function validateArguments({
  record,
  args,
}: {
  record: Pick<ToolRecord, "name" | "hash" | "parameters">;
  args: unknown;
}): ArgumentsCheck {
  const check = schemaCheck({ key: record.hash, schema: closed(record.parameters) });
  if (typeof check === "string") {
    return { ok: false, problem: `the tool's schema cannot be used: ${check}` };
  }
  const filled: unknown = structuredClone(args);
  if (check(filled)) return { ok: true, args: filled as Record<string, unknown> };
  // The check's next run changes `errors`.
  const errors: ErrorObject[] = check.errors ?? [];
  return { ok: false, problem: problemsInWords({ errors, schema: record.parameters, args }) };
}

/** Forbids additional arguments, unless the schema allows them. */
function closed(parameters: ParametersSchema): ParametersSchema {
  if (otherArguments(parameters) === "taken") return parameters;
  return { ...parameters, additionalProperties: false };
}
