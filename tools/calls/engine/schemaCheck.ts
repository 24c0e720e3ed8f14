import type { ErrorObject, ValidateFunction } from "ajv";
import { compileSchema } from "../../../common/schemas/compileSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { thrownText } from "./thrownText.js";
import { typeInWords } from "../../../plans/steps/schemaTypes.js";
import type { ToolRecord } from "../../tool.js";
import { Latest } from "../../../common/bounds.js";

/** Enough for all tools of a run; a new entry replaces the oldest. */
const CHECKS_KEPT = 500;

/** Checks a value, and fills in defaults. */
interface SchemaCheck {
  (value: unknown): boolean;
  /** What was wrong with the last value. */
  errors: ErrorObject[];
}

/** By key; a text is the reason a schema cannot be compiled. */
const checks = new Latest<string, SchemaCheck | string>(CHECKS_KEPT);

/**
 * A validator for a schema (draft 2020-12, or draft-07 if `$schema` says so) that also fills in defaults; or,
 * in words, why the schema is unusable.
 *
 * @param key changes with the schema, such as a hash
 */
export function schemaCheck(key: string, schema: JsonSchema): SchemaCheck | string {
  const known = checks.get(key);
  if (known !== undefined) return known;
  const check = compile(schema);
  checks.set(key, check);
  return check;
}

function compile(schema: JsonSchema): SchemaCheck | string {
  try {
    return checkOf(compileSchema(schema));
  } catch (error) {
    return thrownText(error);
  }
}

function checkOf(validate: ValidateFunction): SchemaCheck {
  const check: SchemaCheck = (value) => {
    try {
      const isValid = validate(value);
      check.errors = validate.errors ?? [];
      return isValid;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      check.errors = [ENDLESS];
      return false;
    }
  };
  check.errors = [];
  return check;
}

const ENDLESS: ErrorObject = {
  keyword: "$ref",
  instancePath: "",
  schemaPath: "#",
  params: {},
  message: "cannot be checked, because the schema refers to itself without an end",
};

/**
 * Why a result is not what its tool declares; undefined if there is nothing wrong, no declaration, or an unusable one.
 */
export function resultProblem(
  { hash, returns }: Pick<ToolRecord, "hash" | "returns">,
  result: unknown,
): string | undefined {
  if (!returns) return undefined;
  const check = schemaCheck(`${hash} returns`, returns);
  // A copy, because the check fills in defaults.
  if (typeof check === "string" || check(structuredClone(result))) return undefined;
  const [first] = check.errors;
  return first
    ? errorInWords(first, returns)
    : "its result does not have the type that it declares";
}

function errorInWords(
  { keyword, instancePath, message, parentSchema, data }: ErrorObject,
  root: JsonSchema,
): string {
  const result = instancePath ? `its result at ${instancePath}` : "its result";
  if (keyword !== "type" || !parentSchema) return `${result} ${message}`;
  return `${result} should be ${typeInWords({ schema: parentSchema, root })}, and is ${valueInWords(data)}`;
}

const VALUE_SHOWN = 60;

/** What came, in words: `the text "five"`, `the number 5`, `null`. */
export function valueInWords(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return `the text ${shortValue(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (Array.isArray(value)) return `the list ${shortValue(value)}`;
  if (typeof value === "object" && value !== null) return `the object ${shortValue(value)}`;
  return shortValue(value);
}

function shortValue(value: unknown): string {
  // `undefined` has no JSON text.
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text;
}
