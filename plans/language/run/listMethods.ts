import { CHANGING } from "../language.js";
import { type MethodCall, type Work, workOf } from "./functions.js";
import { isSame, isSameValue, isTrue, numberOf } from "./operators.js";
import { Fault, typeError, Undecided } from "./signals.js";
import { textFrom, thrown, wholeOf, wordsOf } from "./textMethods.js";
import {
  allOf,
  isUndefined,
  joined,
  List,
  list,
  number,
  object,
  type Origins,
  ready,
  truth,
  UNDEFINED,
  type Value,
} from "./values.js";
import { atOnce, fitsList, itemsOf, step, type Visit } from "./visit.js";

interface ListCall {
  args: readonly Value[];
  work: Work | undefined;
  origins: Origins;
  whole: List;
  visit: Visit;
}

/** Methods that call a function of the program, compare, or write; the others are those of the host. */
const LIST_METHODS: Readonly<Record<string, (items: readonly Value[], call: ListCall) => Value>> = {
  concat: (items, call) =>
    made(items.concat(...call.args.map((arg) => (arg.kind === "list" ? arg.items : [arg]))), call),
  entries: (items, call) =>
    made(
      allOf(items).map(([at, item]) => list([number(at), item], call.origins)),
      call,
    ),
  every: (items, call) => {
    const { at, origins } = found(placesOf(items), call, false);
    return truth(at < 0, origins);
  },
  filter: (items, call) => {
    const kept = eachOf(items, call);
    const found = items.filter((_, at) => isTrue(kept[at] ?? UNDEFINED));
    return made(found, call, kept);
  },
  find: (items, call) => items[firstOf(items, call).at] ?? nothing(call),
  findIndex: (items, call) => {
    const { at, origins } = firstOf(items, call);
    return number(at, origins);
  },
  findLast: (items, call) => items[lastOf(items, call).at] ?? nothing(call),
  findLastIndex: (items, call) => {
    const { at, origins } = lastOf(items, call);
    return number(at, origins);
  },
  flat: (_, call) => flat(call.whole, call.args[0] ? numberOf(call.args[0]) : 1, call),
  flatMap: (items, call) => flat(new List(eachOf(items, call), call.origins), 1, call),
  forEach: (items, call) => {
    eachOf(items, call);
    return UNDEFINED;
  },
  includes: (items, call) =>
    truth(indexIn(allOf(items), call, isSameValue) >= 0, originsOf(items, call)),
  indexOf: (items, call) => number(indexIn(placesOf(items), call), originsOf(items, call)),
  join: (items, call) => {
    const [between] = call.args;
    const parts = allOf(items).map(([, item]) => (item.kind === "nothing" ? "" : item));
    const made = textFrom(
      parts.flatMap((part, at) => (at === 0 ? [part] : [between ?? ",", part])),
      call.visit,
    );
    // Which items there are may hang on other values than the items.
    return { ...made, origins: joined([made.origins, call.origins]) };
  },
  keys: (items, call) =>
    made(
      allOf(items).map(([at]) => number(at, call.origins)),
      call,
    ),
  lastIndexOf: (items, call) =>
    number(
      indexIn(placesOf(items).toReversed(), { ...call, args: call.args.slice(0, 1) }),
      originsOf(items, call),
    ),
  map: (items, call) => {
    if (items.length > 0 && placesOf(items).length === 0)
      throw new Fault(`map passes over empty places, and this list has no others. ${FILLED}`);
    return new List(eachOf(items, call), call.origins);
  },
  // Of a new iterator in JavaScript.
  next: ([first], call) =>
    object(Object.entries({ value: first ?? nothing(call), done: truth(!first) }), call.origins),
  reduce: (items, call) => reduce(placesOf(items), call),
  reduceRight: (items, call) => reduce(placesOf(items).toReversed(), call),
  some: (items, call) => {
    const { at, origins } = found(placesOf(items), call, true);
    return truth(at >= 0, origins);
  },
  sort: (items, call) => changed(sorted(items, call), call),
  // Of an iterator in JavaScript; iterators are lists here.
  toArray: made,
  toSorted: (items, call) => made(sorted(items, call), call),
  toString: (_: readonly Value[], call: ListCall) => textFrom([call.whole], call.visit),
  values: made,
};

