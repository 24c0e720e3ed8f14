import type { ValidateFunction } from "ajv";
import { isFileName } from "../fileNames.js";
import { midnightOf } from "../text.js";
import { Ajv, Ajv2020, addFormats } from "./ajv.js";
import type { JsonSchema } from "./jsonSchema.js";
import { type Context, Script, createContext } from "node:vm";
import { mapParts } from "./parts.js";
import { patternFlags } from "./patterns.js";
import { isSchema } from "./referredSchema.js";

/**
 * Compiles a schema (draft 2020-12, or draft-07 if `$schema` says so) to a check that fills in defaults.
 *
 * @throws Error for one that is not a schema of its draft
 */
export function compileSchema({ $schema, ...schema }: JsonSchema): ValidateFunction {
  const Dialect = String($schema).includes("draft-07") ? Ajv : Ajv2020;
  // One instance per schema: two tools may use the same $id, and a shared instance would keep everything it compiled.
  const patterns = boundedPatterns();
  // The name of a file stands for its contents. Ajv tells patterns apart by their text.
  const matching = (source: string, flags: string) => {
    const pattern = patterns(source, flags);
    return {
      test: (text: string) => isFileName(text) || pattern.test(text),
      toString: () => `/${source}/${flags}`,
    };
  };
  const regExp = Object.assign(matching, { code: "boundedPatterns" });
  const ajv = new Dialect({ ...OPTIONS, validateSchema: false, code: { regExp } });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  // Never asynchronous, although the type allows it.
  if (!isPlainSchema(schema)) void schemaOfSchemas(Dialect).validateSchema(schema, true);
  return ajv.compile(withSomeOf(schema));
}

const TIME = /^(?:[01]\d|2[0-4]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Formats that the programs that take them read less strictly than their specifications say. */
const FORMATS: Readonly<Record<string, RegExp | true | ((text: string) => boolean)>> = {
  byte: true,
  // Without a zone or seconds, as Python and the fields of pages write them.
  time: TIME,
  "date-time": (text) =>
    /^[t ]$/i.test(text.charAt(10)) &&
    midnightOf(text.slice(0, 10)) !== undefined &&
    TIME.test(text.slice(11)),
  // Letters of any language, and hosts of a local network.
  email: /^[^\s@]+@[^\s@]+$/,
  hostname: /^[^\s/:@?#]+$/,
  url: /^[a-z][a-z\d+.-]*:\/\/\S+$/i,
  uri: /^[a-z][a-z\d+.-]*:\S/i,
  uuid: /^(?:urn:uuid:)?[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/i,
  // Other languages have other patterns, and "1h30m" is a duration, too.
  ...Object.fromEntries(["uri-reference", "regex", "duration", "json-pointer"].map(taken)),
};

function taken(format: string): [string, true] {
  return [format, true];
}

/** Who writes `oneOf` means "one of these": a whole number is not wrong because it is also a number. */
function withSomeOf(schema: JsonSchema): JsonSchema {
  const { oneOf, ...others } = mapParts(schema, withSomeOf);
  if (!Array.isArray(oneOf)) return oneOf === undefined ? others : { ...others, oneOf };
  if (others["anyOf"] === undefined) return { ...others, anyOf: oneOf };
  return { ...others, allOf: [...[others["allOf"] ?? []].flat(), { anyOf: oneOf }] };
}

const OPTIONS = {
  strict: false,
  // JSON has no word for what a program may compute beside numbers: NaN and Infinity.
  strictNumbers: true,
  allErrors: true,
  verbose: true,
  useDefaults: true,
  // A property may be called "toString".
  ownProperties: true,
  unicodeRegExp: false,
  logger: false,
  // In binary, 19.99 is not a multiple of 0.01.
  multipleOfPrecision: 8,
} as const;

/** What most schemas say, and how they have to. */
const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => TYPES.has(value),
  title: isText,
  description: isText,
  format: isText,
  default: () => true,
  const: () => true,
  enum: Array.isArray,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  required: (value) =>
    Array.isArray(value) && value.every(isText) && new Set(value).size === value.length,
  properties: (value) => isSchema(value) && Object.values(value).every(isPlainSchema),
  items: isPlainSchema,
  additionalProperties: (value) => typeof value === "boolean" || isPlainSchema(value),
};

const TYPES: ReadonlySet<unknown> = new Set(
  "array boolean integer null number object string".split(" "),
);

/** Whether a value is a schema of any draft at first sight: to check it takes longer than all else in a new process. */
function isPlainSchema(value: unknown): boolean {
  return (
    isSchema(value) &&
    Object.entries(value).every(([key, part]) => Object.hasOwn(PLAIN, key) && PLAIN[key]?.(part))
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

type Dialect = typeof Ajv | typeof Ajv2020;

const metaSchemas = new Map<Dialect, Ajv>();

/** Checks schemas themselves. Kept, because compiling it takes longer than compiling most schemas. */
function schemaOfSchemas(Dialect: Dialect): Ajv {
  const known = metaSchemas.get(Dialect) ?? new Dialect(OPTIONS);
  metaSchemas.set(Dialect, known);
  return known;
}

/** Time that the patterns of one schema may take in a second, in milliseconds. */
const PATTERNS_MS = 100;

/** Longer texts take long even with a harmless pattern. */
const LONGEST_UNTIMED = 10_000;

const test = new Script("pattern.test(text)");

let context: Context | undefined;

/**
 * Makes the patterns of one schema from outside, some of which take for ever with the right text. Those that take too
 * long match nothing.
 *
 * @returns a function that throws SyntaxError for a pattern that is none
 */
function boundedPatterns(): (source: string, flags: string) => Pick<RegExp, "test"> {
  let since = 0;
  let left = 0;
  const inTime = (pattern: RegExp, text: string): boolean => {
    const begun = performance.now();
    if (begun - since > 1_000) [since, left] = [begun, PATTERNS_MS];
    if (left < 1) return false;
    const isMatch = testWithin(pattern, text, Math.floor(left));
    left -= performance.now() - begun;
    return isMatch;
  };
  return (source, flags) => {
    const pattern = new RegExp(source, flags || patternFlags(source));
    const isHarmless = !mayBacktrack(source);
    return {
      test: (text) =>
        isHarmless && text.length <= LONGEST_UNTIMED ? pattern.test(text) : inTime(pattern, text),
    };
  };
}

/** Whether a pattern repeats a group, several parts, or what it refers back to; others take time in proportion. */
function mayBacktrack(source: string): boolean {
  const plain = source.replaceAll(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, "x");
  const repeated = plain.match(/[*+]|\{\d+,/g) ?? [];
  return repeated.length > 1 || /\)[*+{]|\\[1-9k]/.test(plain);
}

/** Only a script can be ended in the middle of a test. */
function testWithin(pattern: RegExp, text: string, timeout: number): boolean {
  context ??= createContext({});
  Object.assign(context, { pattern, text });
  try {
    return test.runInContext(context, { timeout }) === true;
  } catch (error) {
    if (Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  } finally {
    Object.assign(context, { pattern: undefined, text: "" });
  }
}
