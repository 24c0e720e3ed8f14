import { isDeepStrictEqual } from "node:util";
import { freeName } from "../codeNames.js";
import { compileSchema } from "./compileSchema.js";
import { JSON_TYPES, type JsonSchema } from "./jsonSchema.js";
import { isPlainKeyword, modernKeywords, plainKeyword } from "./keywords.js";
import { mapParts, SCHEMA_KEYWORDS, SCHEMA_LISTS, SCHEMA_MAPS } from "./parts.js";
import { placeFinder } from "./namedParts.js";
import { isSchema, targetOf } from "./referredSchema.js";
import { fittedValues, isOfType, nullableAs } from "./schemaValues.js";
import { isAnyWord, unionOf, wordSchema } from "./typeWords.js";

interface CleanSchema {
  schema: JsonSchema;
  /** What the written schema demands and this one does not, in a few words each: `n: the pattern "(?i)a"`. */
  losses: string[];
}

/**
 * Cleans a schema from outside: JSON Schema of any draft, or written loosely, becomes the part of draft 2020-12 that
 * validators and providers take, and means the same wherever that is possible. Unknown types and keywords allow
 * anything. A clean schema stays as it is.
 *
 * @param written not larger than `schemaExcess` allows
 */
export function cleanSchema(written: unknown): CleanSchema {
  const walk: Walk = { root: isSchema(written) ? written : {}, place: "", losses: new Set() };
  const cleaned = withDefaults(withReferences(cleanPart(written, walk), walk));
  const losses = [...walk.losses];
  if (!isSchema(written)) return { schema: cleaned, losses };
  // A schema that names its draft keeps the name as long as it is written in it.
  const { $schema: _draft, ...own } = written;
  return { schema: isDeepStrictEqual(cleaned, own) ? written : cleaned, losses };
}

interface Walk {
  root: JsonSchema;
  /** Where the part is: `address.city`. */
  place: string;
  losses: Set<string>;
}

function cleanPart(written: unknown, walk: Walk): JsonSchema {
  if (typeof written === "string") return wordSchema(written);
  if (Array.isArray(written)) return unionOf(written.map((each) => cleanPart(each, walk)));
  if (written === false) return { not: {} };
  if (!isSchema(written)) return {};
  if (isFieldMap(written)) return cleanPart({ type: "object", properties: written }, walk);
  const modern = modernKeywords(written);
  const schema: JsonSchema = {};
  for (const [keyword, value] of Object.entries(modern)) {
    if (keyword === "type") Object.assign(schema, typeOf(value, walk));
    else Object.assign(schema, cleanKeyword(keyword, value, walk));
  }
  return withRequired(fittedValues(nullableAs(written, schema)), modern);
}

function cleanKeyword(keyword: string, value: unknown, walk: Walk): JsonSchema {
  if (SCHEMA_KEYWORDS.includes(keyword)) {
    if (value === null || value === undefined) return {};
    const isFlag = typeof value === "boolean" && keyword !== "items";
    const inner = keyword === "items" ? inside(walk, "[]") : walk;
    return { [keyword]: isFlag ? value : cleanPart(value, inner) };
  }
  if (SCHEMA_LISTS.includes(keyword)) {
    if (!Array.isArray(value) || value.length === 0) return {};
    return { [keyword]: value.map((each) => cleanPart(each, walk)) };
  }
  if (SCHEMA_MAPS.includes(keyword)) {
    if (!isSchema(value)) return {};
    const isNamed = keyword === "properties";
    const parts = Object.entries(value).flatMap(([name, part]) => {
      const key = keyword === "patternProperties" ? plainKeyword("pattern", name).value : name;
      if (key === undefined) walk.losses.add(lossAt(walk.place, `the names like ${quoted(name)}`));
      return key === undefined ? [] : [[key, cleanPart(part, isNamed ? inside(walk, name) : walk)]];
    });
    return { [keyword]: Object.fromEntries(parts) };
  }
  const read = plainKeyword(keyword, value);
  if (read.isLost) walk.losses.add(lossAt(walk.place, `${keyword} ${quoted(value)}`));
  return read.value === undefined ? {} : { [keyword]: read.value };
}

