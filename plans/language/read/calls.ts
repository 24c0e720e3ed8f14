import ts from "typescript";
import {
  METHODS,
  NO_PROPERTIES,
  type Takes,
  controlNamed,
  helperNamed,
  methodNamed,
} from "../language.js";
import type { Expression, Statement } from "../program.js";
import { listOfSet, memberNamed, readExpression, readListed, refuseSpread } from "./expressions.js";
import { readCallback } from "./functions.js";
import { localNamed, refuseProperty, seenIn } from "./names.js";
import {
  type ProgramReading,
  bareExpression,
  lineOf,
  refuse,
  repaired,
  HOST,
  INSTEAD_OF_MEMBER,
  INSTEAD_OF_METHOD,
  notInLanguage,
} from "./reading.js";
import { readToolCall } from "./toolCalls.js";

/** A call: of a function on offer, of a control or helper of the language, or of a value's method. */
export function readCall(node: ts.CallExpression, reading: ProgramReading): Expression {
  const called = bareExpression(node.expression);
  if (node.questionDotToken) {
    return notInLanguage(node, reading, "write the call without ?. before its brackets");
  }
  if (ts.isIdentifier(called)) return readNamedCall({ node, name: called.text, reading });
  if (!ts.isPropertyAccessExpression(called)) {
    return notInLanguage(node, reading, "call functions and methods by their names");
  }
  const grouped = groupedNamed(called, reading);
  if (grouped !== undefined) return readToolCall({ node, name: grouped, reading });
  const member = memberNamed(called, reading);
  if (member !== undefined) return readMemberCall({ node, name: member, reading });
  return readMethod(node, called, reading);
}

/**
 * The full name of a function in a group, such as `git.commit`; undefined for anything else. A value may have the name
 * of a group, as in `const files = await files.list({})`: its methods are called as such.
 */
function groupedNamed(
  { expression, name }: ts.PropertyAccessExpression,
  reading: ProgramReading,
): string | undefined {
  const group = bareExpression(expression);
  if (!ts.isIdentifier(group)) return undefined;
  const full = `${group.text}.${name.text}`;
  const isFunction = reading.functions?.has(full) || reading.groups.has(group.text);
  const isMethod = localNamed(group.text, reading) && methodNamed(name.text);
  return isFunction && !isMethod ? full : undefined;
}

export interface NamedCall {
  node: ts.CallExpression;
  name: string;
  reading: ProgramReading;
}

/** A called name means the function, even if a constant has that name. */
function readNamedCall(call: NamedCall): Expression {
  const { node, name, reading } = call;
  const line = lineOf(node, reading);
  if (!meansTool(call)) {
    const [first, second] = node.arguments;
    const control = controlNamed(name);
    if (control) return readControl(call, control);
    if (name === "today") {
      repaired(node, "today() is read as today", reading);
      return { line, kind: "name", name };
    }
    const helper = helperNamed(name);
    if (helper) return readHelper({ ...call, takes: helper });
    if (name === "Date" && first && !second)
      return notInLanguage(node, reading, "write new Date(…)");
    if (HOST.has(name)) {
      const problem = `"${name}" is not in the language; call a declared function, or need("what it should do")`;
      return refuse(node, "language", problem, reading);
    }
  }
  return readToolCall(call);
}

/** Helpers take no argument objects, so a call with one means the tool of the same name. */
function meansTool({ node, name, reading }: NamedCall): boolean {
  const [only, ...others] = node.arguments;
  const isOffered = reading.functions?.has(name) ?? false;
  if (!only) return isOffered;
  const isNamed = others.length === 0 && seenIn(only, reading).holds === "record";
  return isNamed && (isOffered || (!controlNamed(name) && !HOST.has(name)));
}

/** `stop("…")`: ends the program as `throw` does. Undefined for anything else. */
export function readStop(node: ts.Expression, reading: ProgramReading): Statement[] | undefined {
  const call = bareExpression(node);
  if (!ts.isCallExpression(call) || !ts.isIdentifier(call.expression)) return undefined;
  const { text: name } = call.expression;
  const takes = name === "stop" && controlNamed(name);
  if (!takes || meansTool({ node: call, name, reading })) return undefined;
  const [reason] = readArguments({ node: call, name, takes, reading });
  return reason ? [{ line: lineOf(call, reading), kind: "throw", reason }] : [];
}

function readControl({ node, name, reading }: NamedCall, takes: Takes): Expression {
  if (name === "stop") return notInLanguage(node, reading, 'write if (…) stop("…")');
  const line = lineOf(node, reading);
  const site = reading.sites;
  reading.sites += 1;
  const args = readArguments({ node, name, takes, reading });
  const [first, second] = args;
  if (!first) return { line, kind: "literal", value: undefined };
  if (name === "need") return { line, kind: "need", phrase: first, site };
  if (!second) return { line, kind: "literal", value: undefined };
  // The model would answer out of thin air, and its answer would count as found.
  if (first.kind === "literal") {
    const problem = "look(…) takes a value that a function has returned, not one of your own";
    return refuse(node, "language", problem, reading);
  }
  return { line, kind: "look", value: first, question: second, site };
}

