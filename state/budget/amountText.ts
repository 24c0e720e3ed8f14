import type { Budget } from "../budgetSetting.js";

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

/** A number of calls in words. */
export function callsText(count: number): string {
  return `${count} ${count === 1 ? "call" : "calls"}`;
}

/** A number with at most this many decimals and no trailing zeros. */
export function numberText(value: number, digits: number): string {
  return `${Number(value.toFixed(digits))}`;
}
