import { type MethodCall, workOf } from "./functions.js";
import { eachOf } from "./listMethods.js";

import { typeError, Undecided } from "./signals.js";
import {
  joined,
  Keyed,
  list,
  object,
  ready,
  truth,
  UNDEFINED,
  type Value,
  sound,
} from "./values.js";
import { fitsList, iterate, step, type Visit } from "./visit.js";

/** What JavaScript compares keys by: texts and numbers by value, lists and objects as themselves. */
function keyOf(value: Value): unknown {
  const key = ready(value);
  if (key.kind === "text") return sound(key).value;
  return key.kind === "number" ||
    key.kind === "bigint" ||
    key.kind === "boolean" ||
    key.kind === "nothing"
    ? key.value
    : key;
}

/** The methods of a Map or Set; those of a Set that take another one are not among them. */
const COLLECTION_METHODS: Readonly<Record<string, (of: Keyed, call: MethodCall) => Value>> = {
  forEach,
  clear(of) {
    of.entries.clear();
    of.change();
    return UNDEFINED;
  },
  set: (of, { args: [key = UNDEFINED, value = UNDEFINED], visit }) => put(of, key, value, visit),
  add: (of, { args: [value = UNDEFINED], visit }) => put(of, value, value, visit),
  get: (of, { args: [key = UNDEFINED] }) =>
    of.entries.get(keyOf(key))?.[1] ?? { ...UNDEFINED, origins: of.origins },
  has: (of, { args: [key = UNDEFINED] }) =>
    truth(of.entries.has(keyOf(key)), joined([of.origins, key.origins])),
  delete(of, { args: [key = UNDEFINED] }) {
    const isDeleted = of.entries.delete(keyOf(key));
    of.change([key]);
    return truth(isDeleted, of.origins);
  },
  keys: (of, { visit }) => listed(of, ([key]) => key, visit),
  values: (of, { visit }) => listed(of, ([, value]) => value, visit),
  entries: (of, { visit }) => listed(of, (pair) => list(pair, of.origins), visit),
};

export function collectionMethod(name: string, of: Keyed, call: MethodCall): Value {
  const method = COLLECTION_METHODS[name];
  if (method) return method(of, call);
  const [other = UNDEFINED] = call.args;
  return compared(
    name,
    of,
    groupOf([...iterate(ready(other), call.visit)], call.visit),
    call.visit,
  );
}

function forEach(of: Keyed, call: MethodCall): Value {
  const pairs = [...of.entries.values()];
  const given = workOf(call);
  if (!given) throw typeError("A function is missing here.");
  const values = pairs.map(([, value]) => value);
  const work = (turn: number, value = UNDEFINED as Value) =>
    given(turn, value, pairs[turn]?.[0] ?? UNDEFINED, of);
  eachOf(values, { work, whole: list([]), visit: call.visit });
  return UNDEFINED;
}

function listed(of: Keyed, part: (pair: [Value, Value]) => Value, visit: Visit): Value {
  step(visit, of.entries.size);
  const parts = [...of.entries.values()].map(part);
  return list(parts, of.origins);
}

function put(of: Keyed, key: Value, value: Value, visit: Visit): Keyed {
  const known = keyOf(key);
  const [first = key] = of.entries.get(known) ?? [];
  of.entries.set(known, [first, of.kind === "set" ? first : value]);
  fitsList(of.entries.size, visit);
  of.change([key]);
  return of;
}

/** The methods of a Set that take another. */
function compared(name: string, of: Keyed, other: Keyed, visit: Visit): Value {
  const origins = joined([of.origins, other.origins]);
  const made = (values: Value[]) => groupOf(values, visit, origins);
  const both = valuesOf(of, (key) => other.entries.has(key));
  const [own, others] = [only(of, other), only(other, of)];
  const results: Record<string, () => Value> = {
    union: () => made([...valuesOf(of), ...valuesOf(other)]),
    intersection: () => made(both),
    difference: () => made(own),
    symmetricDifference: () => made([...own, ...others]),
    isSubsetOf: () => truth(own.length === 0, origins),
    isSupersetOf: () => truth(others.length === 0, origins),
  };
  return results[name]?.() ?? truth(both.length === 0, origins);
}

/** What one holds and the other does not. */
function only(one: Keyed, other: Keyed): Value[] {
  return valuesOf(one, (key) => !other.entries.has(key));
}

function valuesOf({ entries }: Keyed, isWanted = (_key: unknown) => true): Value[] {
  return [...entries].filter(([key]) => isWanted(key)).map(([, [value]]) => value);
}

export function groupOf(values: readonly Value[], visit: Visit, origins = joined([])): Keyed {
  // Whether one is in it twice is not known.
  if (values.some(({ kind }) => kind === "pending")) throw new Undecided();
  const made = new Keyed("set", origins);
  for (const value of values) {
    step(visit, 1);
    const known = keyOf(value);
    if (!made.entries.has(known)) made.entries.set(known, [value, value]);
  }
  fitsList(made.entries.size, visit);
  return made;
}

export function tableOf(pairs: readonly Value[], visit: Visit, origins = joined([])): Keyed {
  const made = new Keyed("map", origins);
  for (const pair of pairs) {
    const [key = UNDEFINED, value = UNDEFINED] = [...iterate(ready(pair), visit)];
    put(made, key, value, visit);
  }
  return made;
}

/** The items by the names of their keys, in the order of the first ones. */
export function gathered(
  items: readonly Value[],
  keys: readonly Value[],
  nameOf: (key: Value) => unknown,
) {
  const groups = new Map<unknown, { name: unknown; key: Value; members: Value[] }>();
  for (const [at, member] of items.entries()) {
    const key = keys[at] ?? UNDEFINED;
    const name = nameOf(key);
    const group = groups.get(name) ?? { name, key, members: [] };
    group.members.push(member);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** `Object.groupBy` and `Map.groupBy`: the items by what the function gives for each. */
export function grouped(
  items: readonly Value[],
  keys: readonly Value[],
  { name, visit }: { name: string; visit: Visit },
): Value {
  const origins = joined(keys.map((key) => key.origins));
  if (name === "Object.groupBy") {
    const fields = gathered(items, keys, keyText).map(
      ({ name: key, members }) => [String(key), list(members, origins)] as const,
    );
    return object(fields, origins);
  }
  const pairs = gathered(items, keys, keyOf).map(({ key, members }) =>
    list([key, list(members, origins)]),
  );
  return tableOf(pairs, visit, origins);
}

function keyText(value: Value): string {
  const key = ready(value);
  if (key.kind === "nothing") return String(key.value);
  const known = keyOf(key);
  if (typeof known === "string" || typeof known === "number" || typeof known === "boolean")
    return String(known);
  throw typeError("The name of a group is a text or number.", key);
}
