import { beginning, midnightOf } from "../../../common/text.js";
import { localText } from "./make.js";
import type { MethodCall } from "./functions.js";
import { numberOf } from "./operators.js";
import { Fault } from "./signals.js";
import { joined, kindOf, Moment, number, type Origins, ready, text, type Value } from "./values.js";

const DAY_MS = 86_400_000;

/** The year 9999 is the last with four digits in ISO 8601. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const EARLIEST = Date.UTC(-1, 0, 1);

const ISO =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** A date in any accepted form: as ISO text (without a zone it is UTC), in milliseconds, or as a date. */
export function momentOf(given: Value): Moment {
  const value = ready(given);
  const read = readMoment(value);
  if (!read || read.unread !== undefined) throw noDate(value);
  return read;
}

/** What is not a date can be made and tested for, as in JavaScript, by its time or its text; what would be shown as a day stops. */
export function madeMoment(given: Value): Moment {
  const value = ready(given);
  const read = readMoment(value);
  const made = new Moment(read?.value ?? Number.NaN, read?.isDay ?? false, value.origins);
  made.unread = read ? read.unread : shownText(value);
  return made;
}

function noDate(value: Value): Fault {
  const shown = value.kind === "date" ? value.unread : shownText(value);
  const problem = `${shown} is not a date. Dates are texts like "2026-03-01".`;
  return new Fault(problem, { value, thrownAs: "RangeError" });
}

function shownText(value: Value): string {
  return value.kind === "text" ? JSON.stringify(beginning(value.value, 60)) : kindOf(value);
}

/** Undefined if it is not a date. */
function readMoment(value: Value): Moment | undefined {
  if (value.kind === "date") return value;
  const { origins } = value;
  if (value.kind === "number" && value.value >= EARLIEST && value.value <= LATEST)
    return new Moment(Math.trunc(value.value), false, origins);
  const read = value.kind === "text" ? readDate(value.value.trim()) : undefined;
  return read && new Moment(read.value, read.isDay, origins);
}

export function isoText(moment: Moment): string {
  const { value, isDay } = momentOf(moment);
  const text = new Date(value).toISOString();
  return isDay ? text.slice(0, 10) : text;
}

export function dayOf(value: Value): number {
  return Math.floor(momentOf(value).value / DAY_MS);
}

export function laterBy(value: Value, days: number): string {
  const moment = momentOf(value);
  const later = moment.value + Math.trunc(days) * DAY_MS;
  if (later < EARLIEST || later > LATEST) throw new Fault(`${days} days later is not a date.`);
  return isoText(new Moment(later, moment.isDay));
}

/** All in UTC, so that a program does the same everywhere. */
export function dateMethod(name: string, whole: Moment, call: MethodCall): Value {
  const args = call.known();
  const origins = joined([whole, ...args].map((value) => value.origins));
  if (whole.unread !== undefined) return unreadDate(name, whole, origins);
  const [, part = "all"] = /^toLocale(Date|Time)?String$/.exec(name) ?? [undefined, ""];
  if (part !== "")
    return localText(
      "DateTimeFormat",
      whole.value,
      args,
      whole.origins,
      part.toLowerCase() as "all",
    );
  if (name.startsWith("set")) return changed(name, whole, args);
  const date = new Date(whole.value);
  const words = textsOf(date);
  if (Object.hasOwn(words, name)) return text(words[name] ?? "", origins);
  if (name === "getTimezoneOffset") return number(0, origins);
  const utc = name.replace(/^get(?!UTC|Time)/, "getUTC") as "getTime";
  return number(date[utc](), origins);
}

function unreadDate(name: string, whole: Moment, origins: Origins): Value {
  if (name === "getTime" || name === "valueOf") return number(Number.NaN, origins);
  if (name === "toString") return text("Invalid Date", origins);
  throw noDate(whole);
}

function textsOf(date: Date): Record<string, string> {
  const [weekday = "", day = "", month = "", year = "", time = ""] = date.toUTCString().split(" ");
  const toDateString = `${weekday.slice(0, 3)} ${month} ${day} ${year}`;
  const toTimeString = `${time} GMT+0000 (Coordinated Universal Time)`;
  const toISOString = date.toISOString();
  return {
    toISOString,
    toJSON: toISOString,
    toUTCString: date.toUTCString(),
    toDateString,
    toTimeString,
    toString: `${toDateString} ${toTimeString}`,
  };
}

/** A date keeps being a day alone while only days of it are changed. */
function changed(name: string, whole: Moment, args: readonly Value[]): Value {
  const date = new Date(whole.value);
  const utc = name.replace(/^set(?!UTC|Time)/, "setUTC") as "setUTCHours";
  const [first = Number.NaN, ...more] = args.map(numberOf);
  const value = date[utc](first, ...more);
  if (!(value >= EARLIEST && value <= LATEST)) throw new Fault(`${name} gives no date.`);
  whole.value = value;
  whole.isDay &&= value % DAY_MS === 0;
  whole.change(args);
  return number(value, whole.origins);
}

function readDate(text: string): { value: number; isDay: boolean } | undefined {
  if (text.length > 60) return undefined;
  const parts = ISO.exec(text);
  return parts ? isoDate(parts) : otherDate(text);
}

function isoDate(parts: RegExpExecArray) {
  const [, year, month = "01", day = "01", hour, minute, second = "00", fraction = "", zone = "Z"] =
    parts;
  const date = `${year}-${month}-${day}`;
  const midnight = midnightOf(date);
  if (midnight === undefined) return undefined;
  if (hour === undefined) return { value: midnight, isDay: true };
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const milliseconds = `${fraction}000`.slice(0, 3);
  const value = Date.parse(`${date}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  return Number.isNaN(value) ? undefined : { value, isDay: false };
}

/** `March 1, 2026`, `1 March 2026 10:00`, `2026/3/1`: read as UTC on any machine. */
function otherDate(text: string) {
  if (!/[a-z]{3}.*\d{4}|\d{4}.*[a-z]{3}|^\d{4}[/-]\d/i.test(text)) return undefined;
  const hasZone = /\b(?:UTC|GMT|Z)\b|[+-]\d{4}\b/.test(text);
  const value = Date.parse(hasZone ? text : `${text} UTC`);
  return Number.isNaN(value) ? undefined : { value, isDay: !/\d:\d/.test(text) };
}
