import { CONSTANTS, HELPERS, type HelperName } from "../language.js";
import { dayOf, laterBy, momentOf } from "./moments.js";
import { eachOf, type Work } from "./listMethods.js";
import { isTrue, numberOf } from "./operators.js";
import { plainOf } from "./plain.js";
import { Fault, Undecided } from "./signals.js";
import { bounded, textFrom, wholeOf, wordsOf } from "./textMethods.js";
import {
  joined,
  kindOf,
  isUndefined,
  asList,
  list,
  number,
  object,
  originsIn,
  text,
  truth,
  UNDEFINED,
  type List,
  type Origins,
  type Value,
} from "./values.js";
import { fitsList, itemsOf, type Visit } from "./visit.js";

interface HelperCall {
  origins: Origins;
  work: Work | undefined;
  visit: Visit;
}

type Helper = (args: [Value, Value, ...Value[]], call: HelperCall) => Value;

type MathName = Extract<HelperName, `Math.${string}`>;

/** The helpers of the language, by name; functions of `Math` that are not among them are those of the host. */
const HELPER_FUNCTIONS: Record<Exclude<HelperName, MathName>, Helper> & {
  [Name in MathName]?: Helper;
} = {
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
  groupBy: ([given], call) => grouped(given, call),
  noFunctionNeeded: ([answer]) => answer,

  Number: ([given], { origins }) => number(asNumber(given), origins),
  String: ([given], { visit }) => textFrom([given], visit),
  Boolean: ([given], { origins }) => truth(isTrue(given), origins),
  parseInt: ([given, radix], { origins }) =>
    number(Number.parseInt(wordsOf(given), isThere(radix) ? wholeOf(radix) : 10), origins),
  parseFloat: ([given], { origins }) => number(Number.parseFloat(wordsOf(given)), origins),
  isNaN: ([given], { origins }) => truth(Number.isNaN(asNumber(given)), origins),
  isFinite: ([given], { origins }) => truth(Number.isFinite(asNumber(given)), origins),

  "Number.isInteger": ([given], { origins }) => truth(Number.isInteger(host(given)), origins),
  "Number.isFinite": ([given], { origins }) => truth(Number.isFinite(host(given)), origins),
  "Number.isNaN": ([given], { origins }) => truth(Number.isNaN(host(given)), origins),
  "Object.keys": ([given], { origins, visit }) =>
    list(
      entriesOf(given, visit).map(([key]) => text(key, origins)),
      origins,
    ),
  "Object.values": ([given], { origins, visit }) =>
    list(
      entriesOf(given, visit).map(([, value]) => value),
      origins,
    ),
  "Object.entries": ([given], { origins, visit }) =>
    list(
      entriesOf(given, visit).map(([key, value]) => list([text(key, origins), value], origins)),
      origins,
    ),
  "Object.fromEntries": ([given], { origins, visit }) => object(entries(given, visit), origins),
  "Array.isArray": ([given], { origins }) => truth(given.kind === "list", origins),
  "Array.from": ([given], { origins, work, visit }) => {
    const items = sequence(given, visit);
    return list(
      work ? eachOf(items, { work, whole: list(items, origins), visit }) : items,
      origins,
    );
  },
  "JSON.stringify": ([given, , space], { origins, visit }) => {
    if (!isThere(given)) throw new Fault("JSON has no undefined.");
    return bounded(
      JSON.stringify(
        plainOf(given, visit).data,
        undefined,
        isThere(space) && space.kind === "number" ? Math.min(10, wholeOf(space)) : 0,
      ),
      origins,
      visit,
    );
  },
  "Date.now": (_, { visit }) => number(momentOf(text(visit.inputs.today)).value),

  "Math.max": math((...values) => most(values, Math.max)),
  "Math.min": math((...values) => most(values, Math.min)),
};

/** @param args without the function among them */
export function runHelper(
  name: string,
  args: readonly Value[],
  { work, visit }: Pick<HelperCall, "work" | "visit">,
): Value {
  if (Object.hasOwn(CONSTANTS, name)) return number(CONSTANTS[name as keyof typeof CONSTANTS]);
  if (!Object.hasOwn(HELPERS, name)) throw new Fault(`There is no function ${name}.`);
  if (args.some(({ kind }) => kind === "pending")) throw new Undecided();
  const origins = joined(args.map(originsIn));
  const [first = UNDEFINED, second = UNDEFINED, ...rest] = args;
  const helper = HELPER_FUNCTIONS[name as HelperName] ?? math(hostMath(name));
  return helper([first, second, ...rest], { origins, work, visit });
}

