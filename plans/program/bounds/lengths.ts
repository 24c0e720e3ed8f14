import { inlineRefs } from "../../../common/schemas/inlineRefs.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../tools/tool.js";

/*
 * How often something happens, or how long a list is, as far as known before anything runs.
 */

/** At least and at most this often. */
export interface Bound {
  least: number;
  /** Infinite if unknown. */
  most: number;
  /** Why the maximum is unknown. */
  unknown?: Unbounded;
}

/** A list of unknown length. */
export interface Unbounded {
  /** What decides, in words: "the length of the list that works_list gives (line 2)". */
  by: string;
  /** The list as the program names it, with its line: "stale (line 3)"; absent if unnamed. */
  name?: string;
}

export const NONE: Bound = { least: 0, most: 0 };
export const ONCE: Bound = { least: 1, most: 1 };

export function unbounded(by: string): Bound {
  return { least: 0, most: Infinity, unknown: { by } };
}

/** Both. */
export function plus(one: Bound, other: Bound): Bound {
  return {
    least: one.least + other.least,
    most: one.most + other.most,
    ...reason(one, other),
  };
}

/** One for each of the other. */
export function times(one: Bound, other: Bound): Bound {
  const none = one.most === 0 || other.most === 0;
  if (none) return NONE;
  return { least: one.least * other.least, most: one.most * other.most, ...reason(one, other) };
}

/** One or the other. */
export function either(one: Bound, other: Bound): Bound {
  return {
    least: Math.min(one.least, other.least),
    most: Math.max(one.most, other.most),
    ...reason(one, other),
  };
}

/** Perhaps not at all. */
export function perhaps(bound: Bound): Bound {
  return { ...bound, least: 0 };
}

function reason(one: Bound, other: Bound): { unknown?: Unbounded } {
  const unknown = one.unknown ?? other.unknown;
  return unknown ? { unknown } : {};
}

/** What is known about a value in advance: the lengths of lists in it. */
export interface Shape {
  /** Items of a list; other values count as one when put into a list. */
  length: Bound;
  /** Known not to be a list. */
  isOne: boolean;
  /** The literal in the code. */
  literal?: unknown;
  item: () => Shape;
  field: (key: string) => Shape;
}

/** A number, text or other value without parts. */
export function oneThing(literal?: unknown): Shape {
  return { length: ONCE, isOne: true, literal, item: unknownPart, field: unknownPart };
}

function unknownPart(): Shape {
  return anything("the length of a list that nothing is known of");
}

/** @param by why nothing is known about it */
export function anything(by: string): Shape {
  return {
    length: unbounded(by),
    isOne: false,
    item: () => anything(by),
    field: () => anything(by),
  };
}

export function listOf(length: Bound, item: () => Shape): Shape {
  return { length, isOne: false, item, field: unknownPart };
}

export function recordOf(fields: ReadonlyMap<string, Shape>, others: () => Shape): Shape {
  return {
    ...oneThing(),
    item: others,
    field: (key) => fields.get(key) ?? others(),
  };
}

/** The shape of a value that has one of these shapes. */
export function eitherShape(shapes: readonly [Shape, ...Shape[]]): Shape {
  const [first, ...others] = shapes;
  return others.reduce(
    (one, other): Shape => ({
      length: either(one.length, other.length),
      isOne: one.isOne && other.isOne,
      item: () => eitherShape([one.item(), other.item()]),
      field: (key) => eitherShape([one.field(key), other.field(key)]),
    }),
    first,
  );
}

/** The shape of a tool's declared result. */
export function declaredShape(returns: JsonSchema | undefined, by: (of?: string) => string): Shape {
  return returns ? shapeOf(inlineRefs(returns), by) : anything(by());
}

/** @param by describes the length of the list, or of the field with this name */
function shapeOf(schema: unknown, by: (of?: string) => string): Shape {
  if (!isSchema(schema)) return anything(by());
  const { anyOf, oneOf, type, items, properties, minItems, maxItems } = schema;
  const [first, ...others] = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  if (first !== undefined)
    return eitherShape([shapeOf(first, by), ...others.map((one) => shapeOf(one, by))]);
  if (Array.isArray(type)) {
    const [one, ...more] = type.map((each) => shapeOf({ ...schema, type: each }, by));
    return one ? eitherShape([one, ...more]) : anything(by());
  }
  if (type === "array") {
    const length =
      typeof maxItems === "number"
        ? { least: typeof minItems === "number" ? minItems : 0, most: maxItems }
        : unbounded(by());
    return listOf(length, () => shapeOf(items, by));
  }
  if (typeof type === "string" && PLAIN.has(type)) return oneThing();
  if (type !== "object" || !isSchema(properties)) return anything(by());
  const fields = new Map(
    Object.entries(properties).map(([key, field]) => [key, shapeOf(field, () => by(key))]),
  );
  return recordOf(fields, () => anything(by()));
}

const PLAIN: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"]);
