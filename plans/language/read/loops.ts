import ts from "typescript";
import type { Expression, Pattern, Statement } from "../program.js";
import { readAction } from "./actions.js";
import { listOfSet, readExpression } from "./expressions.js";
import { type WrittenFunction, isWrittenFunction, readParameter } from "./functions.js";
import { inScope, isConst, noteHeld, readPattern, seenIn } from "./names.js";
import { type ProgramReading, bareExpression, lineOf, reads, repaired } from "./reading.js";
import { readBlock, readBranch } from "./statements.js";
import { notInLanguage } from "./refusals.js";

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
    const pattern = readPattern({
      node: declaration.name,
      kind: isConst(initializer) ? "const" : "let",
      reading,
      readDefault: (otherwise) => readExpression(otherwise, reading),
    });
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

/** A list of pairs of an item and its position. */
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
  repaired({ node, repair: "forEach is read as for … of", reading });
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

/** The item of a loop that does not use its items. */
const UNNAMED: Pattern = { kind: "name", name: "_" };

function readItemBody({ body }: WrittenFunction, reading: ProgramReading): Statement[] {
  return reads(reading, { body: "item", isLoop: false }, () => {
    if (ts.isBlock(body)) return readBlock(body.statements, reading);
    return readAction(body, reading);
  });
}
