import type { JsonSchema } from "./jsonSchema.js";
import { portablePattern } from "./patterns.js";
import { isSchema } from "./referredSchema.js";

/** Reads the value of a keyword; undefined if it cannot be used. */
type Read = (value: unknown) => unknown;

const text: Read = (value) => (typeof value === "string" ? value : undefined);

const any: Read = (value) => value;

const list: Read = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);

/** Numbers, also those that are written as text. */
const number: Read = (value) => {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return Number.isFinite(read) ? read : undefined;
};

const count: Read = (value) => {
  const read = number(value);
  return Number.isInteger(read) && Number(read) >= 0 ? read : undefined;
};

const positive: Read = (value) => (Number(number(value)) > 0 ? number(value) : undefined);

const flag: Read = (value) => {
  if (typeof value === "boolean") return value;
  return value === "true" || value === "false" ? value === "true" : undefined;
};

const names: Read = (value) =>
  [...new Set([value].flat())].filter((name) => typeof name === "string");

const nameLists: Read = (value) =>
  isSchema(value) && Object.values(value).every(Array.isArray)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, names(each)]))
    : undefined;

/** The keywords that hold no schemas; others mean nothing to validators and models. */
const READERS: Readonly<Record<string, Read>> = {
  ...readBy(text, "title description $comment format contentEncoding contentMediaType $ref"),
  ...readBy(any, "const default"),
  ...readBy(flag, "uniqueItems deprecated readOnly writeOnly"),
  ...readBy(number, "minimum maximum exclusiveMinimum exclusiveMaximum"),
  ...readBy(count, "minLength maxLength minItems maxItems"),
  ...readBy(count, "minProperties maxProperties minContains maxContains"),
  pattern: (value) => (typeof value === "string" ? portablePattern(value) : undefined),
  enum: (value) => list(Array.isArray(value) ? distinct(value.map(choice)) : value),
  examples: list,
  required: names,
  dependentRequired: nameLists,
  multipleOf: positive,
};

/** A choice that is written with its label: `{ "value": "x", "label": "X" }`. */
function choice(written: unknown): unknown {
  if (!isSchema(written)) return written;
  const { label, title = label, value, const: own = value } = written;
  return typeof title === "string" && own !== undefined ? own : written;
}

function readBy(read: Read, keywords: string): Record<string, Read> {
  return Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, read]));
}

/** Keywords whose value may be wrong without a loss: they only describe, or state what the value already says. */
const HARMLESS: ReadonlySet<string> = new Set(
  "title description $comment examples required deprecated readOnly writeOnly".split(" "),
);

/** The usable value of a keyword that holds no schemas; `isLost` if an unusable one limited the values that are taken. */
export function plainKeyword(keyword: string, value: unknown): { value?: unknown; isLost?: true } {
  const read = Object.hasOwn(READERS, keyword) ? READERS[keyword] : undefined;
  if (!read) return {};
  const usable = read(value);
  if (usable !== undefined) return { value: usable };
  return value === null || value === undefined || HARMLESS.has(keyword) ? {} : { isLost: true };
}

export function isPlainKeyword(keyword: string): boolean {
  return Object.hasOwn(READERS, keyword);
}

/**
 * The keywords of a schema of any draft under the names and in the forms of draft 2020-12.
 *
 * @example
 * modernKeywords({ minimum: 0, exclusiveMinimum: true }); // { exclusiveMinimum: 0 }
 */
export function modernKeywords(given: JsonSchema): JsonSchema {
  const { required, ...properties } = isSchema(given["properties"]) ? given["properties"] : {};
  // Some write the list among the properties.
  const written = Array.isArray(required) ? { ...given, properties, required } : given;
  const entries = Object.entries(written).flatMap(([keyword, value]): [string, unknown][] => {
    const bound = FLAGGED[keyword];
    if (bound !== undefined && typeof value === "boolean")
      return value && written[bound] !== undefined ? [[keyword, written[bound]]] : [];
    const flagged = Object.keys(FLAGGED).find((each) => FLAGGED[each] === keyword);
    if (flagged !== undefined && written[flagged] === true) return [];
    if (keyword === "items" && Array.isArray(value)) {
      const others = written["additionalItems"];
      return [
        ["prefixItems", value],
        ["items", others ?? {}],
      ];
    }
    const renamed = RENAMED[keyword];
    if (renamed !== undefined) return [[renamed, value]];
    if (keyword === "dependencies" && isSchema(value)) return dependenciesOf(value);
    if (COMBINING.has(keyword) && isSchema(value)) return [[keyword, [value]]];
    return [[keyword, value]];
  });
  return Object.fromEntries(entries);
}

/** A part of 2019-09 or later that refers to itself is taken for the one that is written there. */
const RENAMED: Readonly<Record<string, string>> = {
  divisibleBy: "multipleOf",
  param_type: "type",
  parameter_type: "type",
  $recursiveRef: "$ref",
  $dynamicRef: "$ref",
};

const COMBINING: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf"]);

/** Up to draft 4, a flag made another bound exclusive. */
const FLAGGED: Readonly<Record<string, string>> = {
  exclusiveMinimum: "minimum",
  exclusiveMaximum: "maximum",
};

function dependenciesOf(dependencies: JsonSchema): [string, unknown][] {
  const all = Object.entries(dependencies);
  const lists = all.filter(([, needed]) => Array.isArray(needed));
  const schemas = all.filter(([, needed]) => isSchema(needed));
  return [
    ...(lists.length > 0 ? ([["dependentRequired", Object.fromEntries(lists)]] as const) : []),
    ...(schemas.length > 0 ? ([["dependentSchemas", Object.fromEntries(schemas)]] as const) : []),
  ].map(([keyword, value]) => [keyword, value]);
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
