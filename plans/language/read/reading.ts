import ts from "typescript";
import { DEEPEST_PROGRAM } from "../../../common/bounds.js";
import { clipped, counted } from "../../../common/text.js";
import type { Expression, ProgramCall, ProgramIssue, Statement } from "../program.js";
import type { Scope } from "./names.js";

/** State of reading a program: findings so far, and the reader's position. */
export interface ProgramReading {
  source: ts.SourceFile;
  /** Parameters of the offered functions by name, in order; undefined if unknown. */
  functions: ReadonlyMap<string, readonly string[]> | undefined;
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

interface Within {
  /** `item`: a `forEach`, whose `return` continues with the next item. */
  body: "program" | "function" | "item";
  /** Whether there is an enclosing loop in that body. */
  isLoop: boolean;
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
  "write const and let, if, for … of, try, calls of the declared functions, and return";

const LOOP =
  "write for (const item of list), or for (const i of Array.from({ length: n }, (_, i) => i))";

export const ASSIGN_ALONE =
  "assign on a line of its own, to a name alone; of an object make a new one: x = { ...x, key: value }";

const FUNCTION =
  "write the function where it is used, as in list.filter((item) => item.open), or its lines themselves";

const INSTEAD: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.WhileStatement, LOOP],
  [ts.SyntaxKind.DoStatement, LOOP],
  [ts.SyntaxKind.ForStatement, LOOP],
  [ts.SyntaxKind.SwitchStatement, "write if … else if"],
  [ts.SyntaxKind.LabeledStatement, "write break or continue without a label"],
  [ts.SyntaxKind.FunctionDeclaration, FUNCTION],
  [ts.SyntaxKind.FunctionExpression, FUNCTION],
  [ts.SyntaxKind.ArrowFunction, FUNCTION],
  [ts.SyntaxKind.ClassDeclaration, "write plain objects: { key: value }"],
  [
    ts.SyntaxKind.NewExpression,
    "write plain objects and lists; of classes there is new Date(text) alone, and [...new Set(list)]",
  ],
  [
    ts.SyntaxKind.RegularExpressionLiteral,
    'write methods of texts such as includes("…"), startsWith("…"), split("…") or replaceAll("…", "…")',
  ],
  [ts.SyntaxKind.DeleteExpression, "write const { key, ...rest } = value"],
  [ts.SyntaxKind.PostfixUnaryExpression, ASSIGN_ALONE],
]);

export const INSTEAD_OF_METHOD: ReadonlyMap<string, string> = new Map([
  ["forEach", "write for (const item of list) { … }"],
  ["entries", "write for (const [i, item] of list.entries()), or list.map((item, i) => …)"],
  ["keys", "write list.map((_, i) => i), or Object.keys(value)"],
  ["values", "write the list itself, or Object.values(value)"],
  [
    "push",
    "write it on a line of its own: names.push(value), where names was declared with let or const",
  ],
  ["pop", "write list.at(-1) and list.slice(0, -1)"],
  ["has", "write list.includes(value), or key in value"],
  ["match", 'write text.includes("…") or text.split("…")'],
  ["test", 'write text.includes("…")'],
  ["then", "write const value = await …, and go on with it"],
  ["catch", "write try { … } catch (error) { … }"],
  ["toLocaleDateString", "write date.toISOString().slice(0, 10)"],
  ["setDate", "write addDays(date, days)"],
]);

/** Alternatives for missing members of built-ins: `Promise.race`, `Math.random`. */
export const INSTEAD_OF_MEMBER: ReadonlyMap<string, string> = new Map([
  ["Math.random", "a plan has no chance; take the first of a list, or what the request says"],
  ["Object.assign", "write { ...one, ...other }"],
  ["Object.groupBy", "write groupBy(list, (item) => key), which gives a list of { key, items }"],
  ["Promise.allSettled", "write for (const item of list) { try { … } catch (error) { … } }"],
  ["JSON.parse", "use the result as it is: functions give values"],
]);

/** Functions and objects of a host, for which no tool is searched. */
export const HOST: ReadonlySet<string> = new Set(
  "eval Function require process globalThis window self global document console module exports fetch XMLHttpRequest WebSocket Worker setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask structuredClone Symbol Proxy Reflect WeakMap WeakSet WeakRef Map Set Promise RegExp Error TypeError BigInt Object Array Math JSON Date Intl Atomics SharedArrayBuffer ArrayBuffer WebAssembly Buffer Deno Bun alert prompt confirm print escape unescape encodeURIComponent decodeURIComponent encodeURI decodeURI atob btoa arguments super".split(
    " ",
  ),
);
