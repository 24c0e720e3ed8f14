import type { ArithmeticOperator, BinaryOperator, UnaryOperator } from "../program.js";
import { momentOf } from "./moments.js";
import { Fault, typeError } from "./signals.js";
import { textFrom, bounded, thrown, wholeOf, wordsOf } from "./textMethods.js";
import {
  joined,
  kindOf,
  number,
  ready,
  text,
  truth,
  UNDEFINED,
  type Value,
  sound,
  type BigInteger,
  type Origins,
} from "./values.js";
import { type Visit, step } from "./visit.js";
import { localText } from "./make.js";
import type { MethodCall } from "./functions.js";

export function isTrue(given: Value): boolean {
  const value = ready(given);
  return value.kind === "nothing" ? false : !isSingle(value) || Boolean(value.value);
}

export function unary(operator: UnaryOperator, given: Value): Value {
  const value = ready(given);
  const { origins } = value;
  if (operator === "void") return UNDEFINED;
  if (operator === "!") return truth(!isTrue(value), origins);
  if (operator === "typeof") return text(typeName(value), origins);
  if (value.kind === "bigint" && operator !== "+")
    return bigInteger(operator === "-" ? -value.value : ~value.value, origins);
  const read = numberOf(value);
  return number(operator === "-" ? -read : operator === "~" ? ~read : read, origins);
}

export function binary(operator: BinaryOperator, one: Value, other: Value, visit: Visit): Value {
  const [left, right] = [ready(one), ready(other)];
  const origins = joined([left.origins, right.origins]);
  switch (operator) {
    case "===":
    case "!==":
      return truth(isSame(left, right) === (operator === "==="), origins);
    case "==":
    case "!=":
      return truth(isAlike(left, right) === (operator === "=="), origins);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return truth(compares(operator, left, right), origins);
    case "in":
      return truth(hasField(left, right), origins);
    case "+":
      if (isWords(left) || isWords(right)) return textFrom([left, right], visit);
      break;
  }
  return left.kind === "bigint" || right.kind === "bigint"
    ? bigInteger(calculatedBig(operator, left, right, visit), origins)
    : number(calculated(operator, left, right), origins);
}

/** Whether `+` joins it as text. */
function isWords(value: Value): boolean {
  return value.kind === "text" || value.kind === "list";
}

/**
 * A value as a number, as in JavaScript, except that what JavaScript would silently turn into NaN, or nothing
 * into 0, is a fault.
 */
export function numberOf(given: Value): number {
  const value = ready(given);
  if (value.kind === "number" && !Number.isNaN(value.value)) return value.value;
  if (value.kind === "boolean") return Number(value.value);
  if (value.kind === "date") return momentOf(value).value;
  if (value.kind === "text" && sound(value).value.trim() !== "") {
    const read = Number(value.value);
    if (!Number.isNaN(read)) return read;
  }
  const instead = value.kind === "nothing" ? " Write `?? 0` if it may be missing." : "";
  throw new Fault(`A number is needed here, and this is ${shown(value)}.${instead}`, { value });
}

/** `===` of known values: lists and objects are the same if they are one. To compare one with words or a number is a mistake. */
export function isSame(one: Value, other: Value): boolean {
  const [left, right] = [ready(one), ready(other)];
  if (left.kind === "nothing" || right.kind === "nothing")
    return left.kind === "nothing" && right.kind === "nothing" && left.value === right.value;
  if (left.kind === "date" || right.kind === "date") return isSameDate(left, right);
  if (!isSingle(left) && !isSingle(right)) return left === right;
  // With these, any value may be compared to find out what it is.
  const isAsked = [left, right].some(
    (value) => value.kind === "boolean" || (value.kind === "text" && value.value === ""),
  );
  for (const value of [left, right]) {
    if (!isSingle(value)) {
      if (isAsked) return false;
      throw new Fault(
        `${kindOf(value).replace(/^./, (first) => first.toUpperCase())} cannot be compared with ${value === left ? kindOf(right) : kindOf(left)}. Compare one of its fields or items.`,
        { value },
      );
    }
  }
  return flawless(left) === flawless(right);
}

/** `===`, which also finds NaN the same as NaN. */
export function isSameValue(one: Value, other: Value): boolean {
  const areNaN = [ready(one), ready(other)].every(
    (value) => value.kind === "number" && Number.isNaN(value.value),
  );
  return areNaN || isSame(one, other);
}

/** As in JavaScript, two dates are never the same; to ask for that where their times are equal is a mistake. */
function isSameDate(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left.kind === right.kind && numberOf(left) !== numberOf(right)) return false;
  throw new Fault("Dates are compared by their times: one.getTime() === other.getTime().");
}

function isAlike(left: Value, right: Value): boolean {
  if (left.kind === "nothing" || right.kind === "nothing") return left.kind === right.kind;
  if (left.kind === right.kind || !isSingle(left) || !isSingle(right)) return isSame(left, right);
  return Number(flawless(left)) === Number(flawless(right));
}

type Comparison = "<" | "<=" | ">" | ">=" | "===";

function compares(operator: Comparison, left: Value, right: Value): boolean {
  // As in JavaScript: a missing date is neither before nor after another.
  if (isNull(left) && isWordOrDate(right)) return false;
  if (isNull(right) && isWordOrDate(left)) return false;
  if (left.kind === "date" || right.kind === "date") {
    // A text has no number in JavaScript, so it can only be meant as a date.
    const timeOf = (value: Value) =>
      value.kind === "text" ? momentOf(value).value : numberOf(value);
    return holds(operator, timeOf(left), timeOf(right));
  }
  if (left.kind === "text" && right.kind === "text")
    return holds(operator, sound(left).value, sound(right).value);
  return holds(operator, sizeOf(left), sizeOf(right));
}

