import ts from "typescript";
import {
  ARITHMETIC_OPERATORS,
  type Expression,
  LOGIC_OPERATORS,
  type Pattern,
  type Target,
  BINARY_OPERATORS,
} from "../program.js";
import { readExpression } from "./expressions.js";
import { localNamed, readName, readWhole, refuseProperty } from "./names.js";
import {
  lineOf,
  notInLanguage,
  type ProgramReading,
  refuse,
  typedExpression,
  bareExpression,
} from "./reading.js";
import { NO_PROPERTIES } from "../language.js";

/** An assignment, plain or with an operator; undefined for other operators. */
export function readAssignment(
  node: ts.BinaryExpression,
  reading: ProgramReading,
): Expression | undefined {
  const written = ts.tokenToString(node.operatorToken.kind);
  const operator = [...ARITHMETIC_OPERATORS, ...LOGIC_OPERATORS].find(
    (one) => `${one}=` === written,
  );
  if (written !== "=" && !operator) return undefined;
  const line = lineOf(node, reading);
  const to = operator
    ? targetPattern(readTarget(node.left, reading))
    : readAssigned(node.left, reading);
  return { line, kind: "assign", to, operator, value: readExpression(node.right, reading) };
}

function targetPattern(target: Target): Pattern {
  return target.kind === "name" ? { kind: "name", name: target.name } : { kind: "target", target };
}

/** What is assigned to: one target, or a pattern of them. */
export function readAssigned(given: ts.Expression, reading: ProgramReading): Pattern {
  const node = typedExpression(given);
  if (!ts.isArrayLiteralExpression(node) && !ts.isObjectLiteralExpression(node))
    return targetPattern(readTarget(node, reading));
  return readWhole(node, (to) => readAssigned(to as ts.Expression, reading), reading);
}

/** A name, a field or an item. */
function readTarget(given: ts.Expression, reading: ProgramReading): Target {
  const node = typedExpression(given);
  const line = lineOf(node, reading);
  if (ts.isIdentifier(node)) return { line, kind: "name", name: assignedName(node, reading) };
  const isField = ts.isPropertyAccessExpression(node) && !ts.isPrivateIdentifier(node.name);
  if (isField && NO_PROPERTIES.has(node.name.text)) refuseProperty(node.name, reading);
  if (isField || ts.isElementAccessExpression(node)) {
    const read = readExpression(node, reading);
    if (read.kind === "field" || read.kind === "item") return read;
  }
  notInLanguage(node, reading, "assign to a name, a field or an item");
  return { line, kind: "name", name: "" };
}

/** The name in an assignment, which must exist and not be a constant. */
function assignedName(node: ts.Identifier, reading: ProgramReading): string {
  const { text: name } = node;
  const local = localNamed(name, reading);
  if (!local) {
    const problem = `"${name}" is not declared; write let ${name} = …`;
    refuse(node, "unknown", problem, reading);
  } else if (local.kind === "const") {
    const problem = `"${name}" is a const of line ${local.line}; declare it with let`;
    refuse(node, "language", problem, reading);
  } else if (!local.isDeclared) readName(node, reading);
  else {
    delete local.holds;
    delete local.keys;
  }
  return name;
}

/** `x++` and `--x`; undefined for other operators. */
function readCount(
  node: ts.PostfixUnaryExpression | ts.PrefixUnaryExpression,
  reading: ProgramReading,
): Expression | undefined {
  const { operator } = node;
  const isUp = operator === ts.SyntaxKind.PlusPlusToken;
  if (!isUp && operator !== ts.SyntaxKind.MinusMinusToken) return undefined;
  const to = readTarget(node.operand, reading);
  const isBefore = ts.isPrefixUnaryExpression(node);
  return { line: lineOf(node, reading), kind: "count", to, by: isUp ? 1 : -1, isBefore };
}

type Unary =
  | ts.PrefixUnaryExpression
  | ts.PostfixUnaryExpression
  | ts.TypeOfExpression
  | ts.VoidExpression
  | ts.DeleteExpression;

export function isUnary(node: ts.Expression): node is Unary {
  return (
    ts.isPrefixUnaryExpression(node) ||
    ts.isPostfixUnaryExpression(node) ||
    ts.isTypeOfExpression(node) ||
    ts.isVoidExpression(node) ||
    ts.isDeleteExpression(node)
  );
}

/** An operator on one value: `!open`, `-5`, `typeof value`, `n++`. */
export function readUnary(node: Unary, reading: ProgramReading): Expression {
  const line = lineOf(node, reading);
  if (ts.isTypeOfExpression(node) || ts.isVoidExpression(node)) {
    const operator = ts.isVoidExpression(node) ? "void" : "typeof";
    return { line, kind: "unary", operator, value: readExpression(node.expression, reading) };
  }
  if (ts.isDeleteExpression(node)) {
    const from = readExpression(node.expression, reading);
    if (from.kind === "field" || from.kind === "item") return { line, kind: "delete", from };
    return notInLanguage(node, reading, "delete a field: delete record.key");
  }
  const counted = readCount(node, reading);
  if (counted) return counted;
  const operator = (["!", "-", "+", "~"] as const).find(
    (one) => one === ts.tokenToString(node.operator),
  );
  if (!operator) return notInLanguage(node, reading);
  return { line, kind: "unary", operator, value: readExpression(node.operand, reading) };
}

export function readBinary(node: ts.BinaryExpression, reading: ProgramReading): Expression {
  const { kind } = node.operatorToken;
  const line = lineOf(node, reading);
  const sides = (): { left: Expression; right: Expression } => ({
    left: readExpression(node.left, reading),
    right: readExpression(node.right, reading),
  });
  const binary = BINARY_OPERATORS.find((one) => one === ts.tokenToString(kind));
  if (binary) return { line, kind: "binary", operator: binary, ...sides() };
  const logic = LOGIC_OPERATORS.find((one) => one === ts.tokenToString(kind));
  if (logic) return { line, kind: "logic", operator: logic, ...sides() };
  return readOtherBinary(node, reading);
}

function readOtherBinary(node: ts.BinaryExpression, reading: ProgramReading): Expression {
  const { kind } = node.operatorToken;
  const line = lineOf(node, reading);
  if (kind === ts.SyntaxKind.CommaToken) {
    const values = [node.left, node.right].map((value) => readExpression(value, reading));
    return { line, kind: "sequence", values };
  }
  const right = bareExpression(node.right);
  const isClass = kind === ts.SyntaxKind.InstanceOfKeyword && ts.isIdentifier(right);
  if (!isClass) return readAssignment(node, reading) ?? notInLanguage(node, reading);
  return { line, kind: "instance", value: readExpression(node.left, reading), of: right.text };
}
