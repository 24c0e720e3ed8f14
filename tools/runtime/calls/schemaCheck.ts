import { Ajv, type ValidateFunction, type ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { thrownText } from "./thrownText.js";
import type { ToolRecord } from "../../tool.js";

/** Enough for all tools of a run; a new entry replaces the oldest. */
const CHECKS_KEPT = 500;

/** By key; a text is the reason a schema cannot be compiled. */
const checks = new Map<string, ValidateFunction | string>();

/**
 * A validator for a schema (draft 2020-12, or draft-07 if `$schema` says so) that also fills in defaults; or,
 * in words, why the schema is unusable.
 *
 * @param options.key changes with the schema, such as a hash
 */
export function schemaCheck({
  key,
  schema,
}: {
  key: string;
  schema: JsonSchema;
}): ValidateFunction | string {
  const known = checks.get(key);
  if (known !== undefined) return known;
  const check = compile(schema);
  const oldest = checks.size >= CHECKS_KEPT ? checks.keys().next().value : undefined;
  if (oldest !== undefined) checks.delete(oldest);
  checks.set(key, check);
  return check;
}

function compile({ $schema, ...schema }: JsonSchema): ValidateFunction | string {
  const Dialect = String($schema).includes("draft-07") ? Ajv : Ajv2020;
  // One instance per schema: two tools may use the same $id, and a shared instance would keep everything it
  // compiled.
  const ajv = new Dialect({ ...OPTIONS, validateSchema: false });
  addFormats.default(ajv);
  try {
    // Never asynchronous, although the type allows it.
    void schemaOfSchemas(Dialect).validateSchema(schema, true);
    return ajv.compile(schema);
  } catch (error) {
    return thrownText(error);
  }
}

const OPTIONS = {
  strict: false,
  allErrors: true,
  verbose: true,
  useDefaults: true,
  unicodeRegExp: false,
  logger: false,
} as const;

type Dialect = typeof Ajv | typeof Ajv2020;

const metaSchemas = new Map<Dialect, Ajv>();

/** Checks schemas themselves. Kept, because compiling it takes longer than compiling most schemas. */
function schemaOfSchemas(Dialect: Dialect): Ajv {
  const known = metaSchemas.get(Dialect) ?? new Dialect(OPTIONS);
  metaSchemas.set(Dialect, known);
  return known;
}

/**
 * Why a result is not what its tool declares; undefined if there is nothing wrong, no declaration, or an
 * unusable one.
 */
export function resultProblem({
  record,
  result,
}: {
  record: Pick<ToolRecord, "hash" | "returns">;
  result: unknown;
}): string | undefined {
  const { hash, returns } = record;
  if (!returns) return undefined;
  const check = schemaCheck({ key: `${hash} returns`, schema: returns });
  // A copy, because the check fills in defaults.
  if (typeof check === "string" || check(structuredClone(result))) return undefined;
  const [first] = check.errors ?? [];
  return first ? errorInWords(first) : "its result does not have the type that it declares";
}

function errorInWords({ keyword, instancePath, message, parentSchema, data }: ErrorObject): string {
  const result = instancePath ? `its result at ${instancePath}` : "its result";
  if (keyword !== "type" || !parentSchema) return `${result} ${message}`;
  return `${result} should be ${schemaInWords(parentSchema)}, and is ${valueInWords(data)}`;
}

/** Most characters shown of a value in an error. */
const VALUE_SHOWN = 60;

const NOUNS: Record<string, { article: string; noun: string }> = {
  number: { article: "a", noun: "number" },
  integer: { article: "a", noun: "whole number" },
  string: { article: "a", noun: "text" },
  boolean: { article: "", noun: "true or false" },
  array: { article: "a", noun: "list" },
  object: { article: "an", noun: "object" },
  null: { article: "", noun: "null" },
};

const FORMATS: Record<string, string> = {
  "date-time": "date and time such as 2024-05-01T12:00:00Z",
  date: "date such as 2024-05-01",
  time: "time such as 12:00:00Z",
};

/** What a schema wants, in words: `a number`, `one of "a", "b"`, `a list of texts`. */
export function schemaInWords(
  schema: JsonSchema,
  { article = true }: { article?: boolean } = {},
): string {
  const branches = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat() as JsonSchema[];
  if (branches.length > 0) {
    return eitherOr(branches.map((branch) => schemaInWords(branch, { article })));
  }
  if (typeof schema.$ref === "string") {
    return `${article ? "a " : ""}${schema.$ref.split("/").at(-1) ?? "value"}`;
  }
  if ("const" in schema) return shortValue(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(shortValue).join(", ")}`;
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  if (types.length === 0) return "a value of another form";
  return eitherOr(types.map((type) => nounOf(type, schema, article)));
}

function nounOf(type: string, schema: JsonSchema, article: boolean): string {
  const known = NOUNS[type] ?? { article: "a", noun: type };
  const format = type === "string" ? FORMATS[String(schema.format)] : undefined;
  const noun = (format ?? formatted(schema, type) ?? known.noun) + membersOf(schema, type);
  return article && known.article !== "" ? `${known.article} ${noun}` : noun;
}

function formatted(schema: JsonSchema, type: string): string | undefined {
  return type === "string" && typeof schema.format === "string"
    ? `text in the format ${schema.format}`
    : undefined;
}

function membersOf(schema: JsonSchema, type: string): string {
  if (type === "object") {
    const names = Object.keys(schema.properties ?? {});
    return names.length === 0 ? "" : ` with ${names.join(", ")}`;
  }
  const items = schema.items;
  const isPlain = typeof items === "object" && items !== null && "type" in items;
  const noun = type === "array" && isPlain ? NOUNS[String(items.type)]?.noun : undefined;
  return noun === undefined ? "" : ` of ${PLURALS[noun] ?? `${noun}s`}`;
}

const PLURALS: Record<string, string> = { "true or false": "true or false", null: "null" };

/** What came, in words: `the text "five"`, `the number 5`, `null`. */
export function valueInWords(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return `the text ${shortValue(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (Array.isArray(value)) return `the list ${shortValue(value)}`;
  if (typeof value === "object" && value !== null) return `the object ${shortValue(value)}`;
  return shortValue(value);
}

/** A value as JSON, cut if long. */
function shortValue(value: unknown): string {
  // `undefined` has no JSON text.
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text;
}

function eitherOr(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  const last = distinct.at(-1) ?? "";
  return distinct.length < 2 ? last : `${distinct.slice(0, -1).join(", ")} or ${last}`;
}
