import ts from "typescript";
import { CONSTANTS, ENDLESS, NO_PROPERTIES } from "../language.js";
import type { At, Expression, Spread } from "../program.js";
import { isMade, readCall, readMade } from "./calls.js";
import { readFunction, readNamedFunction } from "./functions.js";
import { isFunctionNode, localNamed, readName, refuseProperty } from "./names.js";
import {
  type ProgramReading,
  bareExpression,
  deeper,
  lineOf,
  quoted,
  refuse,
  INSTEAD_OF_MEMBER,
  notInLanguage,
  typedExpression,
} from "./reading.js";
import { isUnary, readBinary, readUnary } from "./assignments.js";

/** Reads an expression; what is not in the language is reported and read as nothing. */
export function readExpression(node: ts.Expression, reading: ProgramReading): Expression {
  const bare = typedExpression(node);
  return deeper(
    bare,
    reading,
    () => (ts.isAwaitExpression(bare) ? readAwait(bare, reading) : readBare(bare, reading)),
    (refused) => refused,
  );
}

/** A call of a tool is waited for in any case, because most programs need its result at once. */
function readAwait(node: ts.AwaitExpression, reading: ProgramReading): Expression {
  const value = readExpression(node.expression, reading);
  const mayFail = ["name", "item", "field", "call", "choose", "logic"].includes(value.kind);
  return mayFail ? { line: lineOf(node, reading), kind: "await", value } : value;
}

function readBare(node: ts.Expression, reading: ProgramReading): Expression {
  const literal = literalOf(node);
  if (literal) return { line: lineOf(node, reading), kind: "literal", ...literal };
  if (ts.isNumericLiteral(node)) return readNumber(node, reading);
  if (ts.isBigIntLiteral(node)) return readBigInteger(node, reading);
  if (ts.isIdentifier(node)) return readNamed(node, reading);
  if (ts.isTemplateExpression(node)) return templateOf(node, ({ text }) => text, reading);
  if (ts.isArrayLiteralExpression(node)) return readList(node, reading);
  if (ts.isObjectLiteralExpression(node)) return readRecord(node, reading);
  if (ts.isPropertyAccessExpression(node)) return readField(node, reading);
  if (ts.isElementAccessExpression(node)) return readItem(node, reading);
  if (ts.isCallExpression(node)) return readCall(node, reading);
  if (ts.isNewExpression(node)) return readNew(node, reading);
  if (isUnary(node)) return readUnary(node, reading);
  if (isFunctionNode(node)) return readFunction(node, reading, { isInline: false });
  if (ts.isRegularExpressionLiteral(node)) return readPattern(node, reading);
  if (ts.isTaggedTemplateExpression(node)) return readRaw(node, reading);
  if (ts.isBinaryExpression(node)) return readBinary(node, reading);
  if (!ts.isConditionalExpression(node)) return notInLanguage(node, reading);
  const test = readExpression(node.condition, reading);
  const then = readExpression(node.whenTrue, reading);
  const otherwise = readExpression(node.whenFalse, reading);
  return { line: lineOf(node, reading), kind: "choose", test, then, otherwise };
}

/** What is to be told: no function is, not even by its name. */
export function readTold(node: ts.Expression, reading: ProgramReading): Expression {
  const bare = typedExpression(node);
  return ts.isIdentifier(bare) ? readName(bare, reading) : readExpression(node, reading);
}

/** A name that is not called; that of a function is a value like any other. */
function readNamed(node: ts.Identifier, reading: ProgramReading): Expression {
  const known = localNamed(node.text, reading) ? undefined : readNamedFunction(node, reading);
  return known ? { ...known, isInline: false } : readName(node, reading);
}

function readPattern(node: ts.RegularExpressionLiteral, reading: ProgramReading): Expression {
  const end = node.text.lastIndexOf("/");
  const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
  if (isPattern(source, flags))
    return { line: lineOf(node, reading), kind: "pattern", source, flags };
  const problem = `${quoted(node, reading)} is not a regular expression`;
  return refuse(node, "language", problem, reading);
}