function readMemberCall(call: NamedCall): Expression {
  const { node, name, reading } = call;
  const line = lineOf(node, reading);
  const [first] = node.arguments;
  if (name === "Promise.all") {
    const [value] = readArguments({ ...call, takes: { least: 1, most: 1 } });
    return value ? { line, kind: "all", value } : { line, kind: "literal", value: undefined };
  }
  if (name === "Date.parse" && first) {
    const value = readExpression(first, reading);
    const of: Expression = { line, kind: "date", value };
    return { line, kind: "method", of, name: "getTime", args: [], optional: false };
  }
  const set = name === "Array.from" && first ? listOfSet(first, reading) : undefined;
  if (set && node.arguments.length === 1) return set;
  const helper = name.replace(/^Number\.(?=parse)/, "");
  const takes = helperNamed(helper);
  if (takes) return readHelper({ ...call, name: helper, takes });
  return notInLanguage(node, reading, INSTEAD_OF_MEMBER.get(name));
}

function readHelper(call: NamedCall & { takes: Takes }): Expression {
  const { node, name, reading } = call;
  return { line: lineOf(node, reading), kind: "helper", name, args: readArguments(call) };
}

function readMethod(
  node: ts.CallExpression,
  called: ts.PropertyAccessExpression,
  reading: ProgramReading,
): Expression {
  const line = lineOf(node, reading);
  const { text: written } = called.name;
  if (NO_PROPERTIES.has(written)) return refuseProperty(called.name, reading);
  const name = METHOD_ALIASES.get(written) ?? written;
  const takes = methodNamed(name);
  if (!takes) return refuseMethod(called, reading);
  const of = readExpression(called.expression, reading);
  const args = readArguments({ node, name, takes, reading }, called.expression);
  return { line, kind: "method", of, name, args, optional: ts.isOptionalChain(called) };
}

/** Dates of a run have no zone, and no method changes a list. */
const METHOD_ALIASES: ReadonlyMap<string, string> = new Map([
  ...Object.keys(METHODS.date)
    .filter((name) => name.startsWith("get") && name !== "getTime")
    .map((name) => [name.replace("get", "getUTC"), name] as const),
  ["toLocaleLowerCase", "toLowerCase"],
  ["toLocaleUpperCase", "toUpperCase"],
  ["toSorted", "sort"],
  ["toReversed", "reverse"],
]);

function refuseMethod(called: ts.PropertyAccessExpression, reading: ProgramReading): Expression {
  const { text: name } = called.name;
  const of = bareExpression(called.expression);
  if (ts.isIdentifier(of) && HOST.has(of.text)) {
    const problem = `"${of.text}.${name}" is not in the language; call a declared function, or need("what it should do")`;
    return refuse(called, "language", problem, reading);
  }
  // The receiver may have faults of its own.
  readExpression(of, reading);
  const instead =
    INSTEAD_OF_METHOD.get(name) ??
    `functions are called by their names, as declared; methods are ${METHODS_SHOWN}`;
  const problem = `.${name}() is not in the language; ${instead}`;
  return refuse(called, "language", problem, reading);
}

const METHODS_SHOWN =
  ".map, .filter, .find, .some, .every, .includes, .slice, .sort, .join and such";

/** The arguments of a method or helper, with a function where it takes one. */
function readArguments(call: NamedCall & { takes: Takes }, of?: ts.Expression): Expression[] {
  const { node, name, takes, reading } = call;
  const given = [...node.arguments];
  if (given.some(ts.isSpreadElement)) return readSpread(call);
  if (given.length < takes.least || given.length > takes.most) {
    const problem = `${name} takes ${takenText(takes)}, and ${given.length} were given`;
    return [refuse(node, "language", problem, reading)];
  }
  const records = of !== undefined && seenIn(of, reading).holds === "records";
  return given.map((argument, at) =>
    at === takes.callback
      ? readCallback(argument, reading, records ? { holds: "record" } : {})
      : readExpression(argument, reading),
  );
}

function takenText({ least, most }: Takes): string {
  if (most === 0) return "no arguments";
  const bounds = least === most ? `${most}` : `${least} to ${most}`;
  return `${bounds} ${most === 1 ? "argument" : "arguments"}`;
}

/** Turns spread arguments into one list, as functions with any number of arguments expect. */
function readSpread({ node, name, takes, reading }: NamedCall & { takes: Takes }): Expression[] {
  if (takes.most <= MOST_WRITTEN) return [refuseSpread(node, reading)];
  const line = lineOf(node, reading);
  const items = node.arguments.map((argument) => readListed(argument, reading));
  const list: Expression = { line, kind: "list", items };
  if (name !== "concat") return [list];
  return [{ line, kind: "method", of: list, name: "flat", args: [], optional: false }];
}

/** Functions with more arguments than this take any number. */
const MOST_WRITTEN = 3;
