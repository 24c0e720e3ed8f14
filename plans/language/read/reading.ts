import ts from "typescript";
import { DEEPEST_PROGRAM } from "../../../common/bounds.js";
import { clipped, counted } from "../../../common/text.js";
import type { Expression, ProgramCall, ProgramIssue } from "../program.js";
import type { Scope } from "./names.js";

/** State of reading a program: findings so far, and the reader's position. */
export interface ProgramReading {
  source: ts.SourceFile;
  /** Parameters of the offered functions by name, in order; undefined if unknown. */
  functions: ReadonlyMap<string, readonly string[]> | undefined;
  groups: ReadonlySet<string>;
  calls: ProgramCall[];
  /** Number of calls of tools and controls so far. */
  sites: number;
  /** Number of other calls so far. */
  turns: number;
  /** Keys under which the program may put functions into its objects. */
  ownKeys: ReadonlySet<string>;
  issues: ProgramIssue[];
  repairs: string[];
  /** Whether the program logs something, which may be its answer. */
  isLogging: boolean;
  scope: Scope;
  depth: number;
  /** What `return` and `continue` belong to. */
  within: Within;
}

interface Within {
  body: "program" | "function";
  /** Whether there is an enclosing loop, and an enclosing `switch`, in that body. */
  isLoop: boolean;
  isSwitch: boolean;
  /** Labels of the loops and blocks around it. */
  labels: readonly string[];
}

/** Reports a refusal and returns a placeholder, so that reading continues and finds all issues. */
export function refuse(
  node: ts.Node,
  kind: ProgramIssue["kind"],
  problem: string,
  reading: ProgramReading,
): Expression {
  const line = lineOf(node, reading);
  const isKnown = reading.issues.some((one) => one.line === line && one.problem === problem);
  if (!isKnown) reading.issues.push({ line, kind, problem });
  return { line, kind: "literal", value: undefined };
}

export function lineOf(node: ts.Node, { source }: ProgramReading): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

export function quoted(node: ts.Node, { source }: ProgramReading): string {
  const [line = ""] = node.getText(source).split("\n", 1);
  return `"${clipped(line.trim(), LONGEST_QUOTE)}"`;
}

const LONGEST_QUOTE = 60;

/** Notes that something was read differently from what the code says. */
export function repaired(node: ts.Node, repair: string, reading: ProgramReading): void {
  reading.repairs.push(`line ${lineOf(node, reading)}: ${repair}`);
}

/** Reads something nested, or nothing if it is too deep. */
export function deeper<Read>(
  node: ts.Node,
  reading: ProgramReading,
  read: () => Read,
  tooDeep: (refused: Expression) => Read,
): Read {
  if (reading.depth >= DEEPEST_PROGRAM) {
    const problem = `the code is nested more than ${counted(DEEPEST_PROGRAM)} levels deep; give parts of it to constants`;
    return tooDeep(refuse(node, "bound", problem, reading));
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
  let bare = typedExpression(node);
  while (ts.isAwaitExpression(bare)) bare = typedExpression(bare.expression);
  return bare;
}

/** The expression without brackets and types. */
export function typedExpression(node: ts.Expression): ts.Expression {
  let bare = node;
  while (
    ts.isParenthesizedExpression(bare) ||
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

/** Reports something outside the language, with an alternative. */
export function notInLanguage(
  node: ts.Node,
  reading: ProgramReading,
  instead = INSTEAD.get(node.kind) ?? OTHERWISE,
): Expression {
  const problem = `${quoted(node, reading)} is not in the language; ${instead}`;
  return refuse(node, "language", problem, reading);
}

const OTHERWISE =
  "write plain statements and expressions, calls of the declared functions, and return";

const PLAIN = "write functions and plain objects: const make = (x) => ({ x })";

const LISTS = "fill a list and return it: items.push(value)";

const INSTEAD: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.ClassDeclaration, PLAIN],
  [ts.SyntaxKind.ClassExpression, PLAIN],
  [ts.SyntaxKind.ThisKeyword, "name the value: const counter = { n: 0 }; counter.n += 1"],
  [ts.SyntaxKind.SuperKeyword, PLAIN],
  [ts.SyntaxKind.YieldExpression, LISTS],
  [ts.SyntaxKind.GetAccessor, "write a function: total: () => …"],
  [ts.SyntaxKind.SetAccessor, "write a function: set: (value) => …"],
  [ts.SyntaxKind.NewExpression, `${PLAIN}; there are new Date, Map, Set, Array, RegExp and Error`],
  [ts.SyntaxKind.TaggedTemplateExpression, "write a template string without a tag"],
  [ts.SyntaxKind.ModuleDeclaration, "write its lines themselves"],
  [ts.SyntaxKind.ExportDeclaration, "return the value"],
  [ts.SyntaxKind.ExportAssignment, "return the value"],
]);

export const GENERATOR = LISTS;

export const INSTEAD_OF_METHOD: ReadonlyMap<string, string> = new Map([
  ["call", "call the function itself"],
  ["apply", "call the function itself: f(...args)"],
  ["bind", "write (x) => f(x)"],
  ["next", "write for (const item of list), or [...list][0]"],
]);

/** Alternatives for missing members of built-ins: `Promise.race`, `Math.random`. */
export const INSTEAD_OF_MEMBER: ReadonlyMap<string, string> = new Map([
  ["Math.random", "a plan has no chance; take the first of a list, or what the request says"],
  ["Promise", "await the call itself; a program cannot wait for a time"],
  ["URL", 'take the text apart: url.split("/")'],
  ["URLSearchParams", "write `q=${encodeURIComponent(q)}`"],
  ["Symbol", "write for (const item of list), or [...list]"],
  ["TextEncoder", "texts have methods of their own"],
  ["TextDecoder", "texts have methods of their own"],
  ["process.exit", "write return, or stop(`why`)"],
  ["setTimeout", "leave it out; a program cannot wait for a time"],
  ["Promise.race", "write Promise.all, or one call after the other"],
  ["Promise.any", "write try { … } catch (error) { … } for each"],
]);

/** Functions and objects of a host, for which no tool is searched. */
export const HOST: ReadonlySet<string> = new Set(
  "eval Function require process globalThis window self global document console module exports fetch XMLHttpRequest WebSocket Worker setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask Symbol Proxy Reflect WeakMap WeakSet WeakRef Map Set Promise BigInt Object Math JSON Date Intl Atomics SharedArrayBuffer ArrayBuffer WebAssembly Buffer Deno Bun alert prompt confirm print escape unescape arguments super".split(
    " ",
  ),
);
