import ts from "typescript";
import { memberOf } from "../../../common/codeNames.js";
import { isSameName } from "../../../common/nearNames.js";
import { CLASSES, controlNamed, isHelper, isMethod, NO_PROPERTIES } from "../language.js";
import {
  type At,
  type Expression,
  type Spread,
  type Statement,
  LOGIC_OPERATORS,
} from "../program.js";
import { memberNamed, readExpression, readListed, refuseSpread } from "./expressions.js";
import { nextTurn, readCallback } from "./functions.js";
import { localNamed, refuseProperty, seenIn } from "./names.js";
import {
  bareExpression,
  HOST,
  INSTEAD_OF_MEMBER,
  INSTEAD_OF_METHOD,
  lineOf,
  notInLanguage,
  type ProgramReading,
  refuse,
  repaired,
} from "./reading.js";

/** A call: of a function on offer, of the program's own, of a control or helper, or of a value's method. */
export function readCall(node: ts.CallExpression, reading: ProgramReading): Expression {
  const called = bareExpression(node.expression);
  if (ts.isIdentifier(called)) return readNamedCall({ node, name: called.text, reading });
  if (called.kind === ts.SyntaxKind.ImportKeyword) return notInLanguage(node, reading, NO_IMPORT);
  if (ts.isPropertyAccessExpression(called)) {
    const grouped = groupedNamed(node, called, reading);
    if (grouped !== undefined) return readToolCall({ node, name: grouped, reading });
    if (/^(?:Object\.prototype|\{\})\.hasOwnProperty\.call$/.test(called.getText(reading.source)))
      return readHelper({ node, name: "Object.hasOwn", reading });
    const member = memberNamed(called, reading);
    if (member !== undefined) return readMemberCall({ node, name: member, reading });
    return readMethod(node, called, reading);
  }
  return readOwnCall(node, reading);
}

const NO_IMPORT = "call the declared functions: nothing has to be imported";

function readOwnCall(node: ts.CallExpression, reading: ProgramReading): Expression {
  const of = readExpression(node.expression, reading);
  const args = node.arguments.map((argument) => readListed(argument, reading));
  const optional = ts.isOptionalChain(node);
  return { line: lineOf(node, reading), kind: "call", of, args, turn: nextTurn(reading), optional };
}

/**
 * The full name of a function in a group, such as `git.commit`; undefined for anything else. A value may have the name
 * of a group, as in `const files = await files.list({})`: its methods are called as such.
 */
function groupedNamed(
  node: ts.CallExpression,
  called: ts.PropertyAccessExpression,
  reading: ProgramReading,
): string | undefined {
  const group = bareExpression(called.expression);
  if (!ts.isIdentifier(group)) return undefined;
  const { text: member } = called.name;
  const full = `${group.text}.${member}`;
  const local = localNamed(group.text, reading);
  if (reading.functions?.has(full) || reading.groups.has(group.text))
    return local && isMethod(member) ? undefined : full;
  if (local || HOST.has(group.text) || memberNamed(called, reading)) return undefined;
  // A group that does not exist. A method is called without an object: `texts.search(/a/)`.
  const [only] = node.arguments;
  if (isMethod(member) && !(only && seenIn(only, reading).holds === "record")) return undefined;
  const known = [...(reading.functions?.keys() ?? [])];
  return known.some((one) => isSameName(memberOf(one), member)) ? full : undefined;
}

export interface NamedCall {
  node: ts.CallExpression;
  name: string;
  reading: ProgramReading;
}

/** A called name means the function on offer, even if a constant has that name. */
function readNamedCall(call: NamedCall): Expression {
  const { node, name, reading } = call;
  const line = lineOf(node, reading);
  if (isOwn(call)) return readOwnCall(node, reading);
  if (!meansTool(call)) {
    const control = controlNamed(name);
    if (control !== undefined) return readControl(call, control);
    if (name === "today") {
      repaired(node, "today() is read as today", reading);
      return { line, kind: "name", name };
    }
    if (isHelper(name)) return readHelper(call);
    if (name !== "Date" && isMade(name)) return readMade(node, name, reading);
    if (name === "Date" && node.arguments.length === 1)
      return notInLanguage(node, reading, "write new Date(…)");
    if (name === "require") return notInLanguage(node, reading, NO_IMPORT);
    if (HOST.has(name)) {
      return notInLanguage(
        node.expression,
        reading,
        INSTEAD_OF_MEMBER.get(name) ?? INSTEAD_OF_HOST,
      );
    }
  }
  return readToolCall(call);
}

