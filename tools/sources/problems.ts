import type ts from "typescript";
import { type SourceProblem, type ToolDefinition, nameInSource } from "../tool.js";

/** The `exportName` of a problem with the whole file. */
export const WHOLE_FILE = "*";

/** A problem at a place in a source file; `position` counts characters from its start. */
export function problemAt(
  source: ts.SourceFile,
  position: number,
  found: Pick<SourceProblem, "exportName" | "problem">,
): SourceProblem {
  const { line } = source.getLineAndCharacterOfPosition(position);
  return { file: source.fileName, line: line + 1, ...found };
}

/** A problem at the first line of a node, not counting its comment. */
export function problemAtNode(node: ts.Node, exportName: string, problem: string): SourceProblem {
  const source = node.getSourceFile();
  return problemAt(source, node.getStart(source), { exportName, problem });
}

/** The problem of an export whose tool name is taken. */
export function sameName(name: string, other: ToolDefinition): string {
  return `a tool named "${name}" is already exported as "${nameInSource(other)}"; rename one of them`;
}

/** Whether a file declares tools as data instead of in a program. */
export function holdsDeclarations(file: string): boolean {
  return /\.(?:jsonl?|ndjson)$/i.test(file);
}
