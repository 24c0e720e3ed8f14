/** A fenced block of Markdown. */
export interface FencedBlock {
  /** The text after the opening fence; often empty. */
  language: string;
  text: string;
}

const OPENING = /^[ \t]*(?:(?:[-+*]|\d+[.)])[ \t]+)?(`{3,}|~{3,})([^`]*)$/;

/**
 * Splits a text into its fenced blocks (backticks or tildes, also in list items; the last may be truncated) and
 * the text outside. A fence inside a doc comment belongs to the code.
 */
export function fencedBlocks(text: string): { blocks: FencedBlock[]; outside: string } {
  const blocks: FencedBlock[] = [];
  const outside: string[] = [];
  let open: { fence: string; language: string; lines: string[] } | undefined;
  let inComment = false;
  for (const line of text.split("\n")) {
    if (open !== undefined) {
      if (closes(line, open.fence)) {
        blocks.push({ language: open.language, text: open.lines.join("\n") });
        open = undefined;
      } else open.lines.push(line);
      continue;
    }
    const [, fence, info] = (!inComment && OPENING.exec(line)) || [];
    if (fence !== undefined && info !== undefined) {
      open = { fence, language: info.trim().split(/\s/)[0] ?? "", lines: [] };
      continue;
    }
    outside.push(line);
    inComment = endsInComment(line, inComment);
  }
  if (open !== undefined) blocks.push({ language: open.language, text: open.lines.join("\n") });
  return { blocks, outside: outside.join("\n") };
}

/** At least as long as the opening fence, of the same kind, and alone on its line. */
function closes(line: string, fence: string): boolean {
  const trimmed = line.trim();
  const [mark = ""] = fence;
  return trimmed.length >= fence.length && trimmed === mark.repeat(trimmed.length);
}

function endsInComment(line: string, before: boolean): boolean {
  const opened = line.lastIndexOf("/**");
  const closed = line.lastIndexOf("*/");
  return opened === closed ? before : opened > closed;
}
