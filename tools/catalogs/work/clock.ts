import { InvalidSetting } from "../../../common/errors.js";

/** The day on which the clock stands still: a Wednesday in the middle of a sprint. */
export const TODAY = "2025-03-12";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_IN_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the text if it is an existing day.
 *
 * @param what the argument's name
 * @throws InvalidSetting for another form, and for days such as 30 February
 */
export function requireDay(what: string, text: string): string {
  const time = DAY.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  // JavaScript reads 30 February as 2 March.
  const isDay = time && !Number.isNaN(time.getTime()) && dayOf(time) === text;
  if (isDay) return text;
  throw new InvalidSetting({
    setting: what,
    problem: `"${text}" is not a day`,
    hint: `Write it as YYYY-MM-DD; today is ${TODAY}`,
  });
}

/** The day that is `days` after another one, or before it if `days` is negative. */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_IN_MS));
}

/** How many days `to` is after `from`. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_IN_MS;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, "YYYY-MM-DD".length);
}