/** Where values are among the arguments of the host's methods; the others are positions. */
const GIVEN: Readonly<Record<string, readonly [from: number, to?: number]>> = {
  fill: [0, 1],
  push: [0],
  splice: [2],
  toSpliced: [2],
  unshift: [0],
  with: [1],
};

/** What a method of the host's lists does and gives. */
function hosted(name: string, items: readonly Value[], call: ListCall): Value {
  const { args, origins } = call;
  const [from, to = Infinity] = GIVEN[name] ?? [Infinity];
  const given = args.map((arg, at) => (at >= from && at < to ? arg : placeIn(arg)));
  const own = items.slice();
  const method = own[name as "at"] as (...given: unknown[]) => Value | Value[] | number | undefined;
  const result = thrown(() => method.apply(own, given));
  const isChange = CHANGING.has(name);
  const by = isChange ? changed(own, call, args.slice(from, to)).origins : origins;
  if (result === own) return call.whole;
  if (Array.isArray(result))
    return made(
      result.map((item) => item ?? UNDEFINED),
      call,
    );
  return typeof result === "number" ? number(result, by) : (result ?? nothing(call));
}

function placeIn(value: Value): number | undefined {
  return value.kind === "nothing" ? undefined : wholeOf(value);
}

const FILLED = "Write Array.from({ length: 3 }, (_, i) => …).";

export function listMethod(name: string, whole: List, call: MethodCall): Value {
  const isAdded = name === "push" || name === "unshift";
  // What is added need not be known yet.
  const args = (isAdded ? [...call.args] : call.known()).filter(
    ({ kind }) => isAdded || kind !== "function",
  );
  const origins = joined([whole, ...args].map((value) => value.origins));
  const { visit } = call;
  const items = itemsOf(whole, visit);
  const given = { args, work: workOf(call), origins, whole, visit };
  return LIST_METHODS[name]?.(items, given) ?? hosted(name, items, given);
}

/** The function's results for all items, started at once; it is not called for empty places. */
export function eachOf(
  items: readonly Value[],
  { work, whole, visit }: Pick<ListCall, "work" | "whole" | "visit">,
): Value[] {
  let ending: Undecided | undefined;
  const results = atOnce(
    visit,
    items.map((item, turn) => (): Value => {
      try {
        return worker(work)(turn, item, number(turn), whole);
      } catch (error) {
        if (!(error instanceof Undecided)) throw error;
        ending ??= error;
        return UNDEFINED;
      }
    }),
  );
  if (ending) throw ending;
  return results;
}

/** A list of these items, with the origins of the values that decided on them. */
function made(items: readonly Value[], call: ListCall, deciding: readonly Value[] = []): List {
  fitsList(items.length, call.visit);
  step(call.visit, items.length);
  return list(items, joined([call.origins, ...deciding.flatMap(({ origins }) => [origins])]));
}

/** The list itself, with other items. */
function changed(items: readonly Value[], call: ListCall, by: readonly Value[] = []): List {
  const { whole, visit } = call;
  fitsList(items.length, visit);
  step(visit, items.length);
  whole.items = items.slice();
  whole.change(by);
  return whole;
}

/** Position of the first item for which the function gives true, or -1, and what decided it. */
function firstOf(items: readonly Value[], call: ListCall) {
  return found(allOf(items), call, true);
}

/** The places of its calls count from the end, too. */
function lastOf(items: readonly Value[], call: ListCall) {
  return found(allOf(items).toReversed(), call, true);
}

/** The same without empty places, which the host's methods pass over. */
function placesOf(items: readonly Value[]): [number, Value][] {
  return allOf(items).filter(([at]) => at in items);
}

