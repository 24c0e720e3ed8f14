import { groupOf, tableOf } from "./collections.js";
import { formatOf } from "./formats.js";
import type { Given } from "./functions.js";
import { madeMoment, momentOf } from "./moments.js";
import { numberOf } from "./operators.js";
import { patternOf } from "./patterns.js";
import { Fault } from "./signals.js";
import { wholeOf, wordsOf } from "./textMethods.js";
import {
  EMPTY,
  errorOf,
  isUndefined,
  joined,
  List,
  list,
  object,
  ready,
  text,
  type Value,
} from "./values.js";
import { fitsList, iterate, type Visit } from "./visit.js";

/** `new Map(…)` and its like; the reader knows what there is. */
export function make(name: string, given: Given, visit: Visit): Value {
  const [first, second] = given.args;
  const from = first && ready(first);
  switch (name) {
    case "Map":
    case "WeakMap":
      return tableOf(itemsIn(from, visit), visit, from?.origins);
    case "Set":
    case "WeakSet":
      return groupOf(itemsIn(from, visit), visit, from?.origins);
    case "Array":
      return arrayOf(given.args, visit);
    case "Date":
      return dateOf(given.known(), visit);
    case "RegExp": {
      const origins = joined(given.known().map((value) => value.origins));
      const flags = second && !isUndefined(second) ? wordsOf(second) : undefined;
      if (from?.kind === "pattern")
        return patternOf(from.pattern.source, flags ?? from.pattern.flags, origins);
      return patternOf(wordsOf(from ?? text("")), flags ?? "", origins);
    }
    case "Object":
      return from ?? object([]);
    default:
      return name.startsWith("Intl.")
        ? formatOf(name.slice("Intl.".length), given.known())
        : newError(name, given.args);
  }
}

function itemsIn(value: Value | undefined, visit: Visit): Value[] {
  return value && value.kind !== "nothing" ? [...iterate(value, visit)] : [];
}

/** The first argument of an `AggregateError` is the list of its errors. */
function newError(name: string, args: readonly Value[]): Value {
  const all = args.map(ready);
  const errors = name === "AggregateError" ? all.shift() : undefined;
  const [message, options] = all;
  const words = message && !isUndefined(message) ? message : text("");
  const made = errorOf("", words.origins, name);
  made.fields.message = words;
  const cause = options?.kind === "object" ? options.fields.cause : undefined;
  if (cause) made.fields.cause = cause;
  if (errors) made.fields.errors = errors;
  return made;
}

/** `new Array(3)` has three empty places. */
function arrayOf(args: readonly Value[], visit: Visit): Value {
  const [only] = args;
  if (!only || args.length > 1 || ready(only).kind !== "number") return list(args);
  const size = numberOf(only);
  if (!Number.isInteger(size) || size < 0)
    throw new Fault(`A list cannot have ${size} items.`, { thrownAs: "RangeError" });
  fitsList(size, visit);
  return new List(
    Array.from({ length: size }, () => EMPTY),
    only.origins,
  );
}

function dateOf(args: readonly Value[], visit: Visit): Value {
  const [first = text(visit.inputs.today), ...others] = args;
  const origins = joined(args.map((value) => value.origins));
  if (others.length > 0) return momentOf({ kind: "number", value: utcOf(args), origins });
  return madeMoment(first);
}

/** The time of a year, month, day, … in UTC. */
export function utcOf(args: readonly Value[]): number {
  const [year = 0, month = 0, ...more] = args.map(wholeOf);
  return Date.UTC(year, month, ...more);
}
