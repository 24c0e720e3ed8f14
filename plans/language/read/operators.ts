import ts from "typescript";
import { BINARY_OPERATORS, type Expression, LOGIC_OPERATORS } from "../program.js";
import { readAssignment, readCount } from "./assignments.js";
import { readExpression } from "./expressions.js";
import { bareExpression, lineOf, notInLanguage, type ProgramReading } from "./reading.js";

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
