import type { JsonSchema } from "./jsonSchema.js";

/**
 * The JSON Schema of a type as programs and documents write it: `float`, `List[str]`, `Optional[int]`,
 * `Dict[str, float]`, `int or str`, `HashMap<String, Integer>`, `date (yyyy-mm-dd)`. A type that JSON does not have,
 * such as `np.ndarray`, allows any value.
 */
export function wordSchema(text: string): JsonSchema {
  // Some say in the type whether it may be missing: "str, optional", "int, default 5".
  const [said = ""] = text.split(/,\s*(?:optional|required|default)\b/i);
  if (said !== text) return wordSchema(said);
  const members = splitOutside(text, /^(?:\||\s+or\s+)/);
  if (members.length > 1) return unionOf(members.map(wordSchema));
  const [, item] = /^(.*)\[\]$/s.exec(text.trim()) ?? [];
  if (item !== undefined) return { type: "array", items: wordSchema(item) };
  const [, word = "", inner = ""] = /^([\w.]*)\s*(?:[[(<](.*)[\])>])?$/s.exec(text.trim()) ?? [];
  const name = (word.split(".").at(-1) ?? "").toLowerCase();
  const plain = PLAIN_TYPES.get(name);
  if (plain !== undefined) return { type: plain };
  const args = splitOutside(inner, /^,/).filter((arg) => arg !== "");
  if (name === "tuple" && args.length > 0)
    return { type: "array", items: unionOf(args.map(wordSchema)) };
  if (LISTS.has(name)) return { type: "array", items: wordSchema(args[0] ?? "") };
  if (MAPS.has(name)) return mapSchema(args);
  if (name === "optional") return unionOf([wordSchema(args[0] ?? ""), { type: "null" }]);
  if (name === "union") return unionOf(args.map(wordSchema));
  return {};
}

/** Whether a type of some language means that any value will do. */
export function isAnyWord(text: string): boolean {
  return /^(?:(?:typing\.)?any|unknown|mixed|object|var|dynamic|value|json|t|)$/i.test(text.trim());
}

/** One schema for several: `anyOf` unless they are equal. */
export function anySchema(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only, ...others] = distinct;
  return only !== undefined && others.length === 0 ? only : { anyOf: distinct };
}

/** The shortest schema for a value of any of several types. */
export function unionOf(members: readonly JsonSchema[]): JsonSchema {
  if (members.length === 0 || members.some((member) => Object.keys(member).length === 0)) return {};
  const union = anySchema(members);
  const distinct = Object.keys(union).length === 1 ? union["anyOf"] : undefined;
  if (!Array.isArray(distinct) || !distinct.every(isPlain)) return union;
  const types = distinct.flatMap(({ type }) => type);
  // Every integer is a number.
  const wider = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  const different = [...new Set(wider)];
  return { type: different.length === 1 ? different[0] : different };
}

function isPlain(schema: JsonSchema): schema is { type: string | string[] } {
  return Object.keys(schema).length === 1 && schema.type !== undefined;
}

const PLAIN_TYPES = new Map(
  Object.entries({
    string:
      "string str text char character anystr bytes binary date time datetime timestamp path url uuid",
    integer: "integer int long short byte bigint int32 int64",
    number: "number float double decimal numeric real float32 float64",
    boolean: "boolean bool",
    null: "null none nonetype void",
  }).flatMap(([type, words]) => words.split(" ").map((word) => [word, type] as const)),
);

const LISTS = new Set(
  "array list tuple arraylist sequence iterable collection set frozenset deque".split(" "),
);

const MAPS = new Set("object dict dictionary map hashmap mapping json struct".split(" "));

/** `Dict[str, float]`: keys of JSON objects are always texts. */
function mapSchema([, value]: string[]): JsonSchema {
  const values = value === undefined ? {} : wordSchema(value);
  const isAny = Object.keys(values).length === 0;
  return { type: "object", ...(isAny ? {} : { additionalProperties: values }) };
}

/** Splits at separators outside all brackets. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts = [""];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const found = depth === 0 ? separator.exec(text.slice(at))?.[0] : undefined;
    if (found !== undefined) {
      parts.push("");
      at += found.length - 1;
      continue;
    }
    if ("[(<".includes(character)) depth += 1;
    if ("])>".includes(character)) depth -= 1;
    parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts.map((part) => part.trim());
}
