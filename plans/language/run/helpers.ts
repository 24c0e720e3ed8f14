import { CONSTANTS, ENDLESS, HELPERS } from "../language.js";
import type { At } from "../program.js";
import { bigIntegerOf, isSame, isTrue, numberOf } from "./operators.js";
import { gathered, grouped, groupOf, tableOf } from "./collections.js";
import { type Given, type Work, workOf } from "./functions.js";
import { eachOf } from "./listMethods.js";
import { jsonIn, jsonOf, plainOf } from "./plain.js";
import { utcOf } from "./make.js";
import { dayOf, laterBy, madeMoment, momentOf } from "./moments.js";
import { passOver } from "./reach.js";
import { Fault, Thrown, typeError, Undecided } from "./signals.js";
import { bounded, textFrom, thrown, wholeOf, wordsOf } from "./textMethods.js";
import {
  asList,
  Fields,
  isContainer,
  isUndefined,
  joined,
  kindOf,
  list,
  number,
  object,
  originsIn,
  ready,
  text,
  truth,
  UNDEFINED,
  type Origins,
  type Value,
  sound,
} from "./values.js";
import { fitsList, itemsOf, iterate, step, type Visit } from "./visit.js";

export interface HelperCall {
  name: string;
  origins: Origins;
  work: Work | undefined;
  visit: Visit;
}

type Helper = (args: [Value, Value, Value], call: HelperCall, all: readonly Value[]) => Value;

