import type { JsonSchema } from "./jsonSchema.js";
import { mapParts } from "./parts.js";
import { isSchema } from "./referredSchema.js";

/*
 * The shape of values as a JSON Schema: names of fields and kinds of values, never a value. A field that was in every
 * object is required. Names that may be data themselves (addresses, numbers, ids, what the call was given) are not kept:
 * the object is then one of any names.
 */

/** How deep a shape goes; what is deeper may be anything. */
const DEEPEST = 6;

/** Most fields of an object; one with more is an object of any names. */
const MOST_FIELDS = 40;

/** Most items of a list that are looked at, spread over it. */
const MOST_ITEMS = 20;

/** From so many objects with the same fields on, their names are data: `{ ada: { … }, bob: { … }, eve: { … } }`. */
const ALIKE = 3;

/** Most characters of a shape as JSON; of a longer one, what is deepest is left out. */
const LONGEST = 6000;

/**
 * The shape of a result.
 *
 * @param given the arguments of the call: a text among them is not the name of a field
 */
export function shapeOf(value: unknown, given: unknown = {}): JsonSchema {
  const data = new Set(textsIn(given));
  return shortened(shapeAt(value, data, 0));
}

/** The shape of values of both shapes. */
export function mergedShape(one: JsonSchema, other: JsonSchema): JsonSchema {
  return shortened(merged(one, other));
}

/**
 * How values of a shape differ from those seen before, a line for each place: a field that all had is missing, or holds
 * another kind of value. What is new or empty does not count.
 */
export function shapeChanges(before: JsonSchema, now: JsonSchema, place = "the result"): string[] {
  const known = kindsOf(before);
  return kindsOf(now).flatMap((kind): string[] => {
    if (kind["type"] === "null" || kind["type"] === undefined) return [];
    const like = known.find(({ type }) => type === kind["type"]);
    const kinds = known.map(({ type }) => type).filter((type) => type !== "null");
    if (!like)
      return kinds.length === 0 || kinds.includes(undefined)
        ? []
        : [`${place} was ${kinds.join(" or ")} and is ${kind["type"] as string}`];
    if (kind["type"] === "array")
      return shapeChanges(partOf(like, "items"), partOf(kind, "items"), `${place}[]`);
    const fields = fieldsIn(kind);
    if (!isSchema(like["properties"]) || !isSchema(kind["properties"])) return [];
    return Object.entries(fieldsIn(like)).flatMap(([name, field]) => {
      const path = place === "the result" ? name : `${place}.${name}`;
      const present = fields[name];
      if (present) return shapeChanges(field, present, path);
      return requiredOf(like).includes(name) ? [`${path} is missing`] : [];
    });
  });
}

function shapeAt(value: unknown, data: ReadonlySet<string>, depth: number): JsonSchema {
  if (value === null) return { type: "null" };
  if (typeof value !== "object") return { type: typeof value };
  if (depth === DEEPEST) return {};
  const inner = (one: unknown) => shapeAt(one, data, depth + 1);
  if (Array.isArray(value)) {
    const step = Math.max(1, Math.ceil(value.length / MOST_ITEMS));
    const items = value.filter((_, at) => at % step === 0).map(inner);
    return { type: "array", ...(items.length > 0 && { items: items.reduce(merged) }) };
  }
  const entries = Object.entries(value);
  const fields = entries.map(([name, field]): [string, JsonSchema] => [name, inner(field)]);
  const areNames = entries.every(([name]) => isPlainName(name) && !data.has(name));
  return areNames ? objectOf(Object.fromEntries(fields), Object.keys(value)) : anyNames(fields);
}

/** Neither an address nor a number, a day, an id or a sentence. */
function isPlainName(name: string): boolean {
  return /^[\p{L}_$@][\p{L}\p{N}_$.:-]{0,39}$/u.test(name) && !/\d{4}|^[\da-f-]{16,}$/i.test(name);
}

function objectOf(properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema {
  const fields = Object.entries(properties);
  if (fields.length > MOST_FIELDS || areAlike(fields)) return anyNames(fields);
  return { type: "object", properties, required: required.filter((name) => name in properties) };
}

function anyNames(fields: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  const shapes = fields.map(([, shape]) => shape);
  return {
    type: "object",
    ...(shapes.length > 0 && { additionalProperties: shapes.reduce(merged) }),
  };
}

function areAlike(fields: readonly [string, JsonSchema][]): boolean {
  const names = fields.map(([, shape]) => Object.keys(fieldsIn(shape)).toSorted().join());
  return fields.length >= ALIKE && names[0] !== "" && new Set(names).size === 1;
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  const kinds = kindsOf(one);
  if (kinds.some(isAnything)) return {};
  for (const kind of kindsOf(other)) {
    if (isAnything(kind)) return {};
    const at = kinds.findIndex(({ type }) => type === kind["type"]);
    const known = kinds[at];
    if (known) kinds[at] = mergedKind(known, kind);
    else kinds.push(kind);
  }
  const [only] = kinds;
  return kinds.length === 1 && only ? only : { anyOf: kinds };
}

function mergedKind(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one["type"] === "array") {
    const [known, more] = [one["items"], other["items"]];
    const items = isSchema(known) && isSchema(more) ? merged(known, more) : (known ?? more);
    return { type: "array", ...(items !== undefined && { items }) };
  }
  if (one["type"] !== "object") return one;
  const [known, more] = [fieldsIn(one), fieldsIn(other)];
  if (!isSchema(one["properties"]) || !isSchema(other["properties"])) {
    const others = [one, other].map((each) => each["additionalProperties"]).filter(isSchema);
    const all = [...Object.entries(known), ...Object.entries(more)];
    return anyNames([...all, ...others.map((shape) => ["", shape] as const)]);
  }
  const names = [...new Set([...Object.keys(known), ...Object.keys(more)])];
  const properties = names.map((name): [string, JsonSchema] => {
    const [field = {}, second] = [known[name] ?? more[name], known[name] && more[name]];
    return [name, second ? merged(field, second) : field];
  });
  const required = requiredOf(one).filter((name) => requiredOf(other).includes(name));
  return objectOf(Object.fromEntries(properties), required);
}

/** The kinds of values of a shape: more than one if values differ. */
function kindsOf(shape: JsonSchema): JsonSchema[] {
  const { anyOf } = shape;
  return Array.isArray(anyOf) ? anyOf.filter(isSchema) : [shape];
}

function isAnything({ type }: JsonSchema): boolean {
  return type === undefined;
}

function fieldsIn({ properties }: JsonSchema): Record<string, JsonSchema> {
  return isSchema(properties) ? (properties as Record<string, JsonSchema>) : {};
}

function requiredOf({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required : [];
}

function partOf(shape: JsonSchema, keyword: string): JsonSchema {
  const part = shape[keyword];
  return isSchema(part) ? part : {};
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function shortened(shape: JsonSchema): JsonSchema {
  for (let depth = DEEPEST; depth > 0; depth -= 1) {
    const cut = cutAt(shape, depth);
    if (JSON.stringify(cut).length <= LONGEST) return cut;
  }
  return {};
}

function cutAt(shape: JsonSchema, depth: number): JsonSchema {
  const { items, properties, additionalProperties } = shape;
  if (depth === 0 && (items || properties || additionalProperties)) return {};
  return mapParts(shape, (part, keyword) => cutAt(part, keyword === "anyOf" ? depth : depth - 1));
}
