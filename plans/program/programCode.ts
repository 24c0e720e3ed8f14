/**
 * Candidates for the program in a model's reply, likeliest first: the last code fence, all fences joined, the
 * whole text, and the text without surrounding prose.
 */
export function programCodes(text: string): string[] {
  const fences = [...text.matchAll(/```([^\n`]*)\n([\s\S]*?)(?:```|$)/g)]
    .map(([, tag = "", code = ""]) => ({ tag: tag.trim().toLowerCase(), code: trimmed(code) }))
    .filter(({ code }) => code !== "");
  if (fences.length === 0) return distinct([trimmed(text), withoutProse(text)]);
  const tagged = fences.filter(({ tag }) => CODE.has(tag));
  const shown = (tagged.length > 0 ? tagged : fences).map(({ code }) => code);
  return distinct([shown.at(-1) ?? "", shown.join("\n")]);
}

const CODE = new Set(["ts", "typescript", "js", "javascript", "tsx", "jsx", "mts", "mjs"]);

function distinct(codes: string[]): string[] {
  return [...new Set(codes)];
}

/** Code without surrounding empty lines. */
function trimmed(code: string): string {
  return code.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
}

/** The lines from the first to the last that look like code, if all others are prose. */
function withoutProse(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => FIRST.test(line));
  const last = lines.findLastIndex((line) => LAST.test(line));
  const around = [...lines.slice(0, Math.max(first, 0)), ...lines.slice(last + 1)];
  if (first < 0 || last < first || !around.every(isProse)) return trimmed(text);
  return trimmed(lines.slice(first, last + 1).join("\n"));
}

const FIRST =
  /^\s*(?:(?:const|let|var)\s+[\w$[{]|await\s|(?:for|if)\s*\(|try\s*\{|return\s|(?:export\s+)?(?:async\s+)?function\s|\(async|\/\/)/;

const LAST = /[;})\]`]\s*(?:\/\/.*)?$/;

/** Whether dropping a line loses no code. */
function isProse(line: string): boolean {
  return line.trim() === "" || /^[^=;{}`]*[\p{L}\p{N}.:!?*"]\s*$/u.test(line);
}
