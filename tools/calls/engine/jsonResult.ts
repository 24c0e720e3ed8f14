import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";

/** How deep a result may be nested; anything deeper is endless in practice. */
const DEEPEST = 200;

/**
 * A tool's result as JSON text, as it is journaled and shown to a model.
 *
 * Values that JSON lacks get a defined form: `undefined` alone gives `undefined` (no result), in an object it is left
 * out and in an array it is null; a bigint is a number if that is exact, else its digits as text; NaN and infinities
 * are their names as text; a Date is its ISO text, and an invalid one null; a Map with text keys is an object, any other
 * a list of pairs; a Set, a typed array, an ArrayBuffer and what a generator yields are lists; headers and form data are
 * objects; an Error is its name and message; a RegExp or URL is its text; an object with `toJSON` is what that returns;
 * any other object is its own enumerable properties. An object of a class that shows none has no form: it is not passed
 * off as empty.
 *
 * @throws TypeError for functions, symbols, circular references and too deep nesting; names the place
 */
export function jsonResult(value: unknown): string | undefined {
  return JSON.stringify(plain(value, "result", []));
}

function plain(value: unknown, path: string, above: readonly object[]): unknown {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case "function":
    case "symbol":
      throw new TypeError(`${path} is a ${typeof value}, which has no JSON form`);
    case "object":
      return value === null ? null : plainObject(value, path, above);
    default:
      return value;
  }
}

function plainObject(value: object, path: string, above: readonly object[]): unknown {
  if (above.includes(value)) throw new TypeError(`${path} refers back to what contains it`);
  if (above.length >= DEEPEST)
    throw new TypeError(`${path.slice(0, 60)}… is nested more than ${DEEPEST} levels deep`);
  const inside = (name: string, inner: unknown) =>
    plain(inner, `${path}${name}`, [...above, value]);
  const list = (items: readonly unknown[]) =>
    items.map((item, index) => inside(`[${index}]`, item) ?? null);
  const fields = (entries: readonly [string, unknown][]) =>
    Object.fromEntries(entries.map(([name, inner]) => [name, inside(`.${name}`, inner)]));
  if (Array.isArray(value)) return list(Array.from(value));
  if (value instanceof Date) return value.toJSON();
  if (value instanceof Map) return isTextMap(value) ? fields([...value]) : list([...value]);
  if (value instanceof Set) return list([...value]);
  if (value instanceof ArrayBuffer) return list([...new Uint8Array(value)]);
  if (ArrayBuffer.isView(value)) return list(Array.from(value as Uint8Array));
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof RegExp) return String(value);
  if ("toJSON" in value && typeof value.toJSON === "function") return inside("", value.toJSON());
  const own = Object.entries(value);
  if (own.length > 0) return fields(own);
  const bare: unknown = "valueOf" in value ? value.valueOf() : value;
  if (typeof bare !== "object") return inside("", bare);
  if (Symbol.iterator in value) {
    const items = itemsOf(value as Iterable<unknown>, path);
    return isPairs(value) ? fields(items as [string, unknown][]) : list(items);
  }
  const name = className(value);
  if (name === "Object") return {};
  throw new TypeError(
    `${path} is a ${name} without fields, which has no JSON form; return its values`,
  );
}

function isPairs(value: object): boolean {
  return value instanceof Headers || value instanceof URLSearchParams || value instanceof FormData;
}

/** Most values of a generator, which may be endless. */
const MOST_VALUES = 100_000;

function itemsOf(value: Iterable<unknown>, path: string): unknown[] {
  const items: unknown[] = [];
  for (const item of value)
    if (items.push(item) > MOST_VALUES)
      throw new TypeError(`${path} gives more than ${MOST_VALUES} values; return a part of them`);
  return items;
}

function className(value: object): string {
  if (Object.getPrototypeOf(value) === null) return "Object";
  const { constructor } = value;
  return typeof constructor === "function" ? constructor.name || "class" : "Object";
}

function isTextMap(map: ReadonlyMap<unknown, unknown>): map is ReadonlyMap<string, unknown> {
  return [...map.keys()].every((key) => typeof key === "string");
}

/** A value as JSON data, as a model would write it: dates as texts, NaN and the infinities by name. */
export function jsonData(value: unknown): unknown {
  const json = jsonResult(value);
  return json === undefined ? undefined : JSON.parse(json);
}

/** Numbers this near to each other, relative to the larger, are equal. */
const RELATIVE = 1e-9;

/** Near zero: what is left when terms should have cancelled out. */
const ABSOLUTE = 1e-12;

/**
 * Whether a result is the expected one. Both are JSON data, or undefined for none. Numbers may differ by
 * rounding; the order of fields does not matter, the order of lists does.
 *
 * @param sameLeaf in place of this, for all that is neither a list nor an object
 */
export function sameValue(
  got: unknown,
  expected: unknown,
  sameLeaf: (got: unknown, expected: unknown) => boolean = isSame,
): boolean {
  const same = (one: unknown, other: unknown) => sameValue(one, other, sameLeaf);
  if (Array.isArray(got) && Array.isArray(expected))
    return got.length === expected.length && got.every((item, at) => same(item, expected[at]));
  if (isObject(got) && isObject(expected)) {
    const names = Object.keys(got);
    return (
      names.length === Object.keys(expected).length &&
      names.every((name) => Object.hasOwn(expected, name) && same(got[name], expected[name]))
    );
  }
  return sameLeaf(got, expected);
}

function isSame(got: unknown, expected: unknown): boolean {
  if (typeof got !== "number" || typeof expected !== "number") return got === expected;
  const larger = Math.max(Math.abs(got), Math.abs(expected));
  return Math.abs(got - expected) <= Math.max(ABSOLUTE, RELATIVE * larger);
}
