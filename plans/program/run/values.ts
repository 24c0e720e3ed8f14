import { types } from "node:util";
import type { Expression, Pattern, Statement } from "../program.js";
import { wrappedListIn } from "../wrappedList.js";

/** Places of the calls whose results a value was made from. */
export type Origins = ReadonlySet<string>;

/**
 * A value of a program. Nothing of the host is in it but texts and numbers: fields are own fields of objects
 * without a prototype, methods are the interpreter's.
 */
export type Value = Pending | Nothing | Truth | Amount | Text | List | Fields | Moment | Callback;

/** What a call that has no outcome yet will give, and whatever is made from it. */
export interface Pending {
  kind: "pending";
  origins: Origins;
}

export interface Nothing {
  kind: "nothing";
  value: null | undefined;
  /** The rest of the chain that it stands in is not looked at; it has no such mark beyond the chain. */
  cut?: true;
  origins: Origins;
}

export interface Truth {
  kind: "boolean";
  value: boolean;
  origins: Origins;
}

export interface Amount {
  kind: "number";
  value: number;
  origins: Origins;
}

export interface Text {
  kind: "text";
  /** As JavaScript words it; {@link parts} are worded anew where a person is told them. */
  value: string;
  parts?: readonly (string | Value)[];
  /** A part that JavaScript has no sensible words for: the text can be told, but not be worked with. */
  flaw?: Value;
  origins: Origins;
}

export interface List {
  kind: "list";
  size: number;
  /** All of it is data of one call. */
  isData?: boolean;
  readonly items: readonly Value[];
  origins: Origins;
}

export interface Fields {
  kind: "object";
  /** All of it is data of one call. */
  isData?: boolean;
  readonly fields: Readonly<Record<string, Value>>;
  origins: Origins;
}

/** A point in time in UTC; without a time of day where it was given as a day. */
export interface Moment {
  kind: "date";
  value: number;
  isDay: boolean;
  origins: Origins;
}

export interface Callback {
  kind: "function";
  parameters: readonly Pattern[];
  body: Expression | readonly Statement[];
  scope: Scope;
  origins: Origins;
}

/** Names and what they stand for. */
export interface Scope {
  names: Map<string, Value>;
  outer: Scope | undefined;
}

export const NOWHERE: Origins = new Set();

export const PENDING: Pending = { kind: "pending", origins: NOWHERE };

/** What `?.` leaves of a chain behind a value that is not there; it says where that came from. */
export function cutShort({ origins }: Value): Nothing {
  return { kind: "nothing", value: undefined, origins, cut: true };
}

export const UNDEFINED: Nothing = { kind: "nothing", value: undefined, origins: NOWHERE };

export function isUndefined(value: Value): boolean {
  return value.kind === "nothing" && value.value === undefined;
}

/** How a value is called in a message. */
export function kindOf(value: Value): string {
  if (value.kind === "nothing") return String(value.value);
  return value.kind === "object" ? "an object" : `a ${value.kind}`;
}

export function number(value: number, origins: Origins = NOWHERE): Amount {
  return { kind: "number", value, origins };
}

export function truth(value: boolean, origins: Origins = NOWHERE): Truth {
  return { kind: "boolean", value, origins };
}

export function text(value: string, origins: Origins = NOWHERE): Text {
  return { kind: "text", value, origins };
}

export function list(items: readonly Value[], origins: Origins = NOWHERE): List {
  return { kind: "list", size: items.length, items, origins };
}

export function object(
  fields: Iterable<readonly [string, Value]>,
  origins: Origins = NOWHERE,
): Fields {
  return { kind: "object", fields: ownFields(fields), origins };
}

/**
 * Data of a call as a value. Lists and objects are gone into where the program looks at them: it is begun anew
 * for each call, and most of a long result is never looked at.
 */
export function valueOf(data: unknown, origins: Origins = NOWHERE): Value {
  if (data === null) return { kind: "nothing", value: null, origins };
  if (typeof data === "string") return text(data, origins);
  if (typeof data === "number") return number(data, origins);
  if (typeof data === "boolean") return truth(data, origins);
  // What is no data is not looked into: traps and getters would run.
  if (typeof data !== "object" || types.isProxy(data)) {
    return { kind: "nothing", value: undefined, origins };
  }
  return Array.isArray(data) ? listOf(data, origins) : objectOf(data, origins);
}

/** All places that these come from. */
export function joined(all: Iterable<Origins>): Origins {
  let known = NOWHERE;
  for (const next of all) {
    if (next === known || [...next].every((place) => known.has(place))) continue;
    known = known.size === 0 ? next : new Set([...known, ...next]);
  }
  return known;
}

/** All places that a value and whatever is in it come from. */
export function originsIn(value: Value): Origins {
  if (value.kind === "list" && !value.isData) {
    return joined([value.origins, ...value.items.map(originsIn)]);
  }
  if (value.kind === "object" && !value.isData) {
    return joined([value.origins, ...Object.values(value.fields).map(originsIn)]);
  }
  return value.origins;
}

function listOf(data: readonly unknown[], origins: Origins): List {
  let items: Value[] | undefined;
  return {
    kind: "list",
    size: data.length,
    isData: true,
    origins,
    get items() {
      items ??= Array.from({ length: data.length }, (_, at) =>
        valueOf(Object.getOwnPropertyDescriptor(data, at)?.value, origins),
      );
      return items;
    },
  };
}

function objectOf(data: object, origins: Origins): Fields {
  let fields: Record<string, Value> | undefined;
  return {
    kind: "object",
    isData: true,
    origins,
    get fields() {
      fields ??= ownFields(
        Object.keys(data).map((key) => [
          key,
          valueOf(Object.getOwnPropertyDescriptor(data, key)?.value, origins),
        ]),
      );
      return fields;
    },
  };
}

function ownFields(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const fields = Object.create(null) as Record<string, Value>;
  for (const [key, value] of entries) fields[key] = value;
  return fields;
}

/** The list that a result stands for where a list is needed: itself, or the one that it wraps. */
export function asList(value: Value): List | undefined {
  if (value.kind === "list") return value;
  if (value.kind !== "object" || !value.isData) return undefined;
  const fields = Object.entries(value.fields);
  const name = wrappedListIn(
    fields.map(([key, { kind }]) => ({ name: key, isList: kind === "list" })),
  );
  const inner = name === undefined ? undefined : value.fields[name];
  return inner?.kind === "list" ? inner : undefined;
}
