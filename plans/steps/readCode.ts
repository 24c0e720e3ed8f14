import { DEEPEST_ARGUMENTS } from "../../common/bounds.js";
import { codeNames } from "../../common/codeNames.js";
import type { CheckedPlan, PlanReference, PlanStep, PlanTool, PlanValue } from "./plan.js";
import { issueLine } from "../language/progress.js";
import {
  parametersOf,
  type At,
  type Expression,
  type Program,
  type ProgramIssue,
  type Statement,
  ARITHMETIC_OPERATORS,
  type ArithmeticOperator,
} from "../language/program.js";
import { readProgram } from "../language/readProgram.js";
import { ARITHMETIC } from "../language/run/operators.js";
import {
  isPlainObject,
  isReference,
  isText,
  readText,
  referencesIn,
  textOf,
} from "./references.js";

/**
 * The plan in code that a model wrote ("AI Agent 007", tools shown as functions): calls of tools with literals
 * and earlier results, assigned to names. The code is read like a program and never run. Arithmetic
 * on known values is done; operators on results, loops, conditions and functions are refused. `verifyPlan` checks whether the calls fit the tools. Returned values are ignored, except for calls in
 * them.
 *
 * @param tools their names for models become ids
 * @returns an empty plan with an issue `unreadable` if the code has anything else
 */
