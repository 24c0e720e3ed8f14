import type { ArithmeticOperator } from "../program.js";
import { localText } from "./make.js";
import type { MethodCall } from "./functions.js";
import { ARITHMETIC } from "./operators.js";
import { Fault, typeError } from "./signals.js";
import { bounded, thrown, wholeOf, wordsOf } from "./textMethods.js";
import { type BigInteger, joined, kindOf, type Origins, type Value } from "./values.js";
import { step, type Visit } from "./visit.js";

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
export function calculatedBig(
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
