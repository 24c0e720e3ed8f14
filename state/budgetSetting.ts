import { InvalidSetting, oneLine } from "../common/errors.js";
import type { Settings } from "./settings.js";

/** What a run may spend: units count tool calls only, dollars count tokens too. */
export interface Budget {
  /** Finite and above zero. */
  amount: number;
  unit: "units" | "usd";
}

const BUDGET = /^(\$ ?)?(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?) ?(units?|usd|\$)?$/i;

/**
 * The setting `budget` as an amount: `20`, `"20"` and `"20 units"` are units; `"$0.05"`, `"0.05$"` and `"0.05
 * usd"` are dollars. Undefined for a run without a budget.
 *
 * @throws {@link InvalidSetting} for anything else, including amounts of zero or less
 */
export function readBudget({ budget }: Pick<Settings, "budget">): Budget | undefined {
  if (budget === undefined) return undefined;
  const text = String(budget).trim();
  const [, dollar, digits, word = "units"] = BUDGET.exec(text) ?? [];
  const amount = Number(digits);
  const isDollars = dollar !== undefined || !/^units?$/i.test(word);
  if (amount > 0 && Number.isFinite(amount)) return { amount, unit: isDollars ? "usd" : "units" };
  throw new InvalidSetting({
    setting: "budget",
    problem: `"${oneLine(text)}" is not an amount above zero`,
    hint: "Write 20 for units (calls of tools), or '$0.05' for dollars (tokens and calls)",
  });
}

/** Decimals shown; a call of a cheap model costs so little that dollars need six. */
const DIGITS = { units: 3, usd: 6 };

/** An amount of a budget: "3 units", "1 unit", "$0.0125". */
export function amountText({ amount, unit }: Budget): string {
  const shown = numberText(amount, DIGITS[unit]);
  if (unit === "usd") return `$${shown}`;
  return `${shown} ${shown === "1" ? "unit" : "units"}`;
}

/** What was used of a budget: "18 of 20 units", "$0.01 of $0.05". */
export function shareText({ part, amount, unit }: Budget & { part: number }): string {
  const whole = amountText({ amount, unit });
  return unit === "usd"
    ? `${amountText({ amount: part, unit })} of ${whole}`
    : `${numberText(part, DIGITS.units)} of ${whole}`;
}

export function callsText(count: number): string {
  return `${count} ${count === 1 ? "call" : "calls"}`;
}

/** A number with at most this many decimals and no trailing zeros. */
export function numberText(value: number, digits: number): string {
  return `${Number(value.toFixed(digits))}`;
}
