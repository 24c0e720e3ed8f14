import ts from "typescript";
import { helperNamed } from "../language.js";
import type { Expression, Pattern } from "../program.js";
import { memberNamed, readExpression } from "./expressions.js";
import { type Local, inScope, noteHeld, readPattern } from "./names.js";
import { type ProgramReading, bareExpression, lineOf, reads, refuse, repaired } from "./reading.js";
import { readBlock } from "./statements.js";
import { notInLanguage } from "./refusals.js";

export type WrittenFunction = ts.ArrowFunction | ts.FunctionExpression;

/** Whether it is an inline function; `async` makes no difference. */
export function isWrittenFunction(node: ts.Node): node is WrittenFunction {
  const isFunction = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  return isFunction && !node.asteriskToken;
}

/**
 * The function passed to a method or helper: inline, or the name of one that takes a value.
 *
 * @param options.item what is known about the items it receives
 */
export function readCallback(options: {
  node: ts.Expression;
  reading: ProgramReading;
  item: Pick<Local, "holds">;
}): Expression {
  const { node, reading, item } = options;
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

/** A call of a named function with an item of a list. */
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
  repaired({ node, repair: `${name} is given ${first} by name`, reading });
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

export function readParameter(node: ts.ParameterDeclaration, reading: ProgramReading): Pattern {
  if (node.dotDotDotToken || node.initializer) {
    const problem = "a function takes plain names here, without ... and without a default";
    refuse({ node, kind: "language", problem, reading });
  }
  return readPattern({
    node: node.name,
    kind: "let",
    reading,
    readDefault: (initializer) => readExpression(initializer, reading),
  });
}
