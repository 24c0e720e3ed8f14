import { types } from "node:util";
import type { Expression, Pattern, Statement } from "../program.js";

/** Places of the calls whose results went into a value. */
export type Origins = ReadonlySet<string>;

/**
 * A value of a program. Of the host it only contains texts and numbers: fields belong to objects without a
 * prototype, and methods are the interpreter's.
 */
export type Value = Pending | Nothing | Truth | Amount | Text | List | Fields | Moment | Callback;

/** The future result of a call without an outcome, or anything made from it. */
export interface Pending {
  kind: "pending";
  origins: Origins;
}

export interface Nothing {
  kind: "nothing";
  value: null | undefined;
  /** The rest of its chain is skipped; the mark is dropped after the chain. */
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
  /** In JavaScript notation; {@link parts} are worded differently for people. */
  value: string;
  parts?: readonly (string | Value)[];
  /** A part without a sensible JavaScript notation: the text can be told but not processed. */
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

/** A point in time in UTC; without a time of day if given as a day. */
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

export interface Scope {
  names: Map<string, Value>;
  outer: Scope | undefined;
}

const NOWHERE: Origins = new Set();

export const PENDING: Pending = { kind: "pending", origins: NOWHERE };

/** The result of a chain cut short by `?.`, with the origins of the missing value. */
export function cutShort({ origins }: Value): Nothing {
  return { kind: "nothing", value: undefined, origins, cut: true };
}

export const UNDEFINED: Nothing = { kind: "nothing", value: undefined, origins: NOWHERE };

export function isUndefined(value: Value): boolean {
  return value.kind === "nothing" && value.value === undefined;
}

/** A name for a kind of value, for messages. */
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
 * A call's data as a value. Lists and objects are converted lazily: the program restarts for each call, and
 * most of a long result is never used.
 */
export function valueOf(data: unknown, origins: Origins = NOWHERE): Value {
  if (data === null) return { kind: "nothing", value: null, origins };
  if (typeof data === "string") return text(data, origins);
  if (typeof data === "number") return number(data, origins);
  if (typeof data === "boolean") return truth(data, origins);
  // Anything but data is not inspected, because traps and getters would run.
  if (typeof data !== "object" || types.isProxy(data)) {
    return { kind: "nothing", value: undefined, origins };
  }
  return Array.isArray(data) ? listOf(data, origins) : objectOf(data, origins);
}

export function joined(all: Iterable<Origins>): Origins {
  let known = NOWHERE;
  for (const next of all) {
    if (next === known || [...next].every((place) => known.has(place))) continue;
    known = known.size === 0 ? next : new Set([...known, ...next]);
  }
  return known;
}

/** All places a value and its parts come from. */
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

/** The list meant by a result where a list is needed: itself, or the one it wraps. */
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

/** Paging fields, which say nothing about a list's content. */
const PAGING =
  /^(?:total\w*|count|pages?|page_\w+|per_page|limit|offset|has_?more|next\w*|prev\w*|cursor)$/i;

/**
 * The name of the list in an object with only a list and its paging: `{ items: […], total: 3 }`. A program that
 * uses such an object as a list can only mean that one; an object with other fields is a thing that has a list.
 */
export function wrappedListIn(
  fields: readonly { name: string; isList: boolean }[],
): string | undefined {
  const [only, ...others] = fields.filter(({ isList }) => isList);
  const isPlain = fields.every(({ name, isList }) => isList || PAGING.test(name));
  return only && others.length === 0 && isPlain ? only.name : undefined;
}
