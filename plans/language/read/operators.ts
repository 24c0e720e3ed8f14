import ts from "typescript";
import { BINARY_OPERATORS, type Expression, LOGIC_OPERATORS } from "../program.js";
import { readExpression } from "./expressions.js";
import { localNamed } from "./names.js";
import {
  type ProgramReading,
  bareExpression,
  lineOf,
  ASSIGN_ALONE,
  notInLanguage,
} from "./reading.js";

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
  const operator = (["!", "-", "+"] as const).find(
    (one) => one === ts.tokenToString(node.operator),
  );
  if (operator) {
    return { line, kind: "unary", operator, value: readExpression(node.operand, reading) };
  }
  const isBits = node.operator === ts.SyntaxKind.TildeToken;
  return notInLanguage(node, reading, isBits ? NO_BITS : ASSIGN_ALONE);
}

const NO_BITS = "write Math.trunc(value), or arithmetic";

/** An operator on two values. */
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
  if (kind === ts.SyntaxKind.InstanceOfKeyword) return readInstance(node, reading);
  if (kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment)
    return notInLanguage(node, reading, ASSIGN_ALONE);
  const isComma = kind === ts.SyntaxKind.CommaToken;
  return notInLanguage(node, reading, isComma ? "write each on a line of its own" : NO_BITS);
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
