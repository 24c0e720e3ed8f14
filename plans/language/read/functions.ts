import ts from "typescript";
import { isHelper } from "../language.js";
import type { At, Expression, Parameter, Pattern, Statement } from "../program.js";
import { memberNamed, readExpression } from "./expressions.js";
import { type Local, inScope, isFunctionNode, noteHeld, readPattern, varsIn } from "./names.js";
import {
  bareExpression,
  GENERATOR,
  lineOf,
  notInLanguage,
  type ProgramReading,
  reads,
} from "./reading.js";
import { readBlock } from "./statements.js";

type WrittenFunction =
  | ts.ArrowFunction
  | ts.FunctionExpression
  | ts.FunctionDeclaration
  | ts.MethodDeclaration;

/**
 * The function passed to a method or helper: inline, or the name of one.
 *
 * @param item what is known about the items it receives
 */
export function readCallback(
  node: ts.Expression,
  reading: ProgramReading,
  item: Pick<Local, "holds">,
): Expression {
  const bare = bareExpression(node);
  if (isFunctionNode(bare)) return readFunction(bare, reading, { item, isInline: true });
  return readNamedFunction(bare, reading) ?? readExpression(node, reading);
}

/** A function of the language or a tool, by its name; undefined for anything else. */
export function readNamedFunction(
  bare: ts.Expression,
  reading: ProgramReading,
): At<"function"> | undefined {
  const name = ts.isIdentifier(bare)
    ? bare.text
    : ts.isPropertyAccessExpression(bare)
      ? memberNamed(bare, reading)
      : undefined;
  if (name === undefined) return undefined;
  const line = lineOf(bare, reading);
  const own = isHelper(name) ? helperOf(name, line, reading) : toolOf(name, bare, reading);
  if (!own) return undefined;
  return { line, kind: "function", isAsync: false, isInline: true, ...own };
}

type Own = { parameters: Parameter[]; body: Expression };

/** Helpers take what a method gives, as far as they have parameters: `map(parseInt)` gives the index, too. */
function helperOf(name: string, line: number, reading: ProgramReading): Own {
  const isTwo =
    name === "parseInt" || name === "Math.pow" || name === "Math.max" || name === "Math.min";
  const names = isTwo ? ["value", "other"] : ["value"];
  const args = names.map((one): Expression => ({ line, kind: "name", name: one }));
  const turn = nextTurn(reading);
  return {
    parameters: names.map(plainParameter),
    body: { line, kind: "helper", name, args, turn },
  };
}

function toolOf(name: string, node: ts.Expression, reading: ProgramReading): Own | undefined {
  const parameters = reading.functions?.get(name);
  if (!parameters) return undefined;
  const [alone] = parameters;
  const line = lineOf(node, reading);
  const site = reading.sites;
  reading.sites += 1;
  reading.calls.push({ site, name, given: [], line });
  const call = { line, kind: "tool", site, name, isHeld: true } as const;
  const args: Expression = { line, kind: "name", name: "value" };
  return {
    parameters: [plainParameter("value")],
    body: alone === undefined ? { ...call, args: undefined } : { ...call, args, alone },
  };
}

function plainParameter(name: string): Parameter {
  return { pattern: { kind: "name", name }, otherwise: undefined, isRest: false };
}

export function nextTurn(reading: ProgramReading): number {
  reading.turns += 1;
  return reading.turns - 1;
}

export function readFunction(
  node: WrittenFunction,
  reading: ProgramReading,
  { item, isInline }: { item?: Pick<Local, "holds">; isInline: boolean },
): Expression {
  if (node.asteriskToken) return notInLanguage(node, reading, GENERATOR);
  return inScope(
    reading,
    () => {
      // The name of a function expression means itself, which only the value can be called by.
      const itself = { kind: "const", line: lineOf(node, reading), isDeclared: true } as const;
      if (ts.isFunctionExpression(node) && node.name)
        reading.scope.locals.set(node.name.text, { ...itself, holds: "function" });
      const parameters = node.parameters.map((parameter) => readParameter(parameter, reading));
      const [first] = parameters;
      if (first && item) noteHeld(first.pattern, item, reading);
      const isAsync =
        node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
      const line = lineOf(node, reading);
      const body = node.body ? readBody(node.body, reading) : [];
      const name = ts.isFunctionExpression(node) ? node.name?.text : undefined;
      return { line, kind: "function", name, parameters, body, isAsync, isInline };
    },
    { isFunction: true },
  );
}

function readBody(body: ts.ConciseBody, reading: ProgramReading): Expression | Statement[] {
  const within = { body: "function", isLoop: false, isSwitch: false, labels: [] } as const;
  return reads(reading, within, () => {
    if (!ts.isBlock(body)) return held(readExpression(body, reading), body);
    return [...readVars(body.statements, reading), ...readBlock(body.statements, reading)];
  });
}

/** What a function returns without waiting for it: who calls it may ask whether it has failed. */
export function held(read: Expression, node: ts.Expression): Expression {
  return read.kind === "tool" && !ts.isAwaitExpression(node) ? { ...read, isHeld: true } : read;
}

/** Declares the names of `var`, which the whole function or program knows. */
export function readVars(
  statements: readonly ts.Statement[],
  reading: ProgramReading,
): Statement[] {
  return varsIn(statements)
    .filter((name) => !reading.scope.locals.has(name))
    .map((name): Statement => {
      reading.scope.locals.set(name, { kind: "let", line: 1, isDeclared: true });
      const value: Expression = { line: 1, kind: "literal", value: undefined };
      return { line: 1, kind: "declare", pattern: { kind: "name", name }, value };
    });
}

function readParameter(node: ts.ParameterDeclaration, reading: ProgramReading): Parameter {
  const { initializer, dotDotDotToken } = node;
  const otherwise = initializer && readExpression(initializer, reading);
  const pattern: Pattern = readPattern(node.name, "parameter", reading);
  return { pattern, otherwise, isRest: dotDotDotToken !== undefined };
}
