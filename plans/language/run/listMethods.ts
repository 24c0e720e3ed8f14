import { type MethodCall, type Work, workOf } from "./functions.js";
import { isSame, isSameValue, isTrue, numberOf } from "./operators.js";
import { Fault, typeError, Undecided } from "./signals.js";
import { textFrom, wholeOf, wordsOf } from "./textMethods.js";
import {
  EMPTY,
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

const LIST_METHODS: Readonly<Record<string, (items: readonly Value[], call: ListCall) => Value>> = {
  at: (items, call) => items.at(wholeOf(call.args[0] ?? UNDEFINED)) ?? nothing(call),
  concat: (items, call) =>
    made(
      [...items, ...call.args.flatMap((arg) => (arg.kind === "list" ? arg.items : [arg]))],
      call,
    ),
  entries: (items, call) =>
    made(
      items.map((item, at) => list([number(at), item], call.origins)),
      call,
    ),
  every: (items, call) => {
    const { at, origins } = found(placesOf(items), call, false);
    return truth(at < 0, origins);
  },
  fill: (items, call) => {
    const [value = UNDEFINED, from, to] = call.args;
    const filled = [...items].fill(value, from && wholeOf(from), to && wholeOf(to));
    return changed(filled, call, [value]);
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
  includes: (items, call) => truth(indexOf(items, call, isSameValue) >= 0, originsOf(items, call)),
  indexOf: (items, call) => number(indexOf(items, call), originsOf(items, call)),
  join: (items, call) => {
    const [between] = call.args;
    const parts = items.map((item) => (item.kind === "nothing" ? "" : item));
    const made = textFrom(
      parts.flatMap((part, at) => (at === 0 ? [part] : [between ?? ",", part])),
      call.visit,
    );
    // Which items there are may hang on other values than the items.
    return { ...made, origins: joined([made.origins, call.origins]) };
  },
  keys: (items, call) =>
    made(
      items.map((_, at) => number(at, call.origins)),
      call,
    ),
  lastIndexOf: (items, call) =>
    number(
      items.findLastIndex((item) => item !== EMPTY && isSame(item, call.args[0] ?? UNDEFINED)),
      originsOf(items, call),
    ),
  map: (items, call) => {
    const isEmpty = items.length > 0 && items.every((item) => item === EMPTY);
    if (isEmpty)
      throw new Fault(`map passes over empty places, and this list has no others. ${FILLED}`);
    return new List(eachOf(items, call), call.origins);
  },
  // Of a new iterator in JavaScript.
  next: ([first], call) =>
    object(Object.entries({ value: first ?? nothing(call), done: truth(!first) }), call.origins),
  pop: (items, call) => {
    changed(items.slice(0, -1), call);
    return items.at(-1) ?? nothing(call);
  },
  push: (items, call) => {
    const { origins, size } = changed([...items, ...call.args], call, call.args);
    return number(size, origins);
  },
  reduce: (items, call) => reduce(items, call, false),
  reduceRight: (items, call) => reduce(items, call, true),
  reverse: (items, call) => changed(items.toReversed(), call),
  shift: (items, call) => {
    changed(items.slice(1), call);
    return items[0] ?? nothing(call);
  },
  slice: (items, call) => {
    const [first, end] = call.args;
    return made(
      items.slice(there(first) ? wholeOf(first) : 0, there(end) ? wholeOf(end) : undefined),
      call,
    );
  },
  some: (items, call) => {
    const { at, origins } = found(placesOf(items), call, true);
    return truth(at >= 0, origins);
  },
  sort: (items, call) => changed(sorted(items, call), call),
  splice: (items, call) => {
    const { kept, taken } = spliced(items, call);
    changed(kept, call, call.args.slice(2));
    return made(taken, call);
  },
  // Of an iterator in JavaScript; iterators are lists here.
  toArray: (items, call) => made([...items], call),
  toReversed: (items, call) => made(items.toReversed(), call),
  toSorted: (items, call) => made(sorted(items, call), call),
  toSpliced: (items, call) => made(spliced(items, call).kept, call),
  toString: (_: readonly Value[], call: ListCall) => textFrom([call.whole], call.visit),
  unshift: (items, call) => {
    const { origins, size } = changed([...call.args, ...items], call, call.args);
    return number(size, origins);
  },
  values: (items, call) => made(items, call),
  with: (items, call) => {
    const [at = UNDEFINED, value = UNDEFINED] = call.args;
    const position = wholeOf(at) < 0 ? wholeOf(at) + items.length : wholeOf(at);
    if (position >= 0 && position < items.length) return made(items.with(position, value), call);
    throw new Fault(`A list of ${items.length} has no item ${wholeOf(at)}.`, {
      thrownAs: "RangeError",
    });
  },
};

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
  const method = LIST_METHODS[name];
  if (!method) throw new Fault(`A list has no method ${name}.`);
  return method(items, { args, work: workOf(call), origins, whole, visit });
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
      if (item === EMPTY) return EMPTY;
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
  return list(items, joined([call.origins, ...deciding.map(({ origins }) => origins)]));
}

/** The list itself, with other items. */
function changed(items: readonly Value[], call: ListCall, by: readonly Value[] = []): List {
  const { whole, visit } = call;
  fitsList(items.length, visit);
  step(visit, items.length);
  whole.items = [...items];
  whole.change(by);
  return whole;
}

/** Position of the first item for which the function gives true, or -1, and what decided it. */
function firstOf(items: readonly Value[], call: ListCall) {
  return found(items.entries(), call, true);
}

/** The items with their positions, without empty places. */
function placesOf(items: readonly Value[]): [number, Value][] {
  return [...items.entries()].filter(([, item]) => item !== EMPTY);
}

/** The places of its calls count from the end, too. */
function lastOf(items: readonly Value[], call: ListCall) {
  return found([...items.entries()].toReversed(), call, true);
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
  return joined([origins, ...items.map((item) => item.origins)]);
}

function indexOf(
  items: readonly Value[],
  { args: [what, first], visit }: ListCall,
  isWanted = isSame,
): number {
  step(visit, items.length);
  const wanted = what ?? UNDEFINED;
  const start = first ? wholeOf(first) : 0;
  const from = start < 0 ? items.length + start : start;
  const isThere = (item: Value) => item !== EMPTY || isWanted === isSameValue;
  return items.findIndex((item, at) => at >= from && isThere(item) && isWanted(item, wanted));
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

function reduce(items: readonly Value[], call: ListCall, isFromEnd: boolean): Value {
  const { args, work, whole } = call;
  const [initial] = args;
  const order = isFromEnd ? placesOf(items).toReversed() : placesOf(items);
  const first = initial ?? order[0]?.[1];
  if (!first) throw typeError("An empty list is reduced without a first value. Give one.");
  return order
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
  return [...ordered, ...items.filter(isUndefined)];
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

function spliced(items: readonly Value[], { args }: ListCall) {
  const kept = [...items];
  const [from, count, ...added] = args;
  if (!from) return { kept, taken: [] };
  const taken =
    count === undefined
      ? kept.splice(wholeOf(from))
      : kept.splice(wholeOf(from), wholeOf(count), ...added);
  return { kept, taken };
}

function worker(work: Work | undefined): Work {
  if (work) return work;
  throw typeError("A function is missing here.");
}

function there(value: Value | undefined): value is Value {
  return value !== undefined && value.kind !== "nothing";
}

function nothing({ origins }: ListCall): Value {
  return { ...UNDEFINED, origins };
}
