import ts from "typescript";
import {
  ARITHMETIC_OPERATORS,
  type Expression,
  LOGIC_OPERATORS,
  type Spread,
  type Statement,
} from "../program.js";
import { readStop } from "./calls.js";
import { readExpression, readListed } from "./expressions.js";
import { readForEach } from "./functions.js";
import { localNamed, readName } from "./names.js";
import {
  type ProgramReading,
  bareExpression,
  lineOf,
  refuse,
  repaired,
  ASSIGN_ALONE,
  notInLanguage,
} from "./reading.js";

/** An expression used as a statement: an assignment, a change of a list, or a call. */
export function readAction(node: ts.Expression, reading: ProgramReading): Statement[] {
  const bare = bareExpression(node);
  const line = lineOf(bare, reading);
  if (ts.isVoidExpression(bare)) return readAction(bare.expression, reading);
  if (ts.isBinaryExpression(bare)) {
    const assigned = readAssignment(bare, reading);
    if (assigned) return assigned;
  }
  if (ts.isPostfixUnaryExpression(bare) || ts.isPrefixUnaryExpression(bare)) {
    const counted = readCounted(bare, reading);
    if (counted) return counted;
  }
  if (ts.isCallExpression(bare)) {
    const read =
      readStop(bare, reading) ??
      readForEach(bare, reading) ??
      readChange(bare, reading) ??
      readLogged(bare, reading);
    if (read) return read;
  }
  return [{ line, kind: "do", value: readExpression(bare, reading) }];
}

function readAssignment(
  node: ts.BinaryExpression,
  reading: ProgramReading,
): Statement[] | undefined {
  const { kind } = node.operatorToken;
  const isPlain = kind === ts.SyntaxKind.EqualsToken;
  const binary = ARITHMETIC_OPERATORS.find((one) => `${one}=` === ts.tokenToString(kind));
  const logic = LOGIC_OPERATORS.find((one) => `${one}=` === ts.tokenToString(kind));
  if (!isPlain && !binary && !logic) return undefined;
  const target = bareExpression(node.left);
  if (!ts.isIdentifier(target)) {
    notInLanguage(node, reading, insteadOfTarget(target));
    return [];
  }
  const line = lineOf(node, reading);
  const name = assignedName(target, reading);
  const right = readExpression(node.right, reading);
  const left: Expression = { line, kind: "name", name };
  if (binary) {
    const value: Expression = { line, kind: "binary", operator: binary, left, right };
    return [{ line, kind: "assign", name, value }];
  }
  if (!logic) return [{ line, kind: "assign", name, value: right }];
  return [
    { line, kind: "assign", name, value: { line, kind: "logic", operator: logic, left, right } },
  ];
}

function insteadOfTarget(target: ts.Expression): string {
  if (!ts.isElementAccessExpression(target)) return ASSIGN_ALONE;
  return "make a new object: x = { ...x, [key]: value }; items are grouped by groupBy(list, (item) => key), which gives a list of { key, items }";
}

/** The target of an assignment, which must exist and not be a constant. */
function assignedName(node: ts.Identifier, reading: ProgramReading): string {
  const { text: name } = node;
  const local = localNamed(name, reading);
  if (!local) {
    const problem = `"${name}" is not declared; write let ${name} = …`;
    refuse(node, "unknown", problem, reading);
  } else if (!local.isDeclared) readName(node, reading);
  else if (local.kind === "const") {
    const problem = `"${name}" is a const of line ${local.line}; declare it with let`;
    refuse(node, "language", problem, reading);
  } else {
    delete local.holds;
    delete local.keys;
  }
  return name;
}

function readCounted(
  node: ts.PostfixUnaryExpression | ts.PrefixUnaryExpression,
  reading: ProgramReading,
): Statement[] | undefined {
  const { operator } = node;
  const isUp = operator === ts.SyntaxKind.PlusPlusToken;
  if (!isUp && operator !== ts.SyntaxKind.MinusMinusToken) return undefined;
  const target = bareExpression(node.operand);
  if (!ts.isIdentifier(target)) {
    notInLanguage(node, reading, insteadOfTarget(target));
    return [];
  }
  const line = lineOf(node, reading);
  const name = assignedName(target, reading);
  const left: Expression = { line, kind: "name", name };
  const right: Expression = { line, kind: "literal", value: 1 };
  const value: Expression = { line, kind: "binary", operator: isUp ? "+" : "-", left, right };
  return [{ line, kind: "assign", name, value }];
}

/**
 * A change of a list (`push` and the like): the name gets a new list, even if it is a constant, because that is
 * what is meant.
 */
function readChange(node: ts.CallExpression, reading: ProgramReading): Statement[] | undefined {
  const called = bareExpression(node.expression);
  if (!ts.isPropertyAccessExpression(called)) return undefined;
  const target = bareExpression(called.expression);
  const { text: method } = called.name;
  if (!CHANGING.has(method)) return undefined;
  if (!ts.isIdentifier(target)) {
    const instead =
      method === "push" || method === "unshift"
        ? "collect in a list of its own: names.push(value); items are grouped by groupBy(list, (item) => key), which gives a list of { key, items }"
        : `give the new list a name: const ordered = list.${method}(…)`;
    notInLanguage(node, reading, instead);
    return [];
  }
  const line = lineOf(node, reading);
  const list = readName(target, reading);
  if (method === "sort" || method === "reverse") {
    repaired(node, `${method} changes ${target.text}`, reading);
    return [{ line, kind: "assign", name: target.text, value: readExpression(node, reading) }];
  }
  const added = node.arguments.map((item) => readListed(item, reading));
  const before: Spread = { spread: list };
  const items = method === "push" ? [before, ...added] : [...added, before];
  return [{ line, kind: "assign", name: target.text, value: { line, kind: "list", items } }];
}

const CHANGING = new Set(["push", "unshift", "sort", "reverse"]);

/** `console.log(value)`: ignored, unless the program ends with it. */
function readLogged(node: ts.CallExpression, reading: ProgramReading): Statement[] | undefined {
  const called = bareExpression(node.expression);
  if (!ts.isPropertyAccessExpression(called)) return undefined;
  const of = bareExpression(called.expression);
  const isLog = ts.isIdentifier(of) && of.text === "console" && !localNamed("console", reading);
  if (!isLog) return undefined;
  const line = lineOf(node, reading);
  const before = reading.sites;
  const shown = node.arguments.map((argument) => readExpression(argument, reading));
  const [only] = shown;
  const value: Expression =
    shown.length === 1 && only ? only : { line, kind: "template", parts: joined(shown) };
  const logged: Statement = { line, kind: "do", value };
  const hasCalls = reading.sites > before;
  if (reading.within.body !== "program") return hasCalls ? [logged] : [];
  reading.logged.set(logged, { hasCalls });
  return [logged];
}

function joined(values: Expression[]): (Expression | string)[] {
  return values.flatMap((value, at) => (at === 0 ? [value] : [" ", value]));
}
