import { jsonrepair } from "jsonrepair";

/** Looks like the start of JSON, unlike `[0]` and `{name}` in prose. */
const BEGINNING = /[[{]\s*(?:["'[{\]}]|\/[/*]|[A-Za-z_]\w*\s*:)/g;

/** Data in a text, and its position. */
export interface DataInText {
  value: unknown;
  start: number;
  end: number;
}

/**
 * The JSON lists and objects in a text, in fences or between sentences, even with the slips of models: trailing
 * commas, comments, single quotes, unquoted names, Python's `True` and `None`, and line breaks in texts.
 * Unreadable data is skipped as a whole, because a piece inside would pass for all of it.
 *
 * @returns `cutShort`: the last one is truncated, as in replies that reached a length limit
 */
export function jsonInText(text: string): {
  values: unknown[];
  found: DataInText[];
  cutShort: boolean;
} {
  const found: DataInText[] = [];
  let cutShort = false;
  for (let from = 0; ;) {
    BEGINNING.lastIndex = from;
    const start = BEGINNING.exec(text)?.index;
    const read = start === undefined ? undefined : dataAt(text, start);
    cutShort = read === "cut";
    if (start === undefined || !read || read === "cut") break;
    if (read.value !== undefined) found.push({ value: read.value, start, end: read.end });
    from = read.end;
  }
  return { values: found.map(({ value }) => value), found, cutShort };
}

export const COMMENTS_BEFORE = /^(?:\s*(?:\/\/[^\n]*\n|\/\*[^]*?\*\/))+/;

/** The JSON value of a whole text, with slips in lists and objects; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  const strict = jsonOrNothing(text);
  if (strict !== undefined || !/^\s*[[{]/.test(text)) return strict;
  const read = dataAt(text, text.search(/\S/));
  return read === "cut" || text.slice(read.end).trim() ? undefined : read.value;
}

/** The JSON of a text; if it is not JSON, what is given instead, or undefined, which the caller reports in its own words. */
export function jsonOrNothing(text: string, instead?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return instead;
  }
}

/**
 * The data in the brackets that start here, which may also be those of a call: `({"a": 1})`, `(a=1, b="x")`, `()`.
 *
 * @returns no `value` if it is unreadable but complete
 */
export function dataAt(text: string, start: number): { value?: unknown; end: number } | "cut" {
  const read = tokensFrom(text, start);
  if (read === "cut") return "cut";
  const { end, tokens, isSound } = read;
  const strict = jsonOrNothing(text.slice(start, end));
  if (strict !== undefined || !isSound) return { value: strict, end };
  const inner = tokens[0] === "(" && tokens[1] === "{" ? tokens.slice(1, -1) : tokens;
  return { value: mended(inner.map(asJson).join(" ")), end };
}

function mended(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    // An escape such as "\\u12" stands for nothing.
    return undefined;
  }
}

/** Arguments in brackets are an object; Python's keyword arguments use "=". */
function asJson(token: string): string {
  return { "(": "{", ")": "}", "=": ":" }[token] ?? token;
}

/** Deeper data is not a sensible argument and would exhaust the stack. */
const DEEPEST = 100;

const TOKEN = new RegExp(
  [
    String.raw`(?<space>\s+|(?:\/\/|#)[^\n]*|\/\*[^]*?\*\/)`,
    String.raw`(?<text>"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*')`,
    String.raw`(?<mark>[[{(\]}),:=])`,
    String.raw`(?<value>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:[Tt]rue|[Ff]alse|null|None)(?![\w$-]))`,
    String.raw`(?<name>[A-Za-z_$][\w$-]*)`,
  ].join("|"),
  "y",
);

const CLOSING: Record<string, string> = { "[": "]", "{": "}", "(": ")" };

/**
 * The tokens up to the bracket that closes the one at `start`. The mender guesses at anything, even at what was
 * cut off, so it is only given what is sound: complete brackets with names or texts as keys, values between
 * commas, and nothing that would have to be computed.
 */
function tokensFrom(
  text: string,
  start: number,
): { tokens: string[]; end: number; isSound: boolean } | "cut" {
  const tokens: string[] = [];
  const open: string[] = [];
  let role: Role | undefined = "separator";
  for (let at = start; at < text.length;) {
    TOKEN.lastIndex = at;
    // In what is not JSON, an apostrophe is not a quote.
    const match: RegExpExecArray | null | undefined =
      !role && text[at] === "'" ? undefined : TOKEN.exec(text);
    const token = match?.[0] ?? "";
    const groups: Partial<Record<string, string>> = match?.groups ?? {};
    if (match === null && /^(?:["']|\/\*)/.test(text.slice(at, at + 2))) return "cut";
    at += token.length || 1;
    if (groups["space"] !== undefined) continue;
    const { mark = "" } = groups;
    role = role && open.length <= DEEPEST ? roleOf(groups, role, open.at(-1) ?? "") : undefined;
    tokens.push(token);
    if (mark in CLOSING) open.push(mark);
    if (!/[\]})]/.test(mark)) continue;
    open.pop();
    if (open.length === 0) return { tokens, end: at, isSound: role !== undefined };
  }
  return "cut";
}

/** What a token is to the next one; a separator stands before a value. */
type Role = "open" | "key" | "separator" | "comma" | "value";

/** The role of a token in the innermost brackets; undefined if it cannot stand there. */
function roleOf(
  { mark = "", name, text, value }: Record<string, string | undefined>,
  before: Role,
  around: string,
): Role | undefined {
  const isKeyed = around === "{" || around === "(";
  const isFirst = before === "open" || before === "comma";
  if (mark === ",") return before === "value" ? "comma" : undefined;
  if (mark === ":" || mark === "=") return before === "key" ? "separator" : undefined;
  if (/[\]})]/.test(mark))
    return mark === CLOSING[around] && (isFirst || before === "value") ? "value" : undefined;
  if (isKeyed && isFirst && !(around === "(" && mark === "{"))
    return name === undefined && text === undefined ? undefined : "key";
  if (!isFirst && before !== "separator") return undefined;
  if (mark) return "open";
  return text === undefined && value === undefined ? undefined : "value";
}
