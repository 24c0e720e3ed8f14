import ts from "typescript";
import type { BinaryOperator, Expression, LogicOperator, UnaryOperator } from "../program.js";
import { readExpression } from "./expressions.js";
import { localNamed } from "./names.js";
import {
  type ProgramReading,
  bareExpression,
  lineOf,
  ASSIGN_ALONE,
  notInLanguage,
} from "./reading.js";

const UNARY: ReadonlyMap<ts.SyntaxKind, UnaryOperator> = new Map([
  [ts.SyntaxKind.ExclamationToken, "!"],
  [ts.SyntaxKind.MinusToken, "-"],
  [ts.SyntaxKind.PlusToken, "+"],
]);

/** An operator on one value: `!open`, `-5`, `typeof value`. */
export function readUnary(
  node: ts.PrefixUnaryExpression | ts.TypeOfExpression,
  reading: ProgramReading,
): Expression {
  const line = lineOf(node, reading);
  if (ts.isTypeOfExpression(node)) {
    const value = readExpression(node.expression, reading);
    return { line, kind: "unary", operator: "typeof", value };
  }
  const operator = UNARY.get(node.operator);
  if (operator) {
    return { line, kind: "unary", operator, value: readExpression(node.operand, reading) };
  }
  const isBits = node.operator === ts.SyntaxKind.TildeToken;
  return notInLanguage(node, reading, isBits ? NO_BITS : ASSIGN_ALONE);
}

const NO_BITS = "write Math.trunc(value), or arithmetic";

const BINARY: ReadonlyMap<ts.SyntaxKind, BinaryOperator> = new Map([
  [ts.SyntaxKind.PlusToken, "+"],
  [ts.SyntaxKind.MinusToken, "-"],
  [ts.SyntaxKind.AsteriskToken, "*"],
  [ts.SyntaxKind.SlashToken, "/"],
  [ts.SyntaxKind.PercentToken, "%"],
  [ts.SyntaxKind.AsteriskAsteriskToken, "**"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "==="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.EqualsEqualsToken, "=="],
  [ts.SyntaxKind.ExclamationEqualsToken, "!="],
  [ts.SyntaxKind.LessThanToken, "<"],
  [ts.SyntaxKind.LessThanEqualsToken, "<="],
  [ts.SyntaxKind.GreaterThanToken, ">"],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">="],
  [ts.SyntaxKind.InKeyword, "in"],
]);

const LOGIC: ReadonlyMap<ts.SyntaxKind, LogicOperator> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, "&&"],
  [ts.SyntaxKind.BarBarToken, "||"],
  [ts.SyntaxKind.QuestionQuestionToken, "??"],
]);

/** An operator on two values. */
export function readBinary(node: ts.BinaryExpression, reading: ProgramReading): Expression {
  const { kind } = node.operatorToken;
  const line = lineOf(node, reading);
  const sides = (): { left: Expression; right: Expression } => ({
    left: readExpression(node.left, reading),
    right: readExpression(node.right, reading),
  });
  const binary = BINARY.get(kind);
  if (binary) return { line, kind: "binary", operator: binary, ...sides() };
  const logic = LOGIC.get(kind);
  if (logic) return { line, kind: "logic", operator: logic, ...sides() };
  return readOtherBinary(node, reading);
}

function readOtherBinary(node: ts.BinaryExpression, reading: ProgramReading): Expression {
  const { kind } = node.operatorToken;
  if (kind === ts.SyntaxKind.InstanceOfKeyword) return readInstance(node, reading);
  if (isAssignment(kind)) return notInLanguage(node, reading, ASSIGN_ALONE);
  const isComma = kind === ts.SyntaxKind.CommaToken;
  return notInLanguage(node, reading, isComma ? "write each on a line of its own" : NO_BITS);
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** A caught value is an error of any class the code asks for. */
function readInstance(node: ts.BinaryExpression, reading: ProgramReading): Expression {
  const [left, right] = [bareExpression(node.left), bareExpression(node.right)];
  const isError =
    ts.isIdentifier(left) &&
    localNamed(left.text, reading)?.holds === "error" &&
    ts.isIdentifier(right) &&
    right.text.endsWith("Error");
  if (isError) return { line: lineOf(node, reading), kind: "literal", value: true };
  return notInLanguage(node, reading, "write typeof value, or key in value");
}