function found(places: Iterable<[number, Value]>, call: ListCall, wanted: boolean) {
  const origins = [call.origins];
  let turn = 0;
  for (const [at, item] of places) {
    const answer = worker(call.work)(turn, item, number(at), call.whole);
    turn += 1;
    origins.push(answer.origins);
    if (isTrue(answer) === wanted) return { at, origins: joined(origins) };
  }
  return { at: -1, origins: joined(origins) };
}

function originsOf(items: readonly Value[], { origins }: ListCall): Origins {
  return joined([origins, ...items.flatMap((item) => [item.origins])]);
}

function indexIn(
  places: readonly [number, Value][],
  { args: [wanted = UNDEFINED, first], whole: { size }, visit }: ListCall,
  isWanted = isSame,
): number {
  step(visit, size);
  const start = first ? wholeOf(first) : 0;
  const from = start < 0 ? size + start : start;
  return places.find(([at, item]) => at >= from && isWanted(item, wanted))?.[0] ?? -1;
}

/** How deep nested lists are flattened; deeper ones are not intentional. */
const DEEPEST_FLAT = 16;

function flat(whole: List, depth: number, call: ListCall): List {
  const levels = Math.min(depth, DEEPEST_FLAT);
  let items: readonly Value[] = whole.items;
  for (let level = 0; level < levels && items.some(({ kind }) => kind === "list"); level += 1) {
    items = items.map(ready);
    items = items.flatMap((item) => (item.kind === "list" ? itemsOf(item, call.visit) : [item]));
    fitsList(items.length, call.visit);
  }
  return made(
    placesOf(items).map(([, item]) => (levels > 0 ? ready(item) : item)),
    call,
  );
}

function reduce(places: readonly [number, Value][], call: ListCall): Value {
  const { args, work, whole } = call;
  const [initial] = args;
  const first = initial ?? places[0]?.[1];
  if (!first) throw typeError("An empty list is reduced without a first value. Give one.");
  return places
    .slice(initial ? 0 : 1)
    .reduce<Value>(
      (result, [at, item]) => worker(work)(at, result, item, number(at), whole),
      first,
    );
}

/** Sorts by the function, else by the texts of the items; what is undefined comes last. */
function sorted(items: readonly Value[], call: ListCall): Value[] {
  let turn = 0;
  const { work } = call;
  const known = items.map(ready).filter((item) => !isUndefined(item));
  const compare = work
    ? (left: Value, right: Value) => orderOf(work(turn++, left, right))
    : (left: Value, right: Value) => inOrder(wordsOf(left), wordsOf(right));
  const ordered = known.toSorted((left, right) => {
    step(call.visit);
    return compare(left, right);
  });
  if (!work) requireBySize(ordered);
  const all = [...ordered, ...items.filter(isUndefined)];
  all.length = items.length;
  return all;
}

function inOrder(one: string, other: string): number {
  return one > other ? 1 : Number(one === other) - 1;
}

/** JavaScript puts 10 before 9. Whoever sorts numbers alone does not mean that. */
function requireBySize(ordered: readonly Value[]): void {
  const sizes = ordered.map((item) => (item.kind === "number" ? item.value : Number.NaN));
  const at = sizes.findIndex((size, next) => size < (sizes[next - 1] ?? size));
  if (at < 0 || sizes.some(Number.isNaN)) return;
  const [before, after] = [sizes[at - 1], sizes[at]];
  throw new Fault(
    `Without a function, numbers are sorted as texts: ${before} before ${after}. Write sort((a, b) => a - b).`,
  );
}

/** What a comparison gives: a number. `a > b` alone leaves the order to the engine. */
function orderOf(value: Value): number {
  const given = ready(value);
  if (given.kind !== "boolean") return numberOf(given);
  throw new Fault("A function that sorts gives a number, and this is a boolean. Write a - b.");
}

function worker(work: Work | undefined): Work {
  if (work) return work;
  throw typeError("A function is missing here.");
}

function nothing({ origins }: ListCall): Value {
  return { ...UNDEFINED, origins };
}
