import { type MethodCall, workOf } from "./functions.js";
import { sound } from "./plain.js";
import { typeError, Undecided } from "./signals.js";
import {
  Group,
  joined,
  list,
  object,
  ready,
  Table,
  truth,
  UNDEFINED,
  type Value,
} from "./values.js";
import { eachOf } from "./listMethods.js";
import { fitsList, iterate, step, type Visit } from "./visit.js";

/** What JavaScript compares keys by: texts and numbers by value, lists and objects as themselves. */
export function keyOf(value: Value): unknown {
  const key = ready(value);
  if (key.kind === "text") return sound(key).value;
  return key.kind === "number" || key.kind === "boolean" || key.kind === "nothing"
    ? key.value
    : key;
}

/** A method of a Map or Set. */
export function collectionMethod(name: string, of: Table | Group, call: MethodCall): Value {
  if (name === "forEach") return forEach(of, call);
  if (name === "clear") {
    of.entries.clear();
    of.change();
    return UNDEFINED;
  }
  return of.kind === "map" ? tableMethod(name, of, call) : groupMethod(name, of, call);
}

function forEach(of: Table | Group, call: MethodCall): Value {
  const pairs = [...of.entries.values()].map((entry): [Value, Value] =>
    Array.isArray(entry) ? [entry[1], entry[0]] : [entry, entry],
  );
  const work = workOf(call);
  if (!work) throw typeError("A function is missing here.");
  eachOf(
    pairs.map(([value]) => value),
    {
      work: (turn, value) => work(turn, value, pairs[turn]?.[1] ?? UNDEFINED, of),
      whole: list([]),
      visit: call.visit,
    },
  );
  return UNDEFINED;
}

function tableMethod(name: string, of: Table, { args, visit }: MethodCall): Value {
  const [key = UNDEFINED, value = UNDEFINED] = args;
  const { entries } = of;
  const all = [...(["keys", "values", "entries"].includes(name) ? entries.values() : [])];
  step(visit, all.length);
  switch (name) {
    case "set":
      setEntry(of, key, value, visit);
      return of;
    case "get":
      return entries.get(keyOf(key))?.[1] ?? { ...UNDEFINED, origins: of.origins };
    case "has":
      return truth(entries.has(keyOf(key)), joined([of.origins, key.origins]));
    case "delete":
      return deleted(of, key);
    case "keys":
      return list(
        all.map(([one]) => one),
        of.origins,
      );
    case "values":
      return list(
        all.map(([, one]) => one),
        of.origins,
      );
    default:
      return list(
        all.map((pair) => list(pair, of.origins)),
        of.origins,
      );
  }
}

function setEntry(of: Table, key: Value, value: Value, visit: Visit): void {
  const known = keyOf(key);
  const before = of.entries.get(known);
  of.entries.set(known, [before?.[0] ?? key, value]);
  fitsList(of.entries.size, visit);
  of.change([key]);
}

function addTo(of: Group, value: Value, visit: Visit): void {
  const known = keyOf(value);
  if (!of.entries.has(known)) of.entries.set(known, value);
  fitsList(of.entries.size, visit);
  of.change([value]);
}

function deleted(of: Table | Group, key: Value): Value {
  const isDeleted = of.entries.delete(keyOf(key));
  of.change([key]);
  return truth(isDeleted, of.origins);
}

function groupMethod(name: string, of: Group, { args, visit }: MethodCall): Value {
  const [value = UNDEFINED] = args;
  const { entries, origins } = of;
  switch (name) {
    case "add":
      addTo(of, value, visit);
      return of;
    case "has":
      return truth(entries.has(keyOf(value)), joined([origins, value.origins]));
    case "delete":
      return deleted(of, value);
    case "keys":
    case "values":
      return list([...entries.values()], origins);
    case "entries":
      return list(
        [...entries.values()].map((one) => list([one, one], origins)),
        origins,
      );
    default:
      return compared(name, of, groupOf([...iterate(ready(value), visit)], visit), visit);
  }
}

/** The methods of a Set that take another. */
function compared(name: string, of: Group, other: Group, visit: Visit): Value {
  const both = [...of.entries].filter(([key]) => other.entries.has(key)).map(([, value]) => value);
  const origins = joined([of.origins, other.origins]);
  const made = (values: Value[]) => groupOf(values, visit, origins);
  switch (name) {
    case "union":
      return made([...of.entries.values(), ...other.entries.values()]);
    case "intersection":
      return made(both);
    case "difference":
      return made(only(of, other));
    case "symmetricDifference":
      return made([...only(of, other), ...only(other, of)]);
    case "isSubsetOf":
      return truth(only(of, other).length === 0, origins);
    case "isSupersetOf":
      return truth(only(other, of).length === 0, origins);
    default:
      return truth(both.length === 0, origins);
  }
}

/** What one holds and the other does not. */
function only(one: Group, other: Group): Value[] {
  return [...one.entries].filter(([key]) => !other.entries.has(key)).map(([, value]) => value);
}

export function groupOf(values: readonly Value[], visit: Visit, origins = joined([])): Group {
  // Whether one is in it twice is not known.
  if (values.some(({ kind }) => kind === "pending")) throw new Undecided();
  const made = new Group(origins);
  for (const value of values) {
    step(visit, 1);
    const known = keyOf(value);
    if (!made.entries.has(known)) made.entries.set(known, value);
  }
  fitsList(made.entries.size, visit);
  return made;
}

/** A Map of pairs. */
export function tableOf(pairs: readonly Value[], visit: Visit, origins = joined([])): Table {
  const made = new Table(origins);
  for (const pair of pairs) {
    const [key = UNDEFINED, value = UNDEFINED] = [...iterate(ready(pair), visit)];
    setEntry(made, key, value, visit);
  }
  return made;
}

/** `Object.groupBy` and `Map.groupBy`: the items by what the function gives for each. */
export function grouped(
  items: readonly Value[],
  keys: readonly Value[],
  { name, visit }: { name: string; visit: Visit },
): Value {
  const groups = new Map<unknown, [Value, Value[]]>();
  for (const [at, item] of items.entries()) {
    const key = keys[at] ?? UNDEFINED;
    const known = name === "Object.groupBy" ? keyText(key) : keyOf(key);
    const group = groups.get(known) ?? [key, []];
    groups.set(known, group);
    group[1].push(item);
  }
  const origins = joined(keys.map((key) => key.origins));
  const entries = [...groups].map(
    ([known, [key, members]]) => [known, key, list(members, origins)] as const,
  );
  if (name === "Object.groupBy") {
    return object(
      entries.map(([known, , members]) => [String(known), members]),
      origins,
    );
  }
  return tableOf(
    entries.map(([, key, members]) => list([key, members])),
    visit,
    origins,
  );
}

function keyText(value: Value): string {
  const key = ready(value);
  if (key.kind === "nothing") return String(key.value);
  const known = keyOf(key);
  if (typeof known === "string" || typeof known === "number" || typeof known === "boolean")
    return String(known);
  throw typeError("The name of a group is a text or number.", key);
}
