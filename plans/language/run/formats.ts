import type { Expression } from "../program.js";
import type { MethodCall } from "./functions.js";
import { momentOf } from "./moments.js";
import { numberOf } from "./operators.js";
import { typeError } from "./signals.js";
import { hostOf, thrown, wordsOf } from "./textMethods.js";
import {
  type Callback,
  type Format,
  joined,
  list,
  number,
  type Origins,
  text,
  UNDEFINED,
  type Value,
  valueOf,
} from "./values.js";
import { fitsList, iterate } from "./visit.js";

/*
 * Words for numbers and dates, as the host's `Intl` has them. Where a program does not choose, the language is English
 * and the time zone UTC, so that it does the same everywhere.
 */

type Made = Intl.NumberFormat & Intl.DateTimeFormat & Intl.PluralRules & Intl.Collator;

const ENGLISH = "en-US";

/** `new Intl.NumberFormat(locales, options)` and its like. */
export function formatOf(name: string, args: readonly Value[]): Format {
  const [locales = UNDEFINED, options = UNDEFINED] = args;
  const made: Format = {
    kind: "format",
    name,
    locales: hostOf(locales) as Format["locales"],
    options: { ...(name === "DateTimeFormat" && UTC), ...(hostOf(options) as object) },
    origins: joined(args.map((value) => value.origins)),
  };
  hosted(made);
  return made;
}

const UTC = { timeZone: "UTC" };

/** Making one takes long, and a program asks for the same one for each of its items. */
const known = new Map<string, Made>();
const MOST_KNOWN = 50;

/** Its error is one that the program may catch: an unknown language or currency. */
function hosted({ name, locales, options }: Pick<Format, "name" | "locales" | "options">): Made {
  const key = JSON.stringify([name, locales, options]);
  const before = known.get(key);
  if (before) return before;
  const Class = Intl[name as "NumberFormat"];
  const made = thrown(() => new Class(locales ?? ENGLISH, options)) as Made;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

const DATE = { year: "numeric", month: "numeric", day: "numeric" };
const TIME = { hour: "numeric", minute: "numeric", second: "numeric" };
const DATE_PARTS = ["weekday", "year", "month", "day", "dateStyle"];
const TIME_PARTS = "hour minute second fractionalSecondDigits dayPeriod timeStyle".split(" ");

/** `toLocaleString` and its like. */
export function localText(
  name: "NumberFormat" | "DateTimeFormat",
  value: number,
  args: readonly Value[],
  from: Origins,
  parts?: "all" | "date" | "time",
): Value {
  const { locales, options } = formatOf(name, args);
  const asked =
    parts === "date" ? DATE_PARTS : parts === "time" ? TIME_PARTS : [...DATE_PARTS, ...TIME_PARTS];
  const isChosen = asked.some((one) => Object.hasOwn(options, one));
  const all = { ...(parts !== "time" && DATE), ...(parts !== "date" && TIME) };
  const format = hosted({ name, locales, options: { ...(parts && !isChosen && all), ...options } });
  return text(format.format(value), joined([from, ...args.map((one) => one.origins)]));
}

/** A method of an object of `Intl`. */
export function formatMethod(name: string, of: Format, call: MethodCall): Value {
  const args = call.known();
  const origins = joined([of, ...args].map((value) => value.origins));
  const given = args.map((value) => hostArgument(of, value, call));
  const method = hosted(of)[name as "format"] as ((...args: unknown[]) => unknown) | undefined;
  if (typeof method !== "function") throw typeError(`Intl.${of.name} has no method \`${name}\`.`);
  const made = thrown(() => method.apply(hosted(of), given));
  if (typeof made === "number") return number(made, origins);
  if (typeof made === "string") return text(made, origins);
  const parts: Value[] = [];
  if (!(Symbol.iterator in Object(made))) return valueOf({ ...Object(made) }, origins);
  for (const part of made as Iterable<unknown>) {
    parts.push(valueOf({ ...Object(part) }, origins));
    fitsList(parts.length, call.visit);
  }
  return list(parts, origins);
}

/** `format.format` as a value, such as `map` may be given: it belongs to its object for good. */
export function boundMethod(of: Format, name: string): Callback {
  const line = 0;
  const names = name === "compare" || name === "formatRange" ? ["one", "other"] : ["one"];
  const named = (one: string) => ({ line, kind: "name", name: one }) as const;
  const parameters = names.map((one) => ({
    pattern: { kind: "name", name: one } as const,
    otherwise: undefined,
    isRest: false,
  }));
  const call = { kind: "method", of: named("of"), name, args: names.map(named) } as const;
  const body: Expression = { line, ...call, turn: -1, optional: false };
  return {
    kind: "function",
    written: { line, kind: "function", parameters, body, isAsync: false, isInline: true },
    scope: { names: new Map([["of", of]]), outer: undefined },
    origins: of.origins,
  };
}

function hostArgument({ name }: Format, value: Value, { visit }: MethodCall): unknown {
  if (name === "DateTimeFormat") return momentOf(value).value;
  if (name === "ListFormat") return [...iterate(value, visit)].map(wordsOf);
  if (name === "Collator" || value.kind === "text") return wordsOf(value);
  return numberOf(value);
}
