/** Deeper data is not a sensible argument and would exhaust the stack. */
const DEEPEST = 100;

/** A position in a text. */
interface Cursor {
  text: string;
  at: number;
}

/** No data here; `cut` if the text ended too early to tell. */
class NoData extends Error {
  constructor(readonly cut: boolean) {
    super("no data");
  }
}

/** Data and the position after it; `cut` if the text ends first; undefined if there is none. */
export type LenientRead = { value: unknown; end: number } | "cut" | undefined;

/**
 * The list or object that starts here, in the sloppy JSON of models: trailing commas, comments, single quotes,
 * unquoted names, Python's `True` and `None`, and line breaks in texts. Expressions such as `2 * 3` are not
 * evaluated.
 */
export function readLenient(text: string, start: number): LenientRead {
  return attempt({ text, at: start }, (cursor) => readValue(cursor, 0));
}

/** Like {@link readLenient}, for named arguments in brackets: `({"a": 1})`, `(a=1, b="x")`, `()`. */
export function readArguments(text: string, start: number): LenientRead {
  return attempt({ text, at: start }, (cursor) => {
    cursor.at++;
    if (nextLetter(cursor) !== "{") return readMembers(cursor, ")", 0);
    const value = readValue(cursor, 0);
    if (nextLetter(cursor) !== ")") throw new NoData(false);
    cursor.at++;
    return value;
  });
}

function attempt(cursor: Cursor, read: (cursor: Cursor) => unknown): LenientRead {
  try {
    return { value: read(cursor), end: cursor.at };
  } catch (error) {
    if (!(error instanceof NoData)) throw error;
    return error.cut ? "cut" : undefined;
  }
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > DEEPEST) throw new NoData(false);
  const letter = nextLetter(cursor);
  if (letter === "{") {
    cursor.at++;
    return readMembers(cursor, "}", depth);
  }
  if (letter === "[") return readItems(cursor, depth);
  return isQuote(letter) ? readString(cursor) : readWord(cursor);
}

function readMembers(cursor: Cursor, close: string, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  while (!isAtEnd(cursor, { close, isFirst: entries.length === 0 })) {
    const key = isQuote(nextLetter(cursor)) ? readString(cursor) : readName(cursor);
    // Python's keyword arguments use "=".
    if (!/[:=]/.test(nextLetter(cursor))) throw new NoData(false);
    cursor.at++;
    entries.push([key, readValue(cursor, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function readItems(cursor: Cursor, depth: number): unknown[] {
  const items: unknown[] = [];
  cursor.at++;
  while (!isAtEnd(cursor, { close: "]", isFirst: items.length === 0 })) {
    items.push(readValue(cursor, depth + 1));
  }
  return items;
}

/** Moves past the comma before the next part, or past the closing bracket. */
function isAtEnd(cursor: Cursor, { close, isFirst }: { close: string; isFirst: boolean }): boolean {
  if (!isFirst && nextLetter(cursor) === ",") cursor.at++;
  else if (!isFirst && nextLetter(cursor) !== close) throw new NoData(false);
  if (nextLetter(cursor) !== close) return false;
  cursor.at++;
  return true;
}

function readString(cursor: Cursor): string {
  const { text, at } = cursor;
  const quote = text[at];
  let end = at + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) throw new NoData(true);
  cursor.at = end + 1;
  return text
    .slice(at + 1, end)
    .replace(/\\(u[\da-f]{4}|[^])/gi, (_, said: string) => escaped(said));
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function escaped(said: string): string {
  if (said.length > 1) return String.fromCharCode(Number.parseInt(said.slice(1), 16));
  return ESCAPES[said] ?? said;
}

const NAME = /[A-Za-z_$][\w$-]*/y;

function readName(cursor: Cursor): string {
  const [name] = matchAt(NAME, cursor) ?? [];
  if (name === undefined) throw new NoData(false);
  cursor.at += name.length;
  return name;
}

const WORDS: Record<string, unknown> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};

const WORD = /(?:(?<word>[A-Za-z]+)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.])/iy;

function readWord(cursor: Cursor): unknown {
  const match = matchAt(WORD, cursor);
  if (!match) throw new NoData(false);
  const { word } = match.groups ?? {};
  if (word !== undefined && !Object.hasOwn(WORDS, word)) throw new NoData(false);
  cursor.at += match[0].length;
  return word === undefined ? Number(match[0]) : WORDS[word];
}

function matchAt(pattern: RegExp, { text, at }: Cursor): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const SPACE = /\s+|\/\/[^\n]*|\/\*/y;

/** The next character that is not space or comment. */
function nextLetter(cursor: Cursor): string {
  for (;;) {
    const [space] = matchAt(SPACE, cursor) ?? [];
    if (space === undefined) break;
    cursor.at += space.length;
    if (space === "/*") cursor.at = endOfComment(cursor);
  }
  const letter = cursor.text[cursor.at];
  if (letter === undefined) throw new NoData(true);
  return letter;
}

function endOfComment({ text, at }: Cursor): number {
  const end = text.indexOf("*/", at);
  if (end < 0) throw new NoData(true);
  return end + 2;
}

function isQuote(letter: string): boolean {
  return letter === '"' || letter === "'";
}
