import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** What the type check needs to know about a tool. */
export interface CheckedFunction {
  /** Its name in the program. */
  name: string;
  parameters: JsonSchema;
  returns?: JsonSchema;
}

/** A program opened by TypeScript. */
export interface OpenedProgram {
  program: ts.Program;
  checker: ts.TypeChecker;
  source: ts.SourceFile;
}

/** A problem found by TypeScript, with its context. */
export interface FoundProblem extends OpenedProgram {
  found: ts.Diagnostic;
  known: ReadonlyMap<string, CheckedFunction>;
}

/** The innermost node at a position. */
export function nodeAt(source: ts.SourceFile, position: number): ts.Node {
  let node: ts.Node = source;
  for (let inner: ts.Node | undefined = node; inner; inner = within(node, source, position)) {
    node = inner;
  }
  return node;
}

function within(node: ts.Node, source: ts.SourceFile, position: number): ts.Node | undefined {
  return ts.forEachChild(node, (child) =>
    child.getStart(source) <= position && position < child.end ? child : undefined,
  );
}