/** Whether a name is that of a function of the program: known to be one, or of no function on offer. */
function isOwn({ node, name, reading }: NamedCall): boolean {
  const local = localNamed(name, reading);
  if (!local) return false;
  if (local.holds === "function" || local.kind === "parameter") return true;
  const { functions } = reading;
  if (functions?.has(name) || isHelper(name) || controlNamed(name) !== undefined) return false;
  const [only, ...others] = node.arguments;
  const isTool = others.length === 0 && (!only || seenIn(only, reading).holds === "record");
  return functions !== undefined || !isTool || node.questionDotToken !== undefined;
}

export function isMade(name: string): boolean {
  return CLASSES.has(name) || /^[A-Z]\w*Error$|^Error$/.test(name);
}

/** `new Map(…)`, `new Error(…)`: also without `new`, where JavaScript allows that. */
export function readMade(
  node: ts.CallExpression | ts.NewExpression,
  name: string,
  reading: ProgramReading,
): Expression {
  const args = (node.arguments ?? []).map((argument) => readListed(argument, reading));
  return { line: lineOf(node, reading), kind: "new", name, args, turn: nextTurn(reading) };
}

/** Helpers take no argument objects, so a call with one means the tool of the same name. */
function meansTool({ node, name, reading }: NamedCall): boolean {
  const [only, ...others] = node.arguments;
  const isOffered = reading.functions?.has(name) ?? false;
  if (!only) return isOffered;
  const isNamed = others.length === 0 && seenIn(only, reading).holds === "record";
  const isOther = controlNamed(name) === undefined && !HOST.has(name) && !isPlainHelper(name);
  return isNamed && (isOffered || isOther);
}

/** Helpers of JavaScript take objects. */
function isPlainHelper(name: string): boolean {
  return isMade(name) || ["structuredClone", "String", "Boolean", "Number"].includes(name);
}

/** `stop("…")`: ends the program as `throw` does. Undefined for anything else. */
export function readStop(node: ts.Expression, reading: ProgramReading): Statement[] | undefined {
  const call = bareExpression(node);
  if (!ts.isCallExpression(call) || !ts.isIdentifier(call.expression)) return undefined;
  const { text: name } = call.expression;
  if (name !== "stop" || meansTool({ node: call, name, reading })) return undefined;
  const read = readCall(call, reading);
  if (read.kind !== "stop") return [];
  const { line } = read;
  const reason: Expression = { line, kind: "new", name: "Error", args: [read.reason], turn: -1 };
  return [{ line: lineOf(call, reading), kind: "throw", reason }];
}

function readControl({ node, name, reading }: NamedCall, takes: number): Expression {
  const line = lineOf(node, reading);
  const site = reading.sites;
  if (name !== "stop") reading.sites += 1;
  const [first, second, ...others] = node.arguments.map((one) => readExpression(one, reading));
  const given = node.arguments.length;
  if (!first || given !== takes || others.length > 0) {
    const problem = `${name} takes ${takes} ${takes === 1 ? "argument" : "arguments"}, and ${given} were given`;
    return refuse(node, "language", problem, reading);
  }
  if (name === "stop") return { line, kind: "stop", reason: first };
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
  const helper = name.replace(/^Number\.(?=parse)/, "");
  if (isHelper(helper)) return readHelper({ ...call, name: helper });
  if (isMade(name)) return readMade(node, name, reading);
  const [only] = node.arguments;
  if (name === "Object.create" && only?.kind === ts.SyntaxKind.NullKeyword)
    return { line: lineOf(node, reading), kind: "record", fields: [] };
  return notInLanguage(node, reading, INSTEAD_OF_MEMBER.get(name));
}

function readHelper(call: NamedCall): Expression {
  const { node, name, reading } = call;
  const line = lineOf(node, reading);
  return { line, kind: "helper", name, args: readArguments(call), turn: nextTurn(reading) };
}

