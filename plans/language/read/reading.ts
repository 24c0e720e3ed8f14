import ts from "typescript";
import { DEEPEST_PROGRAM, clipped, counted } from "../../../common/bounds.js";
import type { Expression, ProgramCall, ProgramIssue, Statement } from "../program.js";
import type { Scope } from "./names.js";

/** State of reading a program: findings so far, and the reader's position. */
export interface ProgramReading {
  source: ts.SourceFile;
  /** Parameters of the offered functions by name, in order; undefined if unknown. */
  functions: ReadonlyMap<string, readonly string[]> | undefined;
  /** Names of the groups of functions. */
  groups: ReadonlySet<string>;
  calls: ProgramCall[];
  /** Number of calls and controls so far. */
  sites: number;
  issues: ProgramIssue[];
  repairs: string[];
  /** The program's logs, and whether they call something. */
  logged: Map<Statement, { hasCalls: boolean }>;
  scope: Scope;
  depth: number;
  /** What `return` and `continue` belong to. */
  within: Within;
}

export interface Within {
  /** `item`: a `forEach`, whose `return` continues with the next item. */
  body: "program" | "function" | "item";
  /** Whether there is an enclosing loop in that body. */
  isLoop: boolean;
}

/** Reports a refusal and returns a placeholder, so that reading continues and finds all issues. */
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

/** A piece of code for a message. */
export function quoted(node: ts.Node, { source }: ProgramReading): string {
  const [line = ""] = node.getText(source).split("\n", 1);
  return `"${clipped(line.trim(), LONGEST_QUOTE)}"`;
}

const LONGEST_QUOTE = 60;

/** Notes that something was read differently from what the code says. */
export function repaired(options: {
  node: ts.Node;
  repair: string;
  reading: ProgramReading;
}): void {
  const { node, repair, reading } = options;
  reading.repairs.push(`line ${lineOf(node, reading)}: ${repair}`);
}

/** Reads something nested, or nothing if it is too deep. */
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

/** The expression without `await`, brackets and types, which do not change its value. */
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
