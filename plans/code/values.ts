import { DEEPEST_ARGUMENTS } from "../../common/bounds.js";
import ts from "typescript";
import { type CodeArgument, type CodeTools, stepOfCall } from "./calls.js";
import { operated } from "./operators.js";
import type { PlanReference, PlanStep, PlanValue } from "../plan.js";
import { isPlainObject, isReference, isText, readText, textOf } from "../references.js";

/** State of reading code: the calls found so far, and what names stand for. */
export interface CodeReading {
  source: ts.SourceFile;
  tools: CodeTools;
  steps: PlanStep[];
  values: Map<string, PlanValue | undefined>;
}

/** Something in code that a plan cannot express. */
export class UnreadableCode extends Error {
  /** @param problem one line, for the model that must fix it */
  constructor(
    problem: string,
    readonly node: ts.Node,
  ) {
    super(problem);
  }
}

/** What code may contain, for error messages. */
export const ALLOWED =
  "write only lines such as const r0 = tool({ name: value }); with literals, lists, objects, `texts with ${r0.field}` and earlier results (r0, r0.field, r0[0]); operators take values that are known, and whatever has to be computed from results is a call of a tool";

/**
 * The value of an expression: data, or a reference to the output of a call. Calls in it become steps, inner
 * ones first. Nothing is run, but operators on known values are evaluated.
 *
 * @returns undefined for `undefined`
 * @throws UnreadableCode
 */
export function readValue(expression: ts.Expression, reading: CodeReading): PlanValue | undefined {
  const value = valueOf(bare(expression), reading);
  if (value === undefined || sizeOf(value) <= LARGEST) return value;
  throw new UnreadableCode("the value is too large, or nested too deeply", expression);
}

/** Bounds data: names for lists of names for lists, or texts of texts, make a few lines huge. */
const LARGEST = 5000;

/** This many characters count as one value. */
const CHARACTERS = 1000;

function sizeOf(value: PlanValue, depth = 0): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return 1;
  if (depth > DEEPEST_ARGUMENTS) return Infinity;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.reduce<number>((sum, one) => sum + sizeOf(one as PlanValue, depth + 1), 1);
}

function valueOf(node: ts.Expression, reading: CodeReading): PlanValue | undefined {
  const literal = literalOf(node);
  if (literal !== undefined) return literal;
  if (ts.isIdentifier(node)) return valueOfName(node, reading);
  if (ts.isCallExpression(node)) return readCall(node, reading);
  if (ts.isPropertyAccessExpression(node)) {
    return partOf({ node, of: node.expression, part: node.name.text, reading });
  }
  if (ts.isElementAccessExpression(node)) {
    const part = partIn(node.argumentExpression, reading);
    return partOf({ node, of: node.expression, part, reading });
  }
  if (ts.isTemplateExpression(node)) return readTemplate(node, reading);
  if (ts.isBinaryExpression(node)) return readOperation(node, reading);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((item) => given(item, reading));
  if (ts.isObjectLiteralExpression(node)) return readObject(node, reading);
  throw notAllowed(node, reading);
}

/** The expression without `await`, brackets and types, which do not change its value. */
export function bare(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isWrapped ? bare(node.expression) : node;
}

/** The error for code that a plan cannot express. */
export function notAllowed(node: ts.Node, { source }: CodeReading): UnreadableCode {
  const [line = ""] = node.getText(source).split("\n", 1);
  return new UnreadableCode(`"${line.slice(0, LONGEST_QUOTE)}" is not allowed; ${ALLOWED}`, node);
}

const LONGEST_QUOTE = 60;

function literalOf(node: ts.Expression): PlanValue | undefined {
  if (ts.isStringLiteralLike(node)) return readText(node.text);
  const number = numberOf(node);
  if (number !== undefined) return number;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  return node.kind === ts.SyntaxKind.NullKeyword ? null : undefined;
}

function numberOf(node: ts.Expression): number | undefined {
  if (ts.isNumericLiteral(node)) {
    const number = Number(node.text);
    return Number.isFinite(number) ? number : undefined;
  }
  if (!ts.isPrefixUnaryExpression(node) || !ts.isNumericLiteral(node.operand)) return undefined;
  const number = numberOf(node.operand);
  if (node.operator === ts.SyntaxKind.PlusToken) return number;
  // Subtracting from 0 turns -0 into 0.
  return number !== undefined && node.operator === ts.SyntaxKind.MinusToken
    ? 0 - number
    : undefined;
}

function valueOfName(node: ts.Identifier, { values }: CodeReading): PlanValue | undefined {
  if (values.has(node.text)) return values.get(node.text);
  if (node.text === "undefined") return undefined;
  throw new UnreadableCode(`${node.text} is used and was not assigned before`, node);
}

