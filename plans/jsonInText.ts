import { readLenient } from "./lenientJson.js";

/** Looks like the start of JSON, unlike `[0]` and `{name}` in prose. */
const BEGINNING = /[[{]\s*(?:["'[{\]}]|\/[/*]|[A-Za-z_]\w*\s*:)/g;

/** Data in a text, and its position. */
export interface DataInText {
  value: unknown;
  start: number;
  end: number;
}

/**
 * The JSON lists and objects in a text, in fences or between sentences, even with the mistakes models make
 * ({@link readLenient}). Unreadable data is skipped as a whole, because a piece inside would pass for all of
 * it.
 *
 * @returns `cutShort`: the last one is truncated, as in replies that reached a length limit
 */
export function jsonInText(text: string): {
  values: unknown[];
  found: DataInText[];
  cutShort: boolean;
} {
  const found: DataInText[] = [];
  let from = 0;
  for (;;) {
    BEGINNING.lastIndex = from;
    const start = BEGINNING.exec(text)?.index;
    if (start === undefined)
      return { values: found.map(({ value }) => value), found, cutShort: false };
    const read = dataAt(text, start);
    if (read === "cut") return { values: found.map(({ value }) => value), found, cutShort: true };
    if (read.value !== undefined) found.push({ value: read.value, start, end: read.end });
    from = read.end;
  }
}

/** The JSON value of a whole text, also lenient for lists and objects; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  const strict = parseStrictly(text);
  if (strict !== undefined || !/^\s*[[{]/.test(text)) return strict;
  const start = text.search(/\S/);
  const read = readLenient(text, start);
  if (read === undefined || read === "cut" || text.slice(read.end).trim()) return undefined;
  return read.value;
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Most texts of models are not JSON; the caller reports what was expected.
    return undefined;
  }
}

/** The data starting here; without `value` if it is unreadable but complete. */
function dataAt(text: string, start: number): { value?: unknown; end: number } | "cut" {
  const end = endOfJson(text, start);
  const strict = end === undefined ? undefined : parseStrictly(text.slice(start, end));
  if (end !== undefined && strict !== undefined) return { value: strict, end };
  return readLenient(text, start) ?? (end === undefined ? "cut" : { end });
}

/** Position after the bracket that closes the one at `start`. */
function endOfJson(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (inString) {
      if (letter === "\\") at++;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === "[" || letter === "{") depth++;
    else if (letter === "]" || letter === "}") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
