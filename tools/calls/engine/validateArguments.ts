import { listed } from "../../../common/text.js";
import type { ErrorObject } from "ajv";
import { isLongInteger } from "../../../common/exactJson.js";
import { nearestName } from "../../../common/nearNames.js";
import { otherArguments } from "../../../common/schemas/otherArguments.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ParametersSchema, ToolRecord } from "../../tool.js";
import { typeInWords } from "../../../plans/steps/schemaTypes.js";
import { schemaCheck, valueInWords } from "./schemaCheck.js";

type ArgumentsCheck =
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
  isPart,
}: {
  record: Pick<ToolRecord, "name" | "hash" | "parameters">;
  args: unknown;
  /** Others will be added. */
  isPart?: true;
}): ArgumentsCheck {
  const check = schemaCheck(record.hash, closed(record.parameters));
  if (typeof check === "string")
    return { ok: false, problem: `the tool's schema cannot be used: ${check}` };
  const filled: unknown = structuredClone(args);
  const found = check(filled) ? [] : check.errors;
  // Where a whole number may stand, the other alternatives need not fit.
  const exact = new Set(found.filter(isExactInteger).map(({ instancePath }) => instancePath));
  const all = found.filter(({ instancePath }) => !exact.has(instancePath));
  const errors = isPart ? all.filter((error) => isOwn(error, record.parameters)) : all;
  if (errors.length === 0) return { ok: true, args: filled as Record<string, unknown> };
  return { ok: false, problem: problemsInWords(errors, record.parameters, args) };
}

/** Keywords by which one argument may decide about another. */
const ACROSS = ["allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "patternProperties"];

/** Whether an error is one of an argument itself, whatever the others will be. */
function isOwn({ instancePath, schemaPath }: ErrorObject, parameters: ParametersSchema): boolean {
  const decides = ACROSS.some((keyword) => Object.hasOwn(parameters, keyword));
  return instancePath !== "" && (!decides || schemaPath.startsWith("#/properties/"));
}

/** A whole number beyond 2⁵³ comes as a text with its digits: as a number it would be another one. */
function isExactInteger({ keyword, params, data }: ErrorObject): boolean {
  const types: unknown[] = [(params as Record<string, unknown>)["type"]].flat();
  return keyword === "type" && types.includes("integer") && isLongInteger(data);
}

/** Forbids additional arguments, unless the schema allows them. */
function closed(parameters: ParametersSchema): ParametersSchema {
  if (otherArguments(parameters) === "taken") return parameters;
  return { ...parameters, additionalProperties: false };
}

const PROBLEMS_TOLD = 8;

/**
 * Says in one line what is wrong with a call's arguments, for the model that wrote them: each parameter, what
 * was wanted and what came.
 *
 * @param errors from Ajv with `verbose` and `allErrors`
 */
function problemsInWords(
  errors: readonly ErrorObject[],
  schema: ParametersSchema,
  args: unknown,
): string {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    const names = Object.keys(schema.properties ?? {}).join(", ") || "no parameters";
    return `the arguments must be an object with ${names}, got ${valueInWords(args)}`;
  }
  const all = withoutBranches(errors).map((error) => problemInWords(error, schema));
  return listed([...new Set(all)], PROBLEMS_TOLD, "; ");
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

function problemInWords(error: ErrorObject, root: JsonSchema): string {
  const { keyword, instancePath, message, data } = error;
  const params = error.params as Record<string, unknown>;
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const place = instancePath === "" ? "the arguments" : `\`${pathInWords(instancePath)}\``;
  switch (keyword) {
    case "required": {
      const name = String(params.missingProperty);
      const wanted = properties[name];
      const kind = wanted ? ` (${typeInWords({ schema: wanted, root })})` : "";
      return `missing \`${pathInWords(instancePath, name)}\`${kind}`;
    }
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const known = Object.keys(properties);
      const near = nearestName(name, known);
      const parts = [
        `unknown parameter \`${pathInWords(instancePath, name)}\``,
        near ? `did you mean \`${near}\`?` : undefined,
        known.length > 0 ? `parameters: ${known.join(", ")}` : "there are no parameters",
      ];
      return parts.filter(Boolean).join("; ");
    }
    case "type":
    case "enum":
    case "const":
    case "anyOf":
    case "oneOf":
    case "format":
      return `${place} must be ${typeInWords({ schema, root })}, got ${valueInWords(data)}`;
    default:
      return `${place} ${message ?? "is not allowed"}, got ${valueInWords(data)}`;
  }
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