/** A value in a list or text, which must exist. */
function given(node: ts.Expression, reading: CodeReading): PlanValue {
  const value = readValue(node, reading);
  if (value !== undefined) return value;
  throw new UnreadableCode("a list or a text holds undefined; leave it out", node);
}

function readObject(
  node: ts.ObjectLiteralExpression,
  reading: CodeReading,
): Record<string, PlanValue> {
  const entries = node.properties.flatMap((property): [string, PlanValue][] => {
    if (ts.isShorthandPropertyAssignment(property)) {
      const value = valueOfName(property.name, reading);
      return value === undefined ? [] : [[property.name.text, value]];
    }
    if (!ts.isPropertyAssignment(property) || ts.isComputedPropertyName(property.name)) {
      throw notAllowed(property, reading);
    }
    const value = readValue(property.initializer, reading);
    return value === undefined ? [] : [[property.name.text, value]];
  });
  return Object.fromEntries(entries);
}

function readTemplate(node: ts.TemplateExpression, reading: CodeReading): PlanValue {
  const parts = [
    node.head.text,
    ...node.templateSpans.flatMap(({ expression, literal }) => {
      const value = given(expression, reading);
      if (isReference(value)) return [value, literal.text];
      if (isText(value)) return [...value.$text, literal.text];
      if (typeof value === "object") throw notAllowed(expression, reading);
      return [String(value), literal.text];
    }),
  ];
  return textOf(joined(parts));
}

/** Joins adjacent texts and drops empty ones. */
function joined(parts: (string | PlanReference)[]): (string | PlanReference)[] {
  const joinedParts: (string | PlanReference)[] = [];
  for (const part of parts) {
    const last = joinedParts.at(-1);
    if (part === "") continue;
    if (typeof part === "string" && typeof last === "string")
      joinedParts.splice(-1, 1, last + part);
    else joinedParts.push(part);
  }
  return joinedParts;
}

/** The result of an operator; for results of calls, a tool that does the same is called. */
function readOperation(node: ts.BinaryExpression, reading: CodeReading): PlanValue {
  const one = given(node.left, reading);
  const other = given(node.right, reading);
  const read = operated({ operator: node.operatorToken.kind, one, other, tools: reading.tools });
  if (!read) throw notAllowed(node, reading);
  if ("value" in read) return read.value;
  if ("parts" in read) return textOf(joined(read.parts));
  return outputOf(read.step, reading);
}

/** A known key or index; undefined if it depends on results. */
function partIn(node: ts.Expression, reading: CodeReading): string | number | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  const part = readValue(node, reading);
  return typeof part === "string" || Number.isInteger(part) ? (part as string | number) : undefined;
}

function partOf(access: {
  node: ts.Expression;
  of: ts.Expression;
  part: string | number | undefined;
  reading: CodeReading;
}): PlanValue {
  const { node, of, part, reading } = access;
  if (part === undefined) throw notAllowed(node, reading);
  const whole = readValue(of, reading);
  if (isReference(whole)) return { ...whole, path: [...whole.path, part] };
  const value =
    Array.isArray(whole) && typeof part === "number"
      ? whole.at(part)
      : isPlainObject(whole) && !isText(whole) && Object.hasOwn(whole, part)
        ? (whole as Record<string, PlanValue>)[part]
        : undefined;
  if (value === undefined) throw notAllowed(node, reading);
  return value;
}

function readCall(node: ts.CallExpression, reading: CodeReading): PlanValue {
  const called = node.expression;
  const [only, ...others] = node.arguments;
  if (ts.isPropertyAccessExpression(called) && called.name.text === "at" && only) {
    const part = others.length === 0 ? numberOf(only) : undefined;
    return partOf({ node, of: called.expression, part, reading });
  }
  if (!ts.isIdentifier(called)) throw notAllowed(node, reading);
  const arguments_ = node.arguments.map((argument) => readArgument(argument, reading));
  const step = stepOfCall({ name: called.text, given: arguments_, tools: reading.tools });
  if (typeof step === "string") throw new UnreadableCode(step, node);
  return outputOf(step, reading);
}

/** Adds a step; its output is identified by its position. */
function outputOf(step: PlanStep, { steps }: CodeReading): PlanReference {
  steps.push(step);
  return { $prev: steps.length - 1, path: [] };
}

/** `value`, or `name = value` as other languages name arguments. */
function readArgument(node: ts.Expression, reading: CodeReading): CodeArgument {
  const isNamed =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isIdentifier(node.left);
  if (!isNamed) return { value: readValue(node, reading) };
  return { name: node.left.text, value: readValue(node.right, reading) };
}