/** The helpers of the language, by name; functions of `Math` that are not among them are those of the host. */
const HELPER_FUNCTIONS: Readonly<Record<string, Helper>> = {
  daysBetween: ([first, last], { origins }) => number(dayOf(last) - dayOf(first), origins),
  addDays: ([date, days], { origins }) => text(laterBy(date, numberOf(days)), origins),
  sum: ([given], { origins, visit }) => number(total(numbers(given, visit)), origins),
  average: ([given], { origins, visit }) => {
    const values = numbers(given, visit);
    if (values.length === 0) throw new Fault("An empty list has no average.", { value: given });
    return number(total(values) / values.length, origins);
  },
  round: ([given, digits], { origins }) =>
    number(rounded(numberOf(given), isThere(digits) ? wholeOf(digits) : 0), origins),
  unique: ([given], { origins, visit }) => list(unique(given, visit), origins),
  groupBy: ([given], call) => groupsOf(given, call),
  noFunctionNeeded: ([answer]) => answer,

  Number: ([given], { origins }) => number(asNumber(given), origins),
  String: ([given], { visit }) => textFrom([given], visit),
  Boolean: ([given], { origins }) => truth(isTrue(given), origins),
  BigInt: ([given], { origins }) => bigIntegerOf(given, origins),
  parseInt: ([given, radix], { origins }) =>
    number(Number.parseInt(digitsOf(given), isThere(radix) ? wholeOf(radix) : undefined), origins),
  parseFloat: ([given], { origins }) => number(Number.parseFloat(digitsOf(given)), origins),
  isNaN: ([given], { origins }) => truth(Number.isNaN(asNumber(given)), origins),
  isFinite: ([given], { origins }) => truth(Number.isFinite(asNumber(given)), origins),

  structuredClone: ([given], { visit }) => cloned(given, visit, new Map()),
  encodeURIComponent: coded(encodeURIComponent),
  decodeURIComponent: coded(decodeURIComponent),
  encodeURI: coded(encodeURI),
  decodeURI: coded(decodeURI),

  atob: coded(atob),
  btoa: coded(btoa),

  "Number.isSafeInteger": ([given], { origins }) =>
    truth(Number.isSafeInteger(host(given)), origins),
  "String.fromCharCode": (args, call) => fromCodes(args, call),
  "String.fromCodePoint": (args, call) => fromCodes(args, call),
  "Number.isInteger": ([given], { origins }) => truth(Number.isInteger(host(given)), origins),
  "Number.isFinite": ([given], { origins }) => truth(Number.isFinite(host(given)), origins),
  "Number.isNaN": ([given], { origins }) => truth(Number.isNaN(host(given)), origins),
  "Object.keys": listing((key) => key),
  "Object.values": listing((_, value) => value),
  "Object.entries": listing((key, value, origins) => list([key, value], origins)),
  "Object.fromEntries": ([given], { origins, visit }) => object(entries(given, visit), origins),
  "Object.assign": ([to], { visit }, all) => assigned(to, all.slice(1), visit),
  "Object.freeze": ([given]) => given,
  "Object.hasOwn": ([given, key], { origins, visit }) =>
    truth(
      entriesOf(given, visit).some(([name]) => name === wordsOf(key)),
      origins,
    ),
  "Object.is": ([one, other], { origins }) => {
    const areNumbers = one.kind === "number" && other.kind === "number";
    return truth(areNumbers ? Object.is(one.value, other.value) : isSame(one, other), origins);
  },
  "Object.groupBy": ([given], call) => groupedOf(given, call),
  "Map.groupBy": ([given], call) => groupedOf(given, call),
  "Array.isArray": ([given], { origins }) => truth(given.kind === "list", origins),
  "Array.from": ([given], { origins, work, visit }) => {
    const items = sequence(given, visit);
    return list(
      work ? eachOf(items, { work, whole: list(items, origins), visit }) : items,
      origins,
    );
  },
  "Array.of": (_, __, all) => list(all),
  "JSON.stringify": ([given, only, space], call) => {
    const keys = only.kind === "list" ? only.items.map(wordsOf) : undefined;
    return jsonOf(given, { keys, space: call.work ? only : space }, call);
  },
  "JSON.parse": ([given], call) => jsonIn(given, call),
  "Date.parse": ([given], { origins }) => number(momentOf(given).value, origins),
  "Date.UTC": (_, { origins }, all) => number(utcOf(all), origins),
  "Promise.all": ([given], { visit }) => {
    for (const item of iterate(given, visit)) if (item.kind === "failed") ready(item);
    return given;
  },
  "Promise.allSettled": ([given], { visit }) => list([...iterate(given, visit)].map(settled)),
  "Promise.resolve": ([given]) => given,
  "Promise.reject": ([given], { visit }) => {
    const error = new Thrown(given, { line: 1 });
    const made = { kind: "failed", error, origins: given.origins } as const;
    visit.failures.push(made);
    return made;
  },
  "Date.now": (_, { visit }) => number(momentOf(text(visit.inputs.today)).value),

  "Math.max": math((...values) => most(values, Math.max)),
  "Math.min": math((...values) => most(values, Math.min)),
};

export function runHelper({ name, turn }: At<"helper">, given: Given, visit: Visit): Value {
  if (Object.hasOwn(CONSTANTS, name)) return number(CONSTANTS[name] ?? 0);
  if (Object.hasOwn(ENDLESS, name)) return number(ENDLESS[name] ?? 0);
  if (!Object.hasOwn(HELPERS, name)) throw new Fault(`There is no function ${name}.`);
  try {
    const isMaking = name === "Array.of" || name === "Promise.resolve" || name === "Promise.reject";
    const all = (isMaking ? [...given.args] : given.known()).filter(
      ({ kind }) => kind !== "function",
    );
    const work = workOf({ ...given, turn, visit });
    const origins = joined(all.map(originsIn));
    const [first = UNDEFINED, second = UNDEFINED, third = UNDEFINED] = all;
    const helper = HELPER_FUNCTIONS[name] ?? math(Math[name.slice("Math.".length) as "hypot"]);
    return helper([first, second, third], { name, origins, work, visit }, all);
  } catch (error) {
    if (error instanceof Undecided) skip(name, given, visit);
    throw error;
  }
}

function listing(part: (key: Value, value: Value, origins: Origins) => Value): Helper {
  return ([given], { origins, visit }) => {
    const parts = entriesOf(given, visit).map(([key, value]) =>
      part(text(key, origins), value, origins),
    );
    return list(parts, origins);
  };
}