function inside(walk: Walk, name: string): Walk {
  const { place } = walk;
  return { ...walk, place: name === "[]" || place === "" ? `${place}${name}` : `${place}.${name}` };
}

function lossAt(place: string, what: string): string {
  return place === "" ? what : `${place}: ${what}`;
}

const LONGEST_QUOTED = 60;

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;
}

/** Types of JSON stay; words of programming languages become what they mean. */
function typeOf(written: unknown, walk: Walk): JsonSchema {
  const words = (Array.isArray(written) ? written : [written]).filter((word) => word !== null);
  if (words.length > 0 && words.every((word) => JSON_TYPES.has(word))) {
    const distinct = [...new Set(words)];
    return { type: distinct.length === 1 ? distinct[0] : distinct };
  }
  const unknown = words.filter((word) => typeof word === "string" && !isAnyWord(word));
  for (const word of unknown) {
    if (Object.keys(wordSchema(word)).length === 0)
      walk.losses.add(lossAt(walk.place, `the type ${quoted(word)}`));
  }
  return words.length > 0 ? unionOf(words.map((word) => cleanPart(word, walk))) : {};
}

/** `required` as a list of names, or as `true` inside the properties. Providers want `items` in lists. */
function withRequired(schema: JsonSchema, written: JsonSchema): JsonSchema {
  const properties = isSchema(written["properties"]) ? written["properties"] : {};
  const inside = Object.entries(properties).flatMap(([name, own]) =>
    isSchema(own) && String(own["required"]) === "true" ? [name] : [],
  );
  const { required, ...others } = schema;
  const listed = (required ?? []) as string[];
  const all = [...new Set([...listed, ...inside])];
  const isList = [schema["type"]].flat().includes("array");
  return {
    ...(all.length === 0 ? others : { ...schema, required: all }),
    ...(isList && schema["items"] === undefined && { items: {} }),
  };
}

/** What distinguishes a schema from a map of names to schemas. */
const MARKS: Record<string, (value: unknown) => boolean> = {
  type: (value) => typeof value === "string" || Array.isArray(value),
  description: (value) => typeof value === "string",
  properties: isSchema,
  enum: Array.isArray,
  anyOf: Array.isArray,
  oneOf: Array.isArray,
  allOf: Array.isArray,
  $ref: (value) => typeof value === "string",
  items: isSchema,
  const: () => true,
  not: isSchema,
  default: () => true,
};

const PARTS = new Set([...SCHEMA_KEYWORDS, ...SCHEMA_LISTS, ...SCHEMA_MAPS, "dependencies"]);

/** Whether it stands for an object with these properties: `{ "city": { "type": "string" }, "days": "int" }`. */
function isFieldMap(written: JsonSchema): boolean {
  const entries = Object.entries(written);
  const isMarked = entries.some(([key, value]) => Object.hasOwn(MARKS, key) && MARKS[key]?.(value));
  return (
    !isMarked &&
    entries.every(([, value]) => isSchema(value) || typeof value === "string") &&
    entries.some(isNamed)
  );
}

/** Whether an entry can only be a property. */
function isNamed([key, value]: [string, unknown]): boolean {
  const isKeyword = isPlainKeyword(key) && (!isSchema(value) || plainKeyword(key, value).value);
  return !/^(?:\$|x-|_|~)/.test(key) && !PARTS.has(key) && !isKeyword;
}

