/** What looks like the beginning of JSON; `[0]` and `{name}` in prose do not. */
const BEGINNING = /[[{]\s*["[{\]}]/g;

/**
 * The JSON lists and objects that stand in a text, in fences or between sentences. What cannot be parsed
 * is passed over as a whole: a piece from its inside would be taken for all of it.
 *
 * @returns `cutShort`: the last one has no end, as in replies that met a limit of length
 */
export function jsonInText(text: string): { values: unknown[]; cutShort: boolean } {
  const values: unknown[] = [];
  let from = 0;
  for (;;) {
    BEGINNING.lastIndex = from;
    const start = BEGINNING.exec(text)?.index;
    if (start === undefined) return { values, cutShort: false };
    const end = endOfJson(text, start);
    if (end === undefined) return { values, cutShort: true };
    const value = parseJson(text.slice(start, end));
    if (value !== undefined) values.push(value);
    from = end;
  }
}

/** The JSON value that a whole text is; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Most texts of models are no JSON; whoever asked says what was expected.
    return undefined;
  }
}

/** Position behind the bracket that closes the one at `start`. */
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
