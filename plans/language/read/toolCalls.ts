import ts from "typescript";
import { type At, type Expression, LOGIC_OPERATORS } from "../program.js";
import type { NamedCall } from "./calls.js";
import { readExpression, refuseSpread } from "./expressions.js";
import { seenIn } from "./names.js";
import { bareExpression, lineOf, refuse, repaired } from "./reading.js";

/** A call of a function that is neither built in nor local, with one object of named arguments. */
export function readToolCall(call: NamedCall): Expression {
  const { node, name, reading } = call;
  const line = lineOf(node, reading);
  const site = reading.sites;
  reading.sites += 1;
  const noted = { site, name, given: [] as string[], line };
  reading.calls.push(noted);
  const { given, ...read } = readGiven(call);
  noted.given = given;
  return { line, kind: "tool", site, name, ...read };
}

interface Given extends Pick<At<"tool">, "args" | "alone"> {
  given: string[];
}

function readGiven(call: NamedCall): Given {
  const { node, name, reading } = call;
  const [first, ...others] = node.arguments;
  if (!first) return { args: undefined, given: [] };
  if (node.arguments.some(ts.isSpreadElement))
    return { args: refuseSpread(node, reading), given: [] };
  const parameters = reading.functions?.get(name);
  const { holds, keys = [] } = seenIn(first, reading);
  if (others.length === 0 && holds === "record") {
    const args = readExpression(first, reading);
    return { args: parameters ? withFullNames(args, call, parameters) : args, given: keys };
  }
  if (others.length === 0 && holds === undefined && mayBeRecord(first)) {
    const [alone] = parameters ?? [];
    return { args: readExpression(first, reading), given: [], ...(alone && { alone }) };
  }
  if (parameters) return readByPosition(call, parameters);
  const problem = `${name} takes one object with its arguments by name: ${name}({ name: value })`;
  return { args: refuse(node, "language", problem, reading), given: [] };
}

/** A parameter such as `issue.priority` by the last part of its name, if no other ends like that. */
function withFullNames(
  args: Expression,
  { node, name, reading }: NamedCall,
  parameters: readonly string[],
): Expression {
  if (args.kind !== "record") return args;
  const fields = args.fields.map((field) => {
    if ("spread" in field || typeof field.key !== "string") return field;
    const { key } = field;
    const [meant, ...others] = parameters.filter((one) => one.endsWith(`.${key}`));
    if (meant === undefined || others.length > 0 || parameters.includes(key)) return field;
    repaired(node, `${name} is given ${meant} for ${key}`, reading);
    return { ...field, key: meant };
  });
  return { ...args, fields };
}

function readByPosition({ node, name, reading }: NamedCall, parameters: readonly string[]): Given {
  const { length } = node.arguments;
  const given = parameters.slice(0, length);
  if (given.length < length) {
    const takes = parameters.length === 0 ? "no arguments" : `{ ${parameters.join(", ")} }`;
    const problem = `${name} takes ${takes}, and ${length} arguments were given; pass one object with the names`;
    return { args: refuse(node, "language", problem, reading), given: [] };
  }
  repaired(node, `${name} is given ${given.join(", ")} by name`, reading);
  const fields = node.arguments.map((argument, at) => ({
    key: given[at] ?? "",
    value: readExpression(argument, reading),
  }));
  return { args: { line: lineOf(node, reading), kind: "record", fields }, given };
}

/** Whether only the run shows what it is. */
function mayBeRecord(node: ts.Expression): boolean {
  const bare = bareExpression(node);
  return (
    ts.isIdentifier(bare) ||
    ts.isPropertyAccessExpression(bare) ||
    ts.isElementAccessExpression(bare) ||
    ts.isConditionalExpression(bare) ||
    ts.isCallExpression(bare) ||
    (ts.isBinaryExpression(bare) &&
      LOGIC_OPERATORS.some((one) => one === ts.tokenToString(bare.operatorToken.kind)))
  );
}
