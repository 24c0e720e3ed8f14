/** Where a text of JSON begins, and whole numbers with so many digits that they may not be exact. */
const MARKS = /"|(?<![\w.+-])-?\d{16,}(?![\d.eE])/g;

/** The digits of a whole number that a JavaScript number may not hold. */
const DIGITS = /^-?\d{16,}$/;

/**
 * As `JSON.parse`, but a whole number beyond 2⁵³ becomes a text with its digits: rounded, an id would be that of another
 * record.
 *
 * @throws SyntaxError as `JSON.parse`
 */
export function parseExact(text: string): unknown {
  const parts: string[] = [];
  const marks = new RegExp(MARKS);
  let copied = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [found] = mark;
    if (found === '"') marks.lastIndex = endOfText(text, mark.index);
    else if (!Number.isSafeInteger(Number(found))) {
      parts.push(text.slice(copied, mark.index), `"${found}"`);
      copied = marks.lastIndex;
    }
  }
  return JSON.parse(parts.length === 0 ? text : [...parts, text.slice(copied)].join("")) as unknown;
}

/** JSON with null for what is not a number, which Python writes beside the rules of JSON. */
export function withoutNaN(text: string): string {
  if (!/[:[,]\s*-?(?:NaN|Infinity)\s*[,\]}]/.test(text)) return text;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (part) =>
    part.startsWith('"') ? part : "null",
  );
}

/** Where a text of JSON ends. A pattern that reads texts needs more stack than there is for one of 8 MB. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote > 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === "\\") before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
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