function isPattern(source: string, flags: string): boolean {
  try {
    return RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** `String.raw`, the only tag. */
function readRaw(node: ts.TaggedTemplateExpression, reading: ProgramReading): Expression {
  const isRaw = node.tag.getText(reading.source) === "String.raw";
  if (!isRaw) return notInLanguage(node, reading);
  const { template } = node;
  const line = lineOf(node, reading);
  if (ts.isNoSubstitutionTemplateLiteral(template))
    return { line, kind: "literal", value: template.rawText ?? template.text };
  return templateOf(template, ({ rawText = "" }) => rawText, reading);
}

/** @param written what its pieces of text are read as */
function templateOf(
  node: ts.TemplateExpression,
  written: (piece: ts.TemplateLiteralLikeNode) => string,
  reading: ProgramReading,
): Expression {
  const spans = node.templateSpans.flatMap(({ expression, literal }) => [
    readTold(expression, reading),
    written(literal),
  ]);
  const parts = [written(node.head), ...spans].filter((one) => one !== "");
  return { line: lineOf(node, reading), kind: "template", parts };
}

function literalOf(node: ts.Expression): { value: string | boolean | null } | undefined {
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  return node.kind === ts.SyntaxKind.NullKeyword ? { value: null } : undefined;
}

function readNumber(node: ts.NumericLiteral, reading: ProgramReading): Expression {
  const value = Number(node.text);
  const isExact = Number.isSafeInteger(value) || !/^[\d_]+$/.test(node.getText(reading.source));
  if (Number.isFinite(value) && isExact)
    return { line: lineOf(node, reading), kind: "literal", value };
  const written = quoted(node, reading);
  const problem = `${written} has more digits than a number keeps; write it as a text`;
  return refuse(node, "language", problem, reading);
}

function readBigInteger(node: ts.BigIntLiteral, reading: ProgramReading): Expression {
  const line = lineOf(node, reading);
  const digits: Expression = { line, kind: "literal", value: node.text.replace(/n$/, "") };
  return { line, kind: "helper", name: "BigInt", args: [digits], turn: -1 };
}

function readList(node: ts.ArrayLiteralExpression, reading: ProgramReading): Expression {
  const line = lineOf(node, reading);
  const gap: Expression = { line, kind: "literal", value: undefined, isGap: true };
  const items = node.elements.map((item) =>
    ts.isOmittedExpression(item) ? gap : readListed(item, reading),
  );
  return { line, kind: "list", items };
}

export function readListed(node: ts.Expression, reading: ProgramReading): Expression | Spread {
  if (!ts.isSpreadElement(node)) return readExpression(node, reading);
  return { spread: readExpression(node.expression, reading) };
}

function readRecord(node: ts.ObjectLiteralExpression, reading: ProgramReading): Expression {
  const fields = node.properties.flatMap((property) => readProperty(property, reading) ?? []);
  return { line: lineOf(node, reading), kind: "record", fields };
}

function readProperty(
  node: ts.ObjectLiteralElementLike,
  reading: ProgramReading,
): At<"record">["fields"][number] | undefined {
  if (ts.isSpreadAssignment(node)) return { spread: readExpression(node.expression, reading) };
  if (ts.isShorthandPropertyAssignment(node)) {
    refuseKey(node.name, reading);
    return { key: node.name.text, value: readNamed(node.name, reading) };
  }
  if (ts.isMethodDeclaration(node)) {
    const key = readKey(node.name, reading);
    return { key, value: readFunction(node, reading, { isInline: false }) };
  }
  if (!ts.isPropertyAssignment(node)) {
    notInLanguage(node, reading);
    return undefined;
  }
  return { key: readKey(node.name, reading), value: readExpression(node.initializer, reading) };
}

function readKey(node: ts.PropertyName, reading: ProgramReading): string | Expression {
  const written = ts.isComputedPropertyName(node) ? bareExpression(node.expression) : node;
  if (ts.isIdentifier(written) && written === node) return refuseKey(written, reading);
  if (ts.isStringLiteralLike(written) || ts.isNumericLiteral(written))
    return refuseKey(written, reading);
  if (ts.isPrivateIdentifier(written)) return notInLanguage(written, reading);
  if (ts.isComputedPropertyName(node)) return readExpression(node.expression, reading);
  return notInLanguage(node, reading);
}

/** Refuses keys that would reach a prototype. */
function refuseKey(
  node: ts.Identifier | ts.StringLiteralLike | ts.NumericLiteral,
  reading: ProgramReading,
): string {
  if (NO_PROPERTIES.has(node.text)) refuseProperty(node, reading);
  return node.text;
}

function readField(node: ts.PropertyAccessExpression, reading: ProgramReading): Expression {
  const { name } = node;
  if (ts.isPrivateIdentifier(name)) return notInLanguage(node, reading);
  if (NO_PROPERTIES.has(name.text)) return refuseProperty(name, reading);
  const member = memberNamed(node, reading);
  if (member !== undefined) return readConstant(node, member, reading);
  const of = readExpression(node.expression, reading);
  // Everything after `?.` is skipped if there is no value before it.
  const optional = ts.isOptionalChain(node);
  return { line: lineOf(node, reading), kind: "field", of, key: name.text, optional };
}

/** `Math.PI`: the full name of a member of a built-in; undefined for anything else. */
export function memberNamed(
  node: ts.PropertyAccessExpression,
  reading: ProgramReading,
): string | undefined {
  const of = typedExpression(node.expression);
  if (!ts.isIdentifier(of) || !MEMBERED.has(of.text)) return undefined;
  return localNamed(of.text, reading) ? undefined : `${of.text}.${node.name.text}`;
}

const MEMBERED = new Set("Math Object Number Array JSON Date Promise String Map Intl".split(" "));

function readConstant(
  node: ts.PropertyAccessExpression,
  name: string,
  reading: ProgramReading,
): Expression {
  const line = lineOf(node, reading);
  if (Object.hasOwn(CONSTANTS, name) || Object.hasOwn(ENDLESS, name))
    return { line, kind: "helper", name, args: [], turn: -1 };
  const own = readNamedFunction(node, reading);
  return own ?? notInLanguage(node, reading, INSTEAD_OF_MEMBER.get(name));
}

function readItem(node: ts.ElementAccessExpression, reading: ProgramReading): Expression {
  const { argumentExpression } = node;
  const line = lineOf(node, reading);
  const of = readExpression(node.expression, reading);
  const key = bareExpression(argumentExpression);
  const optional = ts.isOptionalChain(node);
  if (!ts.isStringLiteralLike(key))
    return { line, kind: "item", of, at: readExpression(key, reading), optional };
  if (NO_PROPERTIES.has(key.text)) return refuseProperty(key, reading);
  return { line, kind: "field", of, key: key.text, optional };
}

function readNew(node: ts.NewExpression, reading: ProgramReading): Expression {
  const { expression } = node;
  const name = ts.isPropertyAccessExpression(expression)
    ? memberNamed(expression, reading)
    : ts.isIdentifier(expression) && !localNamed(expression.text, reading)
      ? expression.text
      : undefined;
  return name !== undefined && isMade(name)
    ? readMade(node, name, reading)
    : notInLanguage(node, reading, INSTEAD_OF_MEMBER.get(name ?? ""));
}

export function refuseSpread(node: ts.Node, reading: ProgramReading): Expression {
  const problem = "arguments cannot be spread here; write them one by one";
  return refuse(node, "language", problem, reading);
}
