/**
 * A pattern of a schema in JavaScript's own form. Schemas come from servers in many languages, whose patterns differ.
 *
 * @returns undefined for one that JavaScript cannot express
 * @example
 * portablePattern("\\A(?P<year>\\d{4})\\Z"); // "^(?<year>\\d{4})$"
 */
export function portablePattern(source: string): string | undefined {
  const [, literal = source, flags = ""] = /^\/(\^.*|.*\$)\/([a-z]*)$/s.exec(source) ?? [];
  // A schema cannot say that case does not matter.
  if (flags.includes("i")) return undefined;
  const text = literal.replaceAll(FOREIGN, (all, escaped?: string, group?: string, kind = "") => {
    if (escaped !== undefined) return ESCAPED[escaped] ?? all;
    if (group !== undefined) return `\\k<${group}>`;
    return all === "(?P<" ? "(?<" : (CLASSES[kind as string] ?? all);
  });
  if (/\[:\w+:\]/.test(text)) return undefined;
  try {
    return new RegExp(text, patternFlags(text)) instanceof RegExp ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Without the flag `u`, `\p{L}` would mean the letters themselves; with it, needless escapes are errors. */
export function patternFlags(source: string): string {
  return /(?<!\\)(?:\\\\)*\\(?:[pP]|u)\{/.test(source) ? "u" : "";
}

/** Escapes, named groups and references of Python, and classes of POSIX. */
const FOREIGN = /\\(.)|\(\?P=(\w+)\)|\(\?P<|\[:(\w+):\]/gs;

const ESCAPED: Readonly<Record<string, string>> = { A: "^", Z: "$", z: "$", h: "\\s" };

const CLASSES: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};
