import type { METHODS } from "../language.js";
import { isSame, isTrue, numberOf } from "./operators.js";
import { Fault, Undecided } from "./signals.js";
import { textFrom, wholeOf, wordsOf } from "./textMethods.js";
import {
  joined,
  list,
  number,
  truth,
  UNDEFINED,
  type List,
  type Origins,
  type Value,
} from "./values.js";
import { atOnce, fitsList, itemsOf, step, type Visit } from "./visit.js";

export type Work = (turn: number, ...args: Value[]) => Value;

export interface ListCall {
  args: readonly Value[];
  work: Work | undefined;
  origins: Origins;
  whole: List;
  visit: Visit;
  /** Skips the items from this one on, because it is unknown whether they would be visited. */
  passOver(): void;
}

type ListMethod = keyof (typeof METHODS)["list"];
type Method = (items: readonly Value[], call: ListCall) => Value;

const LIST_METHODS: Record<ListMethod, Method> = {
  map: (items, call) => list(eachOf(items, call), call.origins),
  filter: (items, call) => {
    const kept = eachOf(items, call);
    return made(
      items.filter((_, at) => isTrue(kept[at] ?? UNDEFINED)),
      call,
      kept,
    );
  },
  find: (items, call) => items[firstOf(items, call).at] ?? nothing(call),
  findLast: (items, call) =>
    items.toReversed()[firstOf(items.toReversed(), call).at] ?? nothing(call),
  findIndex: (items, call) => {
    const { at, origins } = firstOf(items, call);
    return number(at, origins);
  },
  some: (items, call) => {
    const { at, origins } = firstOf(items, call);
    return truth(at >= 0, origins);
  },
  every: (items, call) => {
    const { at, origins } = firstOf(items, call, false);
    return truth(at < 0, origins);
  },
  flatMap: (items, call) => flat(list(eachOf(items, call), call.origins), 1, call),
  includes: (items, call) => truth(indexOf(items, call) >= 0, originsOf(items, call)),
  indexOf: (items, call) => number(indexOf(items, call), originsOf(items, call)),
  slice: (items, call) => {
    const [first, end] = call.args;
    return made(items.slice(first && wholeOf(first), end && wholeOf(end)), call);
  },
  concat: (items, call) =>
    made(
      [...items, ...call.args.flatMap((arg) => (arg.kind === "list" ? arg.items : [arg]))],
      call,
    ),
  join: (items, call) => {
    const [between] = call.args;
    const parts = items.map((item) => (item.kind === "nothing" ? "" : item));
    return textFrom(
      parts.flatMap((part, at) => (at === 0 ? [part] : [between ?? ",", part])),
      call.visit,
    );
  },
  flat: (_, call) => flat(call.whole, call.args[0] ? wholeOf(call.args[0]) : 1, call),
  reduce,
  sort: (items, call) => made(sorted(items, call), call),
  reverse: (items, call) => made(items.toReversed(), call),
  at: (items, call) => items.at(wholeOf(call.args[0] ?? UNDEFINED)) ?? nothing(call),
};

export function listMethod(name: ListMethod, call: ListCall): Value {
  return LIST_METHODS[name](itemsOf(call.whole, call.visit), call);
}

/** The function's results for all items, started at once. */
export function eachOf(
  items: readonly Value[],
  { work, whole, visit }: Pick<ListCall, "work" | "whole" | "visit">,
): Value[] {
  return atOnce(
    visit,
    items.map((item, turn) => () => worker(work)(turn, item, number(turn), whole)),
  );
}

/** A list of these items, with the origins of the values that decided on them. */
function made(items: readonly Value[], call: ListCall, deciding: readonly Value[] = []): List {
  fitsList(items.length, call.visit);
  step(call.visit, items.length);
  return list(items, joined([call.origins, ...deciding.map(({ origins }) => origins)]));
}

/** Position of the first item with this result, or -1, and what decided it. */
function firstOf(items: readonly Value[], call: ListCall, wanted = true) {
  const origins = [call.origins];
  const at = items.findIndex((item, turn) => {
    const found = worker(call.work)(turn, item, number(turn), call.whole);
    if (found.kind === "pending") call.passOver();
    origins.push(found.origins);
    return isTrue(found) === wanted;
  });
  return { at, origins: joined(origins) };
}

function originsOf(items: readonly Value[], { origins }: ListCall): Origins {
  return joined([origins, ...items.map((item) => item.origins)]);
}

function indexOf(items: readonly Value[], { args: [what, first], visit }: ListCall): number {
  step(visit, items.length);
  const wanted = what ?? UNDEFINED;
  const start = first ? wholeOf(first) : 0;
  return items.findIndex((item, at) => at >= start && isSame(item, wanted));
}

/** How deep nested lists are flattened; deeper ones are not intentional. */
const DEEPEST_FLAT = 16;

function flat(whole: List, depth: number, call: ListCall): List {
  const levels = Math.min(depth, DEEPEST_FLAT);
  let { items } = whole;
  for (let level = 0; level < levels && items.some(({ kind }) => kind === "list"); level += 1) {
    if (items.some(({ kind }) => kind === "pending")) throw new Undecided();
    items = items.flatMap((item) => (item.kind === "list" ? itemsOf(item, call.visit) : [item]));
    fitsList(items.length, call.visit);
  }
  if (levels > 0 && items.some(({ kind }) => kind === "pending")) throw new Undecided();
  return made(items, call);
}

function reduce(items: readonly Value[], { args, work, whole }: ListCall): Value {
  const [initial] = args;
  const first = initial ?? items[0];
  if (!first) throw new Fault("An empty list is reduced without a first value. Give one.");
  const begin = initial ? 0 : 1;
  return items
    .slice(begin)
    .reduce<Value>(
      (result, item, at) => worker(work)(at + begin, result, item, number(at + begin), whole),
      first,
    );
}

/** Sorts a copy: by the function, else numbers by size and other values as text. */
function sorted(items: readonly Value[], call: ListCall): Value[] {
  let turn = 0;
  const { work } = call;
  const compare = work
    ? (left: Value, right: Value) => orderOf(work(turn++, left, right))
    : items.every(({ kind }) => kind === "number" || kind === "date")
      ? (left: Value, right: Value) => numberOf(left) - numberOf(right)
      : (left: Value, right: Value) => (wordsOf(left) > wordsOf(right) ? 1 : -1);
  return merged(items, (left, right) => {
    step(call.visit);
    return compare(left, right);
  });
}

/** `a > b` means that a comes after b. */
function orderOf(value: Value): number {
  return value.kind === "boolean" ? Number(value.value) : numberOf(value);
}

/** Our own merge sort, so that a bad comparison cannot make it slow or lose items. */
function merged(items: readonly Value[], compare: (left: Value, right: Value) => number): Value[] {
  if (items.length < 2) return [...items];
  const middle = Math.floor(items.length / 2);
  const left = merged(items.slice(0, middle), compare);
  const right = merged(items.slice(middle), compare);
  const result: Value[] = [];
  let at = 0;
  for (const item of right) {
    for (; at < left.length; at += 1) {
      const next = left[at];
      if (!next || compare(next, item) > 0) break;
      result.push(next);
    }
    result.push(item);
  }
  return [...result, ...left.slice(at)];
}

function worker(work: Work | undefined): Work {
  if (work) return work;
  throw new Fault("A function is missing here.");
}

function nothing({ origins }: ListCall): Value {
  return { ...UNDEFINED, origins };
}
