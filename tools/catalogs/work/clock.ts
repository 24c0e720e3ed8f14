import { InvalidSetting } from "../../../common/errors.js";
import { midnightOf } from "../../../common/text.js";

/** The day on which the clock stands still: a Wednesday in the middle of a sprint. */
export const TODAY = "2025-03-12";

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the text if it is an existing day.
 *
 * @param what the argument's name
 * @throws InvalidSetting for another form, and for days such as 30 February
 */
export function requireDay(what: string, text: string): string {
  if (midnightOf(text) !== undefined) return text;
  throw new InvalidSetting({
    setting: what,
    problem: `"${text}" is not a day`,
    hint: `Write it as YYYY-MM-DD; today is ${TODAY}`,
  });
}

/** The day that is `days` after another one, or before it if `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_IN_MS).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** How many days `to` is after `from`. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_IN_MS;
}
