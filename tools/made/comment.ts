import type ts from "typescript";

/** A block tag of a doc comment, verbatim. */
export interface CommentTag {
  name: string;
  /** The tag's text with line ends, starting on the tag's line. */
  text: string;
  /** Line of the tag in the draft, from 1. */
  line: number;
}

/**
 * The block tags of a doc comment, verbatim. TypeScript's own parser joins lines, splits `{@…}`, ends a tag at
 * an `@` inside an example, and loses line numbers.
 */
export function commentTags(comment: ts.JSDoc): CommentTag[] {
  const source = comment.getSourceFile();
  const first = source.getLineAndCharacterOfPosition(comment.getStart(source)).line + 1;
  const tags: CommentTag[] = [];
  for (const [index, line] of commentLines(comment.getText(source)).entries()) {
    const [, name, rest = ""] = /^\s*@(\w+)(.*)$/.exec(line) ?? [];
    const last = tags.at(-1);
    if (name !== undefined) tags.push({ name, text: rest, line: first + index });
    else if (last !== undefined) last.text += `\n${line}`;
  }
  return tags;
}

function commentLines(text: string): string[] {
  return text
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^[ \t]*\*/, "").trimEnd());
}