/** What a helper that cannot be called yet would call and change. */
function skip(name: string, { args: [first, ...others] }: Given, visit: Visit): void {
  for (const value of others) {
    if (value.kind === "function") passOver(value.written, value.scope, visit);
  }
  if (name === "Object.assign" && first && isContainer(first)) first.isUnsettled = true;
}

/** Of numbers, or of one list of numbers. A result that is not a number, such as the root of -1, is a fault. */
function math(work: (...values: number[]) => number): Helper {
  return (args, { origins, visit }, all) => {
    const given = all.length < work.length ? args.slice(0, work.length) : all;
    const [first] = given;
    const items = first?.kind === "list" ? itemsOf(first, visit) : given;
    const values = items.map(numberOf);
    const result = work(...values);
    if (Number.isNaN(result)) throw new Fault(`Of ${values.join(", ")} this gives no number.`);
    return number(result, origins);
  };
}

/** `Math.max` of a long list would exhaust the stack; of an empty one it would not be a finite number. */
function most(values: number[], of: (left: number, right: number) => number): number {
  const [first, ...rest] = values;
  if (first === undefined) throw new Fault("An empty list has no greatest or least number.");
  return rest.reduce((left, right) => of(left, right), first);
}

/** The list meant by a value: a list, a text's characters, `{ length: 3 }`; none of its items is an empty place. */
function sequence(given: Value, visit: Visit): readonly Value[] {
  const items = asList(given);
  const fields = given.kind === "object" && !items ? given.fields : {};
  if (!fields.length) return [...iterate(given, visit)];
  const size = wholeOf(fields.length);
  fitsList(size, visit);
  return Array.from({ length: Math.max(0, size) }, (_, at) => fields[String(at)] ?? UNDEFINED);
}

