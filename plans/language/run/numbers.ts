import type { METHODS } from "../language.js";
import { momentOf } from "./moments.js";
import { isTrue, numberOf } from "./operators.js";
import { Fault } from "./signals.js";
import { wholeOf } from "./textMethods.js";
import { joined, number, text, type Amount, type Moment, type Value } from "./values.js";

type NumberMethod = keyof (typeof METHODS)["number"];

export const NUMBER_METHODS: Record<
  NumberMethod,
  (given: number, args: readonly Value[]) => string
> = {
  toFixed: (given, [digits]) => given.toFixed(between(digits, 0, 100) ?? 0),
  toString: (given, [radix]) => given.toString(between(radix, 2, 36) ?? 10),
  toLocaleString: (given, [, options]) => given.toLocaleString("en", digitsOf(options)),
};

export function numberMethod(name: NumberMethod, whole: Amount, args: readonly Value[]): Value {
  return text(
    NUMBER_METHODS[name](numberOf(whole), args),
    joined([whole, ...args].map(({ origins }) => origins)),
  );
}

type DateMethod = keyof (typeof METHODS)["date"];

/** All in UTC, so that a program does the same everywhere. */
export const DATE_METHODS: Record<DateMethod, (date: Date) => number | string> = {
  getTime: (date) => date.getTime(),
  valueOf: (date) => date.getTime(),
  toISOString: (date) => date.toISOString(),
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDay: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
};

export function dateMethod(name: DateMethod, whole: Moment): Value {
  const result = DATE_METHODS[name](new Date(momentOf(whole).value));
  return typeof result === "string" ? text(result, whole.origins) : number(result, whole.origins);
}

function between(value: Value | undefined, least: number, most: number): number | undefined {
  if (!value || value.kind === "nothing") return undefined;
  const whole = wholeOf(value);
  if (whole >= least && whole <= most) return whole;
  throw new Fault(`${whole} is not between ${least} and ${most}.`, { value });
}

const DIGITS = ["minimumFractionDigits", "maximumFractionDigits"] as const;

/** Of the number formats, only decimals and grouping are supported. */
function digitsOf(options: Value | undefined): Intl.NumberFormatOptions {
  if (options?.kind !== "object") return {};
  const { fields } = options;
  const digits = DIGITS.map((key) => [key, between(fields[key], 0, 100)] as const);
  const { minimumFractionDigits = 0, maximumFractionDigits = Math.max(3, minimumFractionDigits) } =
    Object.fromEntries(digits.filter(([, count]) => count !== undefined));
  return {
    minimumFractionDigits: Math.min(minimumFractionDigits, maximumFractionDigits),
    maximumFractionDigits,
    useGrouping: !fields.useGrouping || isTrue(fields.useGrouping),
  };
}