function sizeOf(value: Value): number | bigint {
  return value.kind === "bigint" ? value.value : numberOf(value);
}

function holds<T extends string | number | bigint>(
  operator: Comparison,
  left: T,
  right: T,
): boolean {
  if (operator === "===") return left === right;
  if (operator === "<" || operator === "<=")
    return left < right || (operator === "<=" && left === right);
  return left > right || (operator === ">=" && left === right);
}

export const ARITHMETIC: Record<ArithmeticOperator, (left: number, right: number) => number> = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
  "/": (left: number, right: number) => left / right,
  "%": (left: number, right: number) => left % right,
  "**": (left: number, right: number) => left ** right,
  "&": (left: number, right: number) => left & right,
  "|": (left: number, right: number) => left | right,
  "^": (left: number, right: number) => left ^ right,
  "<<": (left: number, right: number) => left << right,
  ">>": (left: number, right: number) => left >> right,
  ">>>": (left: number, right: number) => left >>> right,
};

function calculated(operator: ArithmeticOperator, left: Value, right: Value): number {
  const [first, second] = [operand(left, operator), operand(right, operator)];
  const result = ARITHMETIC[operator](first, second);
  if (Number.isFinite(result) || !Number.isFinite(first) || !Number.isFinite(second)) return result;
  throw new Fault(`${first} ${operator} ${second} is not a number.`);
}

function operand(value: Value, operator: ArithmeticOperator): number {
  if (value.kind === "date" && operator !== "-")
    throw new Fault("Days are added to a date with addDays(date, days).", { value });
  return numberOf(value);
}

function hasField(key: Value, value: Value): boolean {
  if (value.kind !== "object" && value.kind !== "list") {
    const problem = `\`in\` asks for a field of an object, and this is ${kindOf(value)}.`;
    throw typeError(problem, value);
  }
  if (key.kind !== "text" && key.kind !== "number")
    throw new Fault(`A field has a name, and this is ${kindOf(key)}.`, { value: key });
  const name = String(flawless(key));
  const held = value.kind === "list" ? value.items : value.fields;
  return Object.hasOwn(held, name);
}

function typeName(value: Value): string {
  if (value.kind === "nothing") return value.value === null ? "object" : "undefined";
  if (value.kind === "text") return "string";
  return isSingle(value) || value.kind === "function" ? value.kind : "object";
}

type Single = Extract<Value, { kind: "number" | "bigint" | "boolean" | "text" }>;

function isSingle(value: Value): value is Single {
  return ["number", "bigint", "boolean", "text"].includes(value.kind);
}

function flawless(value: Value): Single["value"] | undefined {
  if (value.kind === "text") return sound(value).value;
  return isSingle(value) ? value.value : undefined;
}

function isNull(value: Value): boolean {
  return value.kind === "nothing" && value.value === null;
}

function isWordOrDate(value: Value): boolean {
  return isNull(value) || value.kind === "text" || value.kind === "date";
}

function shown(value: Value): string {
  if (value.kind === "text") return JSON.stringify(value.value.slice(0, 60));
  return value.kind === "number" ? String(value.value) : kindOf(value);
}

/** About 30,000 decimal digits. */
const MOST_DIGITS = 25_000;

export function bigInteger(value: bigint, origins: Origins): BigInteger {
  return { kind: "bigint", value, origins };
}

/** `BigInt(value)`. */
export function bigIntegerOf(given: Value, origins: Origins): BigInteger {
  if (given.kind === "bigint") return given;
  const from = given.kind === "number" || given.kind === "boolean" ? given.value : wordsOf(given);
  if (String(from).length > MOST_DIGITS) throw tooLarge();
  const made = thrown(() => BigInt(from));
  return bigInteger(made, origins);
}

/** An operator on two of which one is a big integer: both have to be. */
function calculatedBig(
  operator: ArithmeticOperator,
  left: Value,
  right: Value,
  visit: Visit,
): bigint {
  if (left.kind !== "bigint" || right.kind !== "bigint") {
    const other = left.kind === "bigint" ? right : left;
    throw typeError(
      `\`${operator}\` takes two big integers, and one is ${kindOf(other)}: write BigInt(…) or Number(…).`,
      other,
    );
  }
  const [one, other] = [digitsOf(left.value), digitsOf(right.value)];
  const shifted = operator === "<<" ? Number(right.value) / 4 : 0;
  const size = operator === "**" ? one * Number(right.value) : one + Math.max(other, shifted);
  step(visit, one + other);
  if (size > MOST_DIGITS) throw tooLarge();
  // The operators are the same in JavaScript.
  const work = ARITHMETIC[operator] as unknown as (left: bigint, right: bigint) => bigint;
  return thrown(() => work(left.value, right.value));
}

function digitsOf(value: bigint): number {
  return value.toString(16).length;
}

function tooLarge(): Fault {
  return new Fault("A big integer has more than 30,000 digits.", { thrownAs: "RangeError" });
}

export function bigIntegerMethod(name: string, of: BigInteger, call: MethodCall): Value {
  const args = call.known();
  const origins = joined([of, ...args].map((value) => value.origins));
  if (name === "valueOf") return of;
  if (name === "toLocaleString") return localText("NumberFormat", of.value, args, origins);
  const [base] = args;
  const made = thrown(() => of.value.toString(base && wholeOf(base)));
  return bounded(made, origins, call.visit);
}
