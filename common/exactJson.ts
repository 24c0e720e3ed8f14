/** Texts of JSON, which stay as they are, and whole numbers with so many digits that they may not be exact. */
const LONG_NUMBERS = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])-?\d{16,}(?![\d.eE])/g;

/** The digits of a whole number that a JavaScript number may not hold. */
const DIGITS = /^-?\d{16,}$/;

/**
 * As `JSON.parse`, but a whole number beyond 2⁵³ becomes a text with its digits: rounded, an id would be that of another
 * record.
 *
 * @throws SyntaxError as `JSON.parse`
 */
export function parseExact(text: string): unknown {
  const quoted = text.replaceAll(LONG_NUMBERS, (found) =>
    found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`,
  );
  return JSON.parse(quoted) as unknown;
}

/** Whether a text stands for a whole number beyond 2⁵³, as {@link parseExact} gives it. */
export function isLongInteger(text: unknown): text is string {
  return typeof text === "string" && DIGITS.test(text) && !Number.isSafeInteger(Number(text));
}

/** As `JSON.stringify`, with a `bigint` as a number. */
export function exactJson(value: unknown): string {
  const marked = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "bigint" ? `\u0001${each}\u0001` : each,
  );
  return marked.replaceAll(/"\\u0001(-?\d+)\\u0001"/g, "$1");
}