function readMethod(
  node: ts.CallExpression,
  called: ts.PropertyAccessExpression,
  reading: ProgramReading,
): Expression {
  const line = lineOf(node, reading);
  const { text: name } = called.name;
  if (ts.isPrivateIdentifier(called.name)) return notInLanguage(node, reading);
  if (NO_PROPERTIES.has(name)) return refuseProperty(called.name, reading);
  if (isLog(called, reading)) return readLog(node, name, reading);
  const isOwn = reading.ownKeys.has(name);
  if (name === "next" && !isOwn && !isNewIterator(called.expression))
    return refuseMethod(called, reading);
  if (!isMethod(name) && !isOwn && !node.questionDotToken) return refuseMethod(called, reading);
  const of = readExpression(called.expression, reading);
  const isWaiting = name === "then" || name === "catch" || name === "finally";
  return {
    line,
    kind: "method",
    of: of.kind === "tool" && isWaiting ? { ...of, isHeld: true } : of,
    name,
    args: readArguments({ node, name, reading }, called.expression),
    turn: nextTurn(reading),
    optional: ts.isOptionalChain(node),
    ...(isOwn && { isOwn }),
    ...(node.questionDotToken && { mayLack: true }),
  };
}

/** `console.log` and its like: several values are told one after the other. */
function readLog(node: ts.CallExpression, name: string, reading: ProgramReading): Expression {
  const line = lineOf(node, reading);
  const [first, ...others] = node.arguments;
  const isFormat = first && ts.isStringLiteralLike(first) && /%[sdifjoOc]/.test(first.text);
  if (isFormat && others.length > 0) return notInLanguage(node, reading, "write a template string");
  const values = node.arguments.map((argument) => readExpression(argument, reading));
  const parts = values.flatMap((value, at) => (at === 0 ? [value] : [" ", value]));
  const [only] = values.length === 1 ? values : [];
  const isError = ["error", "warn", "debug", "trace"].includes(name);
  return { line, kind: "log", value: only ?? { line, kind: "template", parts }, isError };
}

function isLog(called: ts.Expression, reading: ProgramReading): boolean {
  if (!ts.isPropertyAccessExpression(called)) return false;
  const of = bareExpression(called.expression);
  return ts.isIdentifier(of) && of.text === "console" && !localNamed("console", reading);
}

/** Whether nothing else can ask for the next item, so that it is the first one. */
function isNewIterator(node: ts.Expression): boolean {
  const made = bareExpression(node);
  if (!ts.isCallExpression(made) || !ts.isPropertyAccessExpression(made.expression)) return false;
  return ["entries", "keys", "matchAll", "values"].includes(made.expression.name.text);
}

const INSTEAD_OF_HOST = 'call a declared function, or need("what it should do")';

function refuseMethod(called: ts.PropertyAccessExpression, reading: ProgramReading): Expression {
  const { text: name } = called.name;
  const of = bareExpression(called.expression);
  if (ts.isIdentifier(of) && HOST.has(of.text) && !localNamed(of.text, reading)) {
    const instead = INSTEAD_OF_MEMBER.get(`${of.text}.${name}`) ?? INSTEAD_OF_HOST;
    return notInLanguage(called, reading, instead);
  }
  // The receiver may have faults of its own.
  readExpression(of, reading);
  const instead =
    INSTEAD_OF_METHOD.get(name) ??
    "functions are called by their names, as declared; methods are those of JavaScript's lists, texts, numbers, dates, Map and Set";
  const problem = `.${name}() is not in the language; ${instead}`;
  return refuse(called, "language", problem, reading);
}

/** The arguments of a method or helper, with functions that it calls. */
function readArguments(call: NamedCall, of?: ts.Expression): (Expression | Spread)[] {
  const { node, name, reading } = call;
  const records = of !== undefined && seenIn(of, reading).holds === "records";
  const item = records ? ({ holds: "record" } as const) : {};
  const isWaiting = name === "Promise.all" || name === "Promise.allSettled";
  return node.arguments.map((argument) => {
    if (ts.isSpreadElement(argument)) return readListed(argument, reading);
    const read = readCallback(argument, reading, item);
    return isWaiting && read.kind === "list" ? heldItems(read) : read;
  });
}

/** Calls that are waited for together: who waits may ask which have failed. */
function heldItems(read: At<"list">): Expression {
  const items = read.items.map((item) =>
    "kind" in item && item.kind === "tool" ? { ...item, isHeld: true as const } : item,
  );
  return { ...read, items };
}

/** A call of a function that is neither built in nor local, with one object of named arguments. */
function readToolCall(call: NamedCall): Expression {
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
