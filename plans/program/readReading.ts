import ts from "typescript";
import { DEEPEST_PROGRAM, clipped, counted } from "../../common/bounds.js";
import type { Expression, ProgramCall, ProgramIssue, Statement } from "./program.js";
import type { Scope } from "./readNames.js";

/** A program that is being read: what was found so far, and where in it the reader stands. */
export interface ProgramReading {
  source: ts.SourceFile;
  /** Parameters of the functions on offer by name, in their order; undefined where they are not known. */
  functions: ReadonlyMap<string, readonly string[]> | undefined;
  calls: ProgramCall[];
  /** Places of calls and controls so far. */
  sites: number;
  issues: ProgramIssue[];
  repairs: string[];
  /** Logs of the program itself, with whether they call something. */
  logged: Map<Statement, { hasCalls: boolean }>;
  scope: Scope;
  depth: number;
  /** What `return` and `continue` belong to. */
  within: Within;
}

export interface Within {
  /** `item`: a `forEach`, whose `return` goes on with the next item. */
  body: "program" | "function" | "item";
  /** Whether a loop stands around, inside of that body. */
  isLoop: boolean;
}

/** What is read where something was refused: reading goes on, so that all issues are told at once. */
export function refuse(options: {
  node: ts.Node;
  kind: ProgramIssue["kind"];
  problem: string;
  reading: ProgramReading;
}): Expression {
  const { node, kind, problem, reading } = options;
  const line = lineOf(node, reading);
  const isKnown = reading.issues.some((one) => one.line === line && one.problem === problem);
  if (!isKnown) reading.issues.push({ line, kind, problem });
  return { line, kind: "literal", value: undefined };
}

/** The line of a piece of code, from 1. */
export function lineOf(node: ts.Node, { source }: ProgramReading): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** A piece of code as a message shows it. */
export function quoted(node: ts.Node, { source }: ProgramReading): string {
  const [line = ""] = node.getText(source).split("\n", 1);
  return `"${clipped(line.trim(), LONGEST_QUOTE)}"`;
}

const LONGEST_QUOTE = 60;

/** Notes how something was read that is not quite what the code says. */
export function repaired(options: {
  node: ts.Node;
  repair: string;
  reading: ProgramReading;
}): void {
  const { node, repair, reading } = options;
  reading.repairs.push(`line ${lineOf(node, reading)}: ${repair}`);
}

/** Reads what stands inside of something, or nothing where that is too deep. */
export function deeper<Read>(options: {
  node: ts.Node;
  reading: ProgramReading;
  read: () => Read;
  tooDeep: (refused: Expression) => Read;
}): Read {
  const { node, reading, read, tooDeep } = options;
  if (reading.depth >= DEEPEST_PROGRAM) {
    const problem = `the code is nested more than ${counted(DEEPEST_PROGRAM)} levels deep; give parts of it to constants`;
    return tooDeep(refuse({ node, kind: "bound", problem, reading }));
  }
  reading.depth += 1;
  const found = read();
  reading.depth -= 1;
  return found;
}

/** Reads a body that `return` and `continue` belong to. */
export function reads<Read>(reading: ProgramReading, within: Within, read: () => Read): Read {
  const around = reading.within;
  reading.within = within;
  const found = read();
  reading.within = around;
  return found;
}

/** The expression without what changes nothing about its value: `await`, brackets, types. */
export function bareExpression(node: ts.Expression): ts.Expression {
  let bare = node;
  while (
    ts.isParenthesizedExpression(bare) ||
    ts.isAwaitExpression(bare) ||
    ts.isAsExpression(bare) ||
    ts.isTypeAssertionExpression(bare) ||
    ts.isSatisfiesExpression(bare) ||
    ts.isNonNullExpression(bare) ||
    ts.isExpressionWithTypeArguments(bare)
  ) {
    bare = bare.expression;
  }
  return bare;
}
