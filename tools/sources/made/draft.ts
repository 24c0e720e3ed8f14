import type ts from "typescript";
import type { ExampleCheck, GeneratedTool } from "../../tool.js";

/** What is wrong with a draft, for its model and for people. */
export interface DraftProblem {
  problem: string;
  /** Line in the code, from 1; absent if the problem has none. */
  line?: number;
  column?: number;
}

/** The outcome of reading a model's reply: a tool to try, or its problems. */
export type DraftReading =
  | {
      ok: true;
      tool: GeneratedTool;
      /**
       * Checks of the previous version that this one gives up: it states another result, or no longer accepts
       * their arguments.
       */
      restated: ExampleCheck[];
    }
  | { ok: false; problems: DraftProblem[] };

export function failedDraft(...problems: DraftProblem[]): DraftReading {
  return { ok: false, problems };
}

/** One line per problem, for models and people. */
export function draftText(problems: readonly DraftProblem[]): string {
  return problems
    .map(({ problem, line, column }) => {
      const at = column === undefined ? "" : `, column ${column}`;
      return line === undefined ? problem : `line ${line}${at}: ${problem}`;
    })
    .join("\n");
}

/** A problem at a character of the draft, counted from 0. */
export function problemAt(source: ts.SourceFile, position: number, problem: string): DraftProblem {
  const { line, character } = source.getLineAndCharacterOfPosition(position);
  return { problem, line: line + 1, column: character + 1 };
}

/** A problem at a node of the draft, not counting its comment. */
export function problemAtNode(node: ts.Node, problem: string): DraftProblem {
  const source = node.getSourceFile();
  return problemAt(source, node.getStart(source), problem);
}

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