/** Keeps the references that lead somewhere; what they refer to outside definitions becomes a definition. */
function withReferences(cleaned: JsonSchema, walk: Walk): JsonSchema {
  const { root } = walk;
  const placeOf = placeFinder(root);
  const definitions: Record<string, JsonSchema> = {};
  const names = new Map<string, string>();
  const known = isSchema(cleaned["$defs"]) ? cleaned["$defs"] : {};
  const resolve = (schema: JsonSchema): JsonSchema => {
    const { $ref, ...others } = mapParts(schema, resolve);
    if (typeof $ref !== "string") return others;
    const ref = placeOf($ref);
    const isLoop = ref !== undefined && leadsToItself(ref, root, placeOf);
    if (ref !== undefined && !isLoop && targetOf({ root: cleaned, ref }) !== undefined)
      return { $ref: ref, ...others };
    const target = ref === undefined || isLoop ? undefined : targetOf({ root, ref });
    if (ref === undefined || target === undefined) {
      walk.losses.add(`the reference ${quoted($ref)}, which leads nowhere`);
      return others;
    }
    if (!names.has(ref)) {
      const stem = (ref.split("/").at(-1) ?? "").replaceAll(/\W+/g, "_") || "part";
      const name = freeName(stem, { has: (each) => each in known || each in definitions });
      names.set(ref, name);
      definitions[name] = {};
      definitions[name] = resolve(cleanPart(target, walk));
    }
    return { $ref: `#/$defs/${names.get(ref)}`, ...others };
  };
  const resolved = resolve(cleaned);
  if (names.size === 0) return resolved;
  return { ...resolved, $defs: { ...Object(resolved["$defs"]), ...definitions } };
}

/** Whether a reference leads only to references. */
function leadsToItself(
  ref: string,
  root: JsonSchema,
  placeOf: (ref: string) => string | undefined,
): boolean {
  const seen = new Set<string>();
  for (let at: unknown = ref; typeof at === "string";) {
    if (seen.has(at)) return true;
    seen.add(at);
    const next = modernKeywords(targetOf({ root, ref: at }) ?? {})["$ref"];
    at = typeof next === "string" ? placeOf(next) : undefined;
  }
  return false;
}

/** Parts whose defaults no validator fills in, because they may not apply. */
const UNFILLED = new Set(["anyOf", "oneOf", "not", "if", "then", "else", "contains"]);

/**
 * Drops defaults that their own schema refuses, because defaults are filled into calls; what is filled in need not be
 * demanded.
 */
function withDefaults(root: JsonSchema): JsonSchema {
  const { $defs, definitions } = root;
  const definitionsOf = { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) };
  const settle = (part: JsonSchema, isFilled: boolean): JsonSchema => {
    const schema = mapParts(part, (inner, keyword) =>
      settle(inner, isFilled && !UNFILLED.has(keyword)),
    );
    const { default: usual, ...others } = schema;
    const settled = usual === undefined || takes(others, usual, definitionsOf) ? schema : others;
    return isFilled ? withoutFilled(settled) : settled;
  };
  return settle(root, true);
}

function withoutFilled(schema: JsonSchema): JsonSchema {
  const { required, properties, ...others } = schema;
  if (!Array.isArray(required) || !isSchema(properties)) return schema;
  const isFilled = (name: string) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isSchema(own) && own["default"] !== undefined;
  };
  const demanded = (required as string[]).filter((name) => !isFilled(name));
  if (demanded.length === required.length) return schema;
  return { ...others, properties, ...(demanded.length > 0 && { required: demanded }) };
}

const DESCRIBING = new Set(["type", "title", "description", "examples", "$comment", "enum"]);

function takes(schema: JsonSchema, value: unknown, definitions: JsonSchema): boolean {
  const { type, enum: values } = schema;
  if (Object.keys(schema).every((keyword) => DESCRIBING.has(keyword))) {
    const isListed = !Array.isArray(values) || values.includes(value);
    return isListed && (type === undefined || [type].flat().some((each) => isOfType(value, each)));
  }
  try {
    return compileSchema({ ...definitions, ...schema })(structuredClone(value));
  } catch {
    return false;
  }
}
