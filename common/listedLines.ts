const NUMBERED = /^\s*(?:\d+[.):]|(?:sub)?task\s+\d+[.:])\s+(\S.*)$/i;
const BULLETED = /^\s*[-*•]\s+(\S.*)$/;

/** The content of numbered lines of a text, or of lines with bullets if none is numbered. */
export function listedLines(text: string): string[] {
  const lines = text.split("\n");
  const [numbered, bulleted] = [NUMBERED, BULLETED].map((pattern) =>
    lines.flatMap((line) => pattern.exec(line)?.[1] ?? []).map(withoutMarks),
  );
  return (numbered?.length ? numbered : bulleted) ?? [];
}

/** Without Markdown's stars and enclosing quotes. */
function withoutMarks(text: string): string {
  return text
    .replaceAll("**", "")
    .trim()
    .replace(/^(["'`“])(.*)["'`”][.,]?$/, "$2");
}
