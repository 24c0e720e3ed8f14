import ts from "typescript";
import { helperNamed } from "../language.js";
import type { Expression, Pattern, Statement } from "../program.js";
import { memberNamed, readExpression, listOfSet } from "./expressions.js";
import { type Local, inScope, noteHeld, readPattern, isConst, seenIn } from "./names.js";
import {
  type ProgramReading,
  bareExpression,
  lineOf,
  reads,
  refuse,
  repaired,
  notInLanguage,
} from "./reading.js";
import { readBlock, readBranch } from "./statements.js";
import { readAction } from "./actions.js";

type WrittenFunction = ts.ArrowFunction | ts.FunctionExpression;

/** Whether it is an inline function; `async` makes no difference. */
function isWrittenFunction(node: ts.Node): node is WrittenFunction {
  const isFunction = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  return isFunction && !node.asteriskToken;
}

/**
 * The function passed to a method or helper: inline, or the name of one that takes a value.
 *
 * @param item what is known about the items it receives
 */
export function readCallback(
  node: ts.Expression,
  reading: ProgramReading,
  item: Pick<Local, "holds">,
): Expression {
  const bare = bareExpression(node);
  if (isWrittenFunction(bare)) return readFunction(bare, reading, item);
  const name = ts.isIdentifier(bare)
    ? bare.text
    : ts.isPropertyAccessExpression(bare)
      ? memberNamed(bare, reading)
      : undefined;
  const body = name === undefined ? undefined : calledWithValue(name, bare, reading);
  if (body) {
    const parameters: Pattern[] = [{ kind: "name", name: VALUE }];
    return { line: lineOf(bare, reading), kind: "function", parameters, body };
  }
  return notInLanguage(bare, reading, "write the function here: (item) => …");
}

const VALUE = "value";

function calledWithValue(
  name: string,
  node: ts.Node,
  reading: ProgramReading,
): Expression | undefined {
  const line = lineOf(node, reading);
  const value: Expression = { line, kind: "name", name: VALUE };
  const [first] = reading.functions?.get(name) ?? [];
  const takes = helperNamed(name);
  if (takes && takes.least <= 1 && takes.most > 0) {
    return { line, kind: "helper", name, args: [value] };
  }
  if (first === undefined) return undefined;
  repaired(node, `${name} is given ${first} by name`, reading);
  const site = reading.sites;
  reading.sites += 1;
  reading.calls.push({ site, name, given: [first], line });
  const args: Expression = { line, kind: "record", fields: [{ key: first, value }] };
  return { line, kind: "tool", site, name, args };
}

function readFunction(
  node: WrittenFunction,
  reading: ProgramReading,
  item: Pick<Local, "holds">,
): Expression {
  return inScope(reading, () => {
    const parameters = node.parameters.map((parameter) => readParameter(parameter, reading));
    const [first] = parameters;
    if (first) noteHeld(first, item, reading);
    const { body } = node;
    const read = ts.isBlock(body)
      ? reads(reading, { body: "function", isLoop: false }, () =>
          readBlock(body.statements, reading),
        )
      : readExpression(body, reading);
    return { line: lineOf(node, reading), kind: "function", parameters, body: read };
  });
}

function readParameter(node: ts.ParameterDeclaration, reading: ProgramReading): Pattern {
  if (node.dotDotDotToken || node.initializer) {
    const problem = "a function takes plain names here, without ... and without a default";
    refuse(node, "language", problem, reading);
  }
  return readPattern(node.name, "let", reading);
}

/** `for (const item of list) …` */
export function readEach(node: ts.ForOfStatement, reading: ProgramReading): Statement[] {
  const { initializer, expression, statement } = node;
  const line = lineOf(node, reading);
  const list = readLooped(expression, reading);
  const held =
    seenIn(expression, reading).holds === "records" ? ({ holds: "record" } as const) : {};
  const [declaration] = ts.isVariableDeclarationList(initializer) ? initializer.declarations : [];
  if (!declaration || !ts.isVariableDeclarationList(initializer)) {
    notInLanguage(initializer, reading, "write for (const item of list)");
    return [];
  }
  return inScope(reading, () => {
    const kind = isConst(initializer) ? "const" : "let";
    const pattern = readPattern(declaration.name, kind, reading);
    noteHeld(pattern, held, reading);
    const within = { ...reading.within, isLoop: true };
    const body = reads(reading, within, () => readBranch(statement, reading));
    return [{ line, kind: "each", pattern, list, body }];
  });
}

/** The list of a loop; `list.entries()` gives pairs of position and item. */
function readLooped(node: ts.Expression, reading: ProgramReading): Expression {
  const bare = bareExpression(node);
  const set = listOfSet(bare, reading);
  if (set) return set;
  const isEntries =
    ts.isCallExpression(bare) &&
    bare.arguments.length === 0 &&
    ts.isPropertyAccessExpression(bare.expression) &&
    bare.expression.name.text === "entries";
  if (!isEntries || !ts.isPropertyAccessExpression(bare.expression)) {
    return readExpression(bare, reading);
  }
  const list = readExpression(bare.expression.expression, reading);
  return indexed(list, lineOf(bare, reading), ["index", "item"]);
}

function indexed(list: Expression, line: number, order: ("item" | "index")[]): Expression {
  const parameters: Pattern[] = [
    { kind: "name", name: "item" },
    { kind: "name", name: "index" },
  ];
  const body: Expression = {
    line,
    kind: "list",
    items: order.map((name): Expression => ({ line, kind: "name", name })),
  };
  const pair: Expression = { line, kind: "function", parameters, body };
  return { line, kind: "method", of: list, name: "map", args: [pair], optional: false };
}

/** `list.forEach((item) => …)` as a loop; undefined for other calls. */
export function readForEach(
  node: ts.CallExpression,
  reading: ProgramReading,
): Statement[] | undefined {
  const [callback, ...others] = node.arguments;
  const called = bareExpression(node.expression);
  if (!ts.isPropertyAccessExpression(called) || called.name.text !== "forEach") return undefined;
  const written = callback && bareExpression(callback);
  if (!written || others.length > 0 || !isWrittenFunction(written)) return undefined;
  if (written.parameters.length > 2) return undefined;
  repaired(node, "forEach is read as for … of", reading);
  const line = lineOf(node, reading);
  const of = readExpression(called.expression, reading);
  const nothing: Expression = { line, kind: "list", items: [] };
  const list: Expression = ts.isOptionalChain(called)
    ? { line, kind: "logic", operator: "??", left: of, right: nothing }
    : of;
  const isRecords = seenIn(called.expression, reading).holds === "records";
  return inScope(reading, () => {
    const patterns = written.parameters.map((parameter) => readParameter(parameter, reading));
    const [first = UNNAMED, second] = patterns;
    if (isRecords) noteHeld(first, { holds: "record" }, reading);
    const body = readItemBody(written, reading);
    if (!second) return [{ line, kind: "each", pattern: first, list, body }];
    const items = patterns.map((pattern) => ({ pattern, otherwise: undefined }));
    const pairs = indexed(list, line, ["item", "index"]);
    return [
      { line, kind: "each", pattern: { kind: "items", items, rest: undefined }, list: pairs, body },
    ];
  });
}

const UNNAMED: Pattern = { kind: "name", name: "_" };

function readItemBody({ body }: WrittenFunction, reading: ProgramReading): Statement[] {
  return reads(reading, { body: "item", isLoop: false }, () => {
    if (ts.isBlock(body)) return readBlock(body.statements, reading);
    return readAction(body, reading);
  });
}