export function readCode(text: string, tools: PlanTool[]): CheckedPlan {
  const known = codeTools(tools);
  if (text.replaceAll(/```[^\n]*/g, "").trim() === "") return planOf([]);
  const read = readProgram(text, { functions: parametersOf(known), isPart: true });
  if ("issues" in read) return unreadable(read.issues.slice(0, 1).map(issueText).join());
  const { body, code } = read.program;
  const reading: CodeReading = { code, tools: known, steps: [], values: new Map() };
  try {
    for (const [at, statement] of body.entries())
      readStatement(statement, reading, at === body.length - 1);
    return planOf(reading.steps);
  } catch (error) {
    if (error instanceof UnreadableCode) return unreadable(error.message);
    throw error;
  }
}

interface CodeReading extends Pick<Program, "code"> {
  tools: ReadonlyMap<string, PlanTool>;
  steps: PlanStep[];
  values: Map<string, PlanValue | undefined>;
}

class UnreadableCode extends Error {}

function planOf(steps: PlanStep[]): CheckedPlan {
  return { plan: { steps, answer: "" }, repairs: [], issues: [] };
}

function unreadable(problem: string): CheckedPlan {
  return { ...planOf([]), issues: [{ kind: "unreadable", problem }] };
}

/** Tools by their names in code, their names for models, and their ids. */
function codeTools(tools: readonly PlanTool[]): ReadonlyMap<string, PlanTool> {
  const names = codeNames(tools.map(nameOf));
  return new Map([
    ...tools.map((tool) => [tool.id, tool] as const),
    ...tools.map((tool) => [nameOf(tool), tool] as const),
    ...tools.map((tool) => [names.get(nameOf(tool)) ?? tool.id, tool] as const),
  ]);
}

function nameOf({ id, name = id }: PlanTool): string {
  return name;
}

function readStatement(statement: Statement, reading: CodeReading, isLast: boolean): void {
  const { values } = reading;
  const { kind } = statement;
  if (kind === "declare" && statement.pattern.kind === "name") {
    values.set(statement.pattern.name, readValue(statement.value, reading));
  } else if (kind === "do" && statement.value.kind === "assign") {
    readAssignment(statement.value, reading);
  } else if (kind === "return" && isLast) {
    if (statement.value) readValue(statement.value, reading);
  } else if (kind === "do") {
    const value = readValue(statement.value, reading);
    if (statement.value.kind === "tool") return;
    // Data without references is a plan in another form, or computed by the model itself.
    if (!isLast || !(isNothing(value) || referencesIn(value).length > 0))
      throw notAllowed(statement, reading);
  } else throw notAllowed(statement, reading);
}

function readAssignment(assignment: At<"assign">, reading: CodeReading): void {
  const { line, to, operator, value } = assignment;
  const isArithmetic = ARITHMETIC_OPERATORS.some((one) => one === operator);
  if (to.kind !== "name" || (operator && !isArithmetic)) throw notAllowed(assignment, reading);
  const left: Expression = { line, kind: "name", name: to.name };
  const after: Expression = operator
    ? { line, kind: "binary", operator: operator as ArithmeticOperator, left, right: value }
    : value;
  reading.values.set(to.name, readValue(after, reading));
}

/** `undefined`, `null` or `[]`: how a model says that nothing can be done. */
function isNothing(value: PlanValue | undefined): value is undefined | null {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** A program may do more than a plan, so its advice is not for plans. */
function issueText(issue: ProgramIssue): string {
  return issueLine(issue).replace(/ is not in the language; .*$/s, ` is not allowed; ${ALLOWED}`);
}

const ALLOWED =
  "write only lines such as const r0 = tool({ name: value }); with literals, lists, objects, `texts with ${r0.field}` and earlier results (r0, r0.field, r0[0]); operators take values that are known, and whatever has to be computed from results is a call of a tool";

const LONGEST_QUOTE = 60;

function notAllowed({ line }: { line: number }, { code }: CodeReading): UnreadableCode {
  const written = code.split("\n")[line - 1]?.trim() ?? "";
  return new UnreadableCode(
    `line ${line}: "${written.slice(0, LONGEST_QUOTE)}" is not allowed; ${ALLOWED}`,
  );
}

/**
 * The value of an expression: data, or a reference to the output of a call. Calls in it become steps, inner ones first.
 *
 * @returns undefined for `undefined`
 * @throws UnreadableCode
 */
function readValue(expression: Expression, reading: CodeReading): PlanValue | undefined {
  const value = valueOf(expression, reading);
  if (value === undefined || sizeOf(value) <= LARGEST) return value;
  throw new UnreadableCode(`line ${expression.line}: the value is too large, or nested too deeply`);
}

/** Bounds data: names for lists of names for lists, or texts of texts, make a few lines huge. */
const LARGEST = 5000;

const CHARACTERS = 1000;

function sizeOf(value: PlanValue, depth = 0): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return 1;
  if (depth > DEEPEST_ARGUMENTS) return Infinity;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.reduce<number>((sum, one) => sum + sizeOf(one as PlanValue, depth + 1), 1);
}

function valueOf(expression: Expression, reading: CodeReading): PlanValue | undefined {
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "string" ? readText(expression.value) : expression.value;
    case "name":
      if (reading.values.has(expression.name)) return reading.values.get(expression.name);
      throw notAllowed(expression, reading);
    case "template":
      return textOf(expression.parts.flatMap((part) => textParts(part, reading)).reduce(join, []));
    case "list":
      return expression.items.map((item) => {
        if ("spread" in item) throw notAllowed(expression, reading);
        return given(item, reading);
      });
    case "record":
      return readRecord(expression, reading);
    case "field":
      return partOf(expression, { part: expression.key, reading });
    case "item":
      return partOf(expression, { part: readValue(expression.at, reading), reading });
    case "unary":
      return signed(expression, reading);
    case "binary":
      return readOperation(expression, reading);
    case "tool":
      return readCall(expression, reading);
    case "await":
      return readValue(expression.value, reading);
    case "method": {
      const [at] = expression.name === "at" ? expression.args : [];
      if (at && !("spread" in at))
        return partOf(expression, { part: readValue(at, reading), reading });
      throw notAllowed(expression, reading);
    }
    default:
      throw notAllowed(expression, reading);
  }
}

/** A value in a list or text, which must exist. */
function given(expression: Expression, reading: CodeReading): PlanValue {
  const value = readValue(expression, reading);
  if (value !== undefined) return value;
  throw new UnreadableCode(
    `line ${expression.line}: a list or a text holds undefined; leave it out`,
  );
}

function readRecord(record: At<"record">, reading: CodeReading): Record<string, PlanValue> {
  const entries = record.fields.flatMap((field): [string, PlanValue][] => {
    if ("spread" in field || typeof field.key !== "string") throw notAllowed(record, reading);
    const value = readValue(field.value, reading);
    return value === undefined ? [] : [[field.key, value]];
  });
  return Object.fromEntries(entries);
}

function textParts(part: string | Expression, reading: CodeReading): (string | PlanReference)[] {
  if (typeof part === "string") return [part];
  const parts = partsIn(given(part, reading));
  if (!parts) throw notAllowed(part, reading);
  return parts;
}

/** The parts that a value adds to a text; undefined for lists and objects. */
function partsIn(value: PlanValue): (string | PlanReference)[] | undefined {
  if (isReference(value)) return [value];
  if (isText(value)) return value.$text;
  return typeof value === "object" && value !== null ? undefined : [String(value)];
}

/** Joins adjacent texts and drops empty ones. */
function join(
  parts: (string | PlanReference)[],
  part: string | PlanReference,
): (string | PlanReference)[] {
  const last = parts.at(-1);
  if (part === "") return parts;
  return typeof part === "string" && typeof last === "string"
    ? [...parts.slice(0, -1), last + part]
    : [...parts, part];
}

/** A number with a sign; subtracting from 0 turns -0 into 0. */
function signed(expression: At<"unary">, reading: CodeReading): number {
  const { operator } = expression;
  const value = readValue(expression.value, reading);
  if (typeof value !== "number" || (operator !== "-" && operator !== "+"))
    throw notAllowed(expression, reading);
  return operator === "-" ? 0 - value : value;
}

type Arithmetic = (typeof ARITHMETIC)[ArithmeticOperator];

/** The result of arithmetic on known numbers, or texts put together. (The report's runtime overloads operators.) */
function readOperation(operation: At<"binary">, reading: CodeReading): PlanValue {
  const { operator } = operation;
  const [one, other] = [given(operation.left, reading), given(operation.right, reading)];
  const isJoining =
    operator === "+" && [one, other].some((side) => typeof side === "string" || isText(side));
  if (isJoining) {
    const sides = [one, other].map(partsIn).filter((side) => side !== undefined);
    if (sides.length < 2) throw notAllowed(operation, reading);
    return textOf(sides.flat().reduce(join, []));
  }
  if (typeof one !== "number" || typeof other !== "number") throw notAllowed(operation, reading);
  const work = ARITHMETIC[operator as ArithmeticOperator] as Arithmetic | undefined;
  const result = work?.(one, other);
  if (result === undefined || !Number.isFinite(result)) throw notAllowed(operation, reading);
  return result;
}

/** A part of a result, or of data that is written out. */
function partOf(
  expression: At<"field" | "item" | "method">,
  { part, reading }: { part: PlanValue | undefined; reading: CodeReading },
): PlanValue {
  const isKnown = typeof part === "string" || (typeof part === "number" && Number.isInteger(part));
  if (!isKnown) throw notAllowed(expression, reading);
  const whole = readValue(expression.of, reading);
  if (isReference(whole)) return { ...whole, path: [...whole.path, part] };
  const value =
    Array.isArray(whole) && typeof part === "number"
      ? whole.at(part)
      : isPlainObject(whole) && !isText(whole) && Object.hasOwn(whole, part)
        ? (whole as Record<string, PlanValue>)[part]
        : undefined;
  if (value === undefined) throw notAllowed(expression, reading);
  return value;
}

/** An unknown tool is left to the check of the plan, which may know what was meant. */
function readCall(call: At<"tool">, reading: CodeReading): PlanReference {
  const whole = call.args ? readValue(call.args, reading) : {};
  const isValue = !isPlainObject(whole) || isReference(whole) || isText(whole);
  const isAlone = isValue && whole !== undefined && call.alone !== undefined;
  const args = isAlone ? { [call.alone ?? ""]: whole } : whole;
  if (!isPlainObject(args) || isReference(args) || isText(args)) throw notAllowed(call, reading);
  const tool = reading.tools.get(call.name)?.id ?? call.name;
  return outputOf({ tool, args }, reading);
}

/** Adds a step; its output is identified by its position. */
function outputOf(step: PlanStep, { steps }: CodeReading): PlanReference {
  steps.push(step);
  return { $prev: steps.length - 1, path: [] };
}