function hostMath(name: string): (...values: number[]) => number {
  const member = name.slice("Math.".length) as "abs" | "atan2" | "hypot";
  return Math[member];
}

/** Of numbers, or of one list of numbers. A result that is not a number, such as the root of -1, is a fault. */
function math(work: (...values: number[]) => number): Helper {
  return (args, { origins, visit }) => {
    const given = args.filter((arg, at) => isThere(arg) || at < work.length);
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

/** The list meant by a value: a list, a text's characters, `{ length: 3 }`. */
function sequence(given: Value, visit: Visit): readonly Value[] {
  const items = asList(given);
  if (items) return itemsOf(items, visit);
  if (given.kind === "text") return Array.from(given.value, (one) => text(one, given.origins));
  const length = given.kind === "object" ? given.fields.length : undefined;
  if (!length)
    throw new Fault(`A list is needed here, and this is ${kindOf(given)}.`, { value: given });
  const size = wholeOf(length);
  fitsList(size, visit);
  return Array.from({ length: Math.max(0, size) }, () => UNDEFINED);
}

function numbers(given: Value, visit: Visit): number[] {
  return listOf(given, visit).map(numberOf);
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
  const known = new Map<string, Value>();
  for (const item of listOf(given, visit)) {
    const key = item.kind === "nothing" ? String(item.value) : keyOf(item, visit);
    if (!known.has(key)) known.set(key, item);
  }
  return [...known.values()];
}

function keyOf(item: Value, visit: Visit): string {
  return JSON.stringify(plainOf(item, visit).data);
}

function grouped(given: Value, { work, origins, visit }: HelperCall): Value {
  const items = listOf(given, visit);
  const keys = eachOf(items, { work, whole: given as List, visit });
  const groups = new Map<string, { key: Value; items: Value[] }>();
  for (const [at, item] of items.entries()) {
    const key = keys[at] ?? UNDEFINED;
    const name = key.kind === "nothing" ? String(key.value) : keyOf(key, visit);
    const group = groups.get(name) ?? { key, items: [] };
    group.items.push(item);
    groups.set(name, group);
  }
  const all = joined([origins, ...keys.map((key) => key.origins)]);
  return list(
    [...groups.values()].map(({ key, items }) =>
      object(
        [
          ["key", key],
          ["items", list(items, all)],
        ],
        all,
      ),
    ),
    all,
  );
}

export function entriesOf(given: Value, visit: Visit): [string, Value][] {
  if (given.kind === "list") return itemsOf(given, visit).map((item, at) => [String(at), item]);
  if (given.kind !== "object") {
    throw new Fault(`An object is needed here, and this is ${kindOf(given)}.`, { value: given });
  }
  const all = Object.entries(given.fields);
  fitsList(all.length, visit);
  return all;
}

function entries(given: Value, visit: Visit): [string, Value][] {
  return listOf(given, visit).map((entry) => {
    if (entry.kind === "pending") throw new Undecided();
    const [key, value = UNDEFINED] = entry.kind === "list" ? entry.items : [];
    if (!key) throw new Fault("Each entry is a list of a name and a value.", { value: entry });
    return [wordsOf(key), value];
  });
}

function listOf(given: Value, visit: Visit): readonly Value[] {
  const items = asList(given);
  if (items) return itemsOf(items, visit);
  throw new Fault(`A list is needed here, and this is ${kindOf(given)}.`, { value: given });
}

/** Like `Number`: anything else gives NaN, which a program can test for. */
function asNumber(value: Value): number {
  if (value.kind === "text" || value.kind === "number" || value.kind === "boolean") {
    return Number(value.value);
  }
  return value.kind === "date" ? value.value : Number.NaN;
}

function host(value: Value): unknown {
  return value.kind === "number" || value.kind === "text" ? value.value : undefined;
}

function isThere(value: Value | undefined): value is Value {
  return value !== undefined && !isUndefined(value);
}
