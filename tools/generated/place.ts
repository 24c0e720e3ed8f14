import type ts from "typescript";
import type { DraftProblem } from "./draft.js";

/** A problem without its place. */
export type PlainProblem = Pick<DraftProblem, "kind" | "problem">;

/** A problem at a character of the draft, counted from 0. */
export function problemAt(
  place: { source: ts.SourceFile; position: number },
  problem: PlainProblem,
): DraftProblem {
  const { line, character } = place.source.getLineAndCharacterOfPosition(place.position);
  return { ...problem, line: line + 1, column: character + 1 };
}

/** A problem at a node of the draft, not counting its comment. */
export function problemAtNode(node: ts.Node, problem: PlainProblem): DraftProblem {
  const source = node.getSourceFile();
  return problemAt({ source, position: node.getStart(source) }, problem);
}