function numbers(given: Value, visit: Visit): number[] {
  return [...iterate(given, visit)].map(numberOf);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Rounds the decimal notation, halves away from zero: 1.005 to two digits is 1.01. */
function rounded(value: number, digits: number): number {
  if (Math.abs(digits) > 20) throw new Fault(`${digits} is not between -20 and 20.`);
  const [mantissa, exponent = "0"] = String(Math.abs(value)).split("e");
  const scaled = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const [back, power = "0"] = String(scaled).split("e");
  return Math.sign(value) * Number(`${back}e${Number(power) - digits}`);
}

/** The first of equal values; lists and objects are compared by content. */
function unique(given: Value, visit: Visit): Value[] {
  const items = [...iterate(given, visit)];
  return gathered(items, items, contentOf(visit)).map(({ key }) => key);
}

function contentOf(visit: Visit) {
  return (value: Value): string =>
    value.kind === "nothing" ? String(value.value) : JSON.stringify(plainOf(value, visit).data);
}

/** The items by their key, and what the function gives for each. */
function keysOf(given: Value, { work, visit }: HelperCall): { items: Value[]; keys: Value[] } {
  const items = [...iterate(given, visit)];
  if (!work) throw typeError("A function is missing here.");
  return { items, keys: eachOf(items, { work, whole: list(items), visit }).map(ready) };
}

function groupedOf(given: Value, call: HelperCall): Value {
  const { items, keys } = keysOf(given, call);
  return grouped(items, keys, call);
}

function groupsOf(given: Value, call: HelperCall): Value {
  const { origins, visit } = call;
  const { items, keys } = keysOf(given, call);
  const all = joined([origins, ...keys.map((key) => key.origins)]);
  const groups = gathered(items, keys, contentOf(visit)).map(({ key, members }) => {
    const fields: [string, Value][] = [["key", key]];
    return object([...fields, ["items", list(members, all)]], all);
  });
  return list(groups, all);
}

export function entriesOf(value: Value, visit: Visit): [string, Value][] {
  const given = ready(value);
  if (given.kind === "list") return Object.entries(itemsOf(given, visit));
  if (given.kind === "text")
    return sound(given)
      .value.split("")
      .map((one, at) => [String(at), text(one, given.origins)]);
  if (given.kind !== "object")
    throw typeError(`An object is needed here, and this is ${kindOf(given)}.`, given);
  const all = Object.entries(given.fields);
  fitsList(all.length, visit);
  return all;
}

function assigned(to: Value, from: readonly Value[], visit: Visit): Value {
  if (to.kind !== "object")
    throw typeError(`Object.assign changes an object, and this is ${kindOf(to)}.`, to);
  for (const value of from) {
    if (value.kind === "nothing") continue;
    for (const [key, field] of entriesOf(value, visit)) to.fields[key] = field;
    to.change([value]);
  }
  return to;
}

/** A copy that shares nothing; `known` keeps what is in it twice one. */
function cloned(value: Value, visit: Visit, known: Map<Value, Value>): Value {
  const before = known.get(value);
  if (before) return before;
  step(visit);
  const inner = (part: Value): Value => cloned(part, visit, known);
  const keep = <T extends Value>(made: T): T => {
    known.set(value, made);
    return made;
  };
  switch (value.kind) {
    case "list": {
      const made = keep(list([], value.origins));
      made.items = itemsOf(value, visit).map(inner);
      return made;
    }
    case "object": {
      const made = keep(new Fields([], value.origins, value.error));
      for (const [key, field] of entriesOf(value, visit)) made.fields[key] = inner(field);
      return made;
    }
    case "map":
      return keep(
        tableOf(
          [...value.entries.values()].map((pair) => list(pair.map(inner))),
          visit,
          value.origins,
        ),
      );
    case "set":
      return keep(
        groupOf(
          [...value.entries.values()].map(([one]) => inner(one)),
          visit,
          value.origins,
        ),
      );
    case "date":
      return madeMoment(value);
    case "function":
      throw typeError("A function cannot be cloned.", value);
    default:
      return value;
  }
}

function coded(work: (text: string) => string): Helper {
  return ([given], { origins, visit }) => {
    const made = thrown(() => work(wordsOf(given)));
    return bounded(made, origins, visit);
  };
}

function fromCodes(codes: readonly Value[], { name, origins, visit }: HelperCall): Value {
  const make = String[name.slice("String.".length) as "fromCharCode"];
  return bounded(
    thrown(() => make(...codes.filter(isThere).map(numberOf))),
    origins,
    visit,
  );
}

/** How a call has ended, as `Promise.allSettled` tells it. */
function settled(item: Value): Value {
  if (item.kind === "pending") return item;
  if (item.kind === "failed") {
    return object([
      ["status", text("rejected", item.origins)],
      ["reason", item.error.used().value],
    ]);
  }
  return object([
    ["status", text("fulfilled", item.origins)],
    ["value", item],
  ]);
}

function entries(given: Value, visit: Visit): [string, Value][] {
  return [...iterate(given, visit)].map((item) => {
    const entry = ready(item);
    const [key, value = UNDEFINED] = entry.kind === "list" ? entry.items : [];
    if (!key) throw new Fault("Each entry is a list of a name and a value.", { value: entry });
    return [wordsOf(key), value];
  });
}

/** What has no words has no number, which a program can test for. */
function digitsOf(value: Value): string {
  return value.kind === "nothing" || value.kind === "number" ? String(value.value) : wordsOf(value);
}

/** Like `Number`: anything else gives NaN, which a program can test for. */
function asNumber(value: Value): number {
  if (value.kind === "text" || value.kind === "number" || value.kind === "boolean")
    return Number(value.value);
  if (value.kind === "nothing") return Number(value.value);
  return value.kind === "date" || value.kind === "bigint" ? Number(value.value) : Number.NaN;
}

function host(value: Value): unknown {
  return value.kind === "number" || value.kind === "text" ? value.value : undefined;
}

function isThere(value: Value | undefined): value is Value {
  return value !== undefined && !isUndefined(value);
}
