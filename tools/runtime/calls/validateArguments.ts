import type { ErrorObject } from "ajv";
import { nearestName } from "../../../common/nearNames.js";
import { otherArguments } from "../../../common/schemas/otherArguments.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ParametersSchema, ToolRecord } from "../../tool.js";
import { schemaCheck, schemaInWords, valueInWords } from "./schemaCheck.js";

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

/** Most problems listed; the rest are counted. */
const PROBLEMS_TOLD = 8;

/**
 * Says in one line what is wrong with a call's arguments, for the model that wrote them: each parameter, what
 * was wanted and what came.
 */
function problemsInWords({
  errors,
  schema,
  args,
}: {
  /** From Ajv with `verbose` and `allErrors`. */
  errors: readonly ErrorObject[];
  schema: ParametersSchema;
  args: unknown;
}): string {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return `the arguments must be an object with ${parameterList(schema)}, got ${valueInWords(args)}`;
  }
  const problems = [...new Set(withoutBranches(errors).map((error) => problemInWords(error)))];
  const told = problems.slice(0, PROBLEMS_TOLD).join("; ");
  const more = problems.length - PROBLEMS_TOLD;
  return more > 0 ? `${told}; and ${more} more` : told;
}

/** Failures of a union's branches say less than the union's own, and contradict each other. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const isBranch = (error: ErrorObject) =>
    unions.some(
      (union) =>
        union !== error &&
        isAtOrBelow(error.instancePath, union.instancePath) &&
        (error.instancePath !== union.instancePath || !unions.includes(error)),
    );
  return errors.filter((error) => !isBranch(error));
}

function isAtOrBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}

function problemInWords(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  switch (error.keyword) {
    case "required":
      return missing({ error, schema, name: String(params.missingProperty) });
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = params.additionalProperty ?? params.unevaluatedProperty;
      return unknownParameter({ error, schema, name: String(name) });
    }
    case "type":
    case "enum":
    case "const":
    case "anyOf":
    case "oneOf":
    case "format":
      return `${place(error)} must be ${schemaInWords(schema)}, got ${valueInWords(error.data)}`;
    default:
      return `${place(error)} ${error.message ?? "is not allowed"}, got ${valueInWords(error.data)}`;
  }
}

interface NamedProblem {
  error: ErrorObject;
  /** The schema of the object with the missing or unknown name. */
  schema: JsonSchema;
  name: string;
}

function missing({ error, schema, name }: NamedProblem): string {
  const wanted = propertiesOf(schema)[name];
  const kind = wanted === undefined ? "" : ` (${schemaInWords(wanted, { article: false })})`;
  return `missing \`${pathInWords(error.instancePath, name)}\`${kind}`;
}

function unknownParameter({ error, schema, name }: NamedProblem): string {
  const known = Object.keys(propertiesOf(schema));
  const near = nearestName(name, known);
  const parts = [
    `unknown parameter \`${pathInWords(error.instancePath, name)}\``,
    near ? `did you mean \`${near}\`?` : undefined,
    known.length > 0 ? `parameters: ${known.join(", ")}` : "there are no parameters",
  ];
  return parts.filter(Boolean).join("; ");
}

function place({ instancePath }: ErrorObject): string {
  return instancePath === "" ? "the arguments" : `\`${pathInWords(instancePath)}\``;
}

/** `/points/0/x` becomes `points[0].x`. */
function pathInWords(instancePath: string, name?: string): string {
  const steps = instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const all = name === undefined ? steps : [...steps, name];
  return all
    .map((step, index) => (/^\d+$/.test(step) && index > 0 ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

function parameterList(schema: ParametersSchema): string {
  const names = Object.keys(schema.properties ?? {});
  return names.length === 0 ? "no parameters" : names.join(", ");
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}
