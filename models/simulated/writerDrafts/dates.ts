import { fenced, type WriterScript } from "./script.js";

const WEEKDAY = String.raw`/**
 * English name of the weekday of a date.
 * @param date The date as YYYY-MM-DD.
 * @returns the weekday, such as Monday
 * @example weekday_of_date("2024-02-29") => "Thursday"
 * @example weekday_of_date("2023-02-29") => throws
 */
export function weekday_of_date(date: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date + "T00:00:00Z") : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) {
    throw new Error("no date of the form YYYY-MM-DD: " + JSON.stringify(date));
  }
  const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  return names[new Date(time).getUTCDay()];
}`;

const WORKING_DAYS = String.raw`/**
 * Counts the working days, Monday to Friday, from one date to another, both included.
 * @param first The first date as YYYY-MM-DD.
 * @param last The last date as YYYY-MM-DD; not before the first one.
 * @returns the number of working days
 * @example count_working_days("2024-01-01", "2024-01-07") => 5
 * @example count_working_days("2024-01-06", "2024-01-06") => 0
 * @example count_working_days("2024-01-02", "2024-01-01") => throws
 */
export function count_working_days(first: string, last: string): number {
  const dayMs = 24 * 60 * 60 * 1000;
  const timeOf = (date: string): number => {
    const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date + "T00:00:00Z") : Number.NaN;
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) {
      throw new Error("no date of the form YYYY-MM-DD: " + JSON.stringify(date));
    }
    return time;
  };
  const [from, to] = [timeOf(first), timeOf(last)];
  if (to < from) throw new Error(last + " is before " + first);
  let count = 0;
  for (let time = from; time <= to; time += dayMs) {
    const day = new Date(time).getUTCDay();
    if (day !== 0 && day !== 6) count += 1;
  }
  return count;
}`;

const TWO_FUNCTIONS = String.raw`function isWorkingDay(time: number): boolean {
  const day = new Date(time).getUTCDay();
  return day !== 0 && day !== 6;
}

/**
 * Counts the working days from one date to another.
 * @param first The first date as YYYY-MM-DD.
 * @param last The last date as YYYY-MM-DD.
 * @returns the number of working days
 * @example count_working_days("2024-01-01", "2024-01-07") => 5
 * @example count_working_days("2024-01-06", "2024-01-06") => 0
 */
export function count_working_days(first: string, last: string): number {
  let count = 0;
  for (let time = Date.parse(first); time <= Date.parse(last); time += 86400000) {
    if (isWorkingDay(time)) count += 1;
  }
  return count;
}`;

const WITHOUT_END = String.raw`/**
 * Counts the working days from one date to another.
 * @param first The first date as YYYY-MM-DD.
 * @param last The last date as YYYY-MM-DD.
 * @returns the number of working days
 * @example count_working_days("2024-01-01", "2024-01-07") => 5
 * @example count_working_days("2024-01-06", "2024-01-06") => 0
 */
export function count_working_days(first: string, last: string): number {
  const countFrom = (time: number): number => {
    const day = new Date(time).getUTCDay();
    return (day !== 0 && day !== 6 ? 1 : 0) + (time > Date.parse(last) ? 0 : countFrom(time));
  };
  return countFrom(Date.parse(first));
}`;

/** What the writer replies to requests for tools that compute with dates. */
export const DATES: readonly WriterScript[] = [
  {
    about: "name of the weekday",
    wish: { kind: "create", task: "Gives the English name of the weekday of a date." },
    drafts: [
      {
        reply: fenced(WEEKDAY.replace("date: string): string", "date: string): number")),
        fault: "types",
      },
      { reply: fenced(WEEKDAY) },
    ],
  },
  {
    about: "counts the working days",
    wish: { kind: "create", task: "Counts the working days from one date to another." },
    drafts: [
      { reply: fenced(TWO_FUNCTIONS), fault: "rules" },
      // Calls itself with the same day for ever.
      { reply: fenced(WITHOUT_END), fault: "limit" },
      { reply: fenced(WORKING_DAYS) },
    ],
  },
];
