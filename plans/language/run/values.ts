import { types } from "node:util";
import type { At } from "../program.js";
import { Fault, type Thrown, Undecided } from "./signals.js";

/** Places of the calls whose results went into a value. */
export type Origins = ReadonlySet<string>;

/**
 * A value of a program. Of the host it only contains texts and numbers: fields belong to objects without a
 * prototype, and methods are the interpreter's.
 */
export type Value = Single | Pending | Failed | Container | Callback | Format;

/** A value that never changes. */
type Single = Nothing | Truth | Amount | BigInteger | Text;

/** A value that a program can change, so that all names for it see the change. */
type Container = List | Fields | Keyed | Moment | TextPattern;

/** The future result of a call without an outcome, or anything made from it. */
export interface Pending {
  kind: "pending";
  /** Whether it can only be the result of a call, which no other name holds. */
  isFresh?: true;
  origins: Origins;
}

/** A call that has failed, before anything has waited for it. */
export interface Failed {
  kind: "failed";
  error: Thrown;
  origins: Origins;
}

export interface Nothing {
  kind: "nothing";
  value: null | undefined;
  /** The rest of its chain is skipped; the mark is dropped after the chain. */
  cut?: true;
  origins: Origins;
}

interface Truth {
  kind: "boolean";
  value: boolean;
  origins: Origins;
}

export interface Amount {
  kind: "number";
  value: number;
  origins: Origins;
}

export interface BigInteger {
  kind: "bigint";
  value: bigint;
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

export interface Callback {
  kind: "function";
  written: At<"function">;
  scope: Scope;
  origins: Origins;
}

/** An object of `Intl`: its arguments, from which the host's is made. */
export interface Format {
  kind: "format";
  name: string;
  locales: string | string[] | undefined;
  options: object;
  origins: Origins;
}

export interface Scope {
  names: Map<string, Value>;
  outer: Scope | undefined;
}

const NOWHERE: Origins = new Set();

/** Content that a part of the program which cannot be followed yet may change is not known until it can. */
abstract class Changeable {
  isUnsettled = false;
  /** All of it is data of one call. */
  isData = false;
  origins: Origins;

  constructor(origins: Origins = NOWHERE) {
    this.origins = origins;
  }

  protected settled<T>(content: T): T {
    if (this.isUnsettled) throw new Undecided();
    return content;
  }

  /** Notes a change, which depends on these values. */
  change(by: readonly Value[] = []): void {
    this.isData = false;
    this.origins = joined([this.origins, ...by.map(originsIn)]);
  }
}

export class List extends Changeable {
  readonly kind = "list";
  /** Further fields, such as those of a match. */
  fields: ReadonlyMap<string, Value> | undefined;
  /** With the host's own empty places, where nothing was put. */
  private made: Value[] | undefined;
  private data: readonly unknown[] = [];

  constructor(items: Value[] | undefined, origins?: Origins) {
    super(origins);
    this.made = items;
  }

  /** Items are converted when needed: the program restarts for each call, and most of a long result is never used. */
  static ofData(data: readonly unknown[], origins: Origins): List {
    const made = new List(undefined, origins);
    made.data = data;
    made.isData = true;
    return made;
  }

  get size(): number {
    return this.settled((this.made ?? this.data).length);
  }

  get items(): Value[] {
    this.made ??= Array.from({ length: this.data.length }, (_, at) =>
      valueOf(Object.getOwnPropertyDescriptor(this.data, at)?.value, this.origins),
    );
    return this.settled(this.made);
  }

  set items(items: Value[]) {
    this.made = items;
  }

  /** What is inside and may have other names, whether it is settled or not. */
  get inside(): readonly Value[] {
    return this.made ?? [];
  }
}

type Named = Record<string, Value>;

export class Fields extends Changeable {
  readonly kind = "object";
  /** The class of an error. */
  readonly error: string | undefined;
  private made: Named | undefined;
  private data: object = {};

  constructor(
    entries: Iterable<readonly [string, Value]> | undefined,
    origins?: Origins,
    error?: string,
  ) {
    super(origins);
    this.made = entries && ownFields(entries);
    this.error = error;
  }

  static ofData(data: object, origins: Origins): Fields {
    const made = new Fields(undefined, origins);
    made.data = data;
    made.isData = true;
    return made;
  }

  get fields(): Named {
    this.made ??= ownFields(
      Object.keys(this.data).map((key) => [
        key,
        valueOf(Object.getOwnPropertyDescriptor(this.data, key)?.value, this.origins),
      ]),
    );
    return this.settled(this.made);
  }

  get inside(): readonly Value[] {
    return Object.values(this.made ?? {});
  }
}

/** A `Map` or `Set`, by what JavaScript compares keys by; both parts of a pair are the same in a `Set`. */
export class Keyed extends Changeable {
  readonly kind: "map" | "set";
  private readonly made = new Map<unknown, [Value, Value]>();

  constructor(kind: "map" | "set", origins?: Origins) {
    super(origins);
    this.kind = kind;
  }

  get entries(): Map<unknown, [Value, Value]> {
    return this.settled(this.made);
  }

  get inside(): readonly Value[] {
    return [...this.made.values()].flat();
  }
}

/** A point in time in UTC; without a time of day if given as a day. */
export class Moment extends Changeable {
  readonly kind = "date";
  readonly inside: readonly Value[] = [];
  private time: number;
  isDay: boolean;
  /** What it was to be made of, if that is not a date. */
  unread: string | undefined;

  constructor(time: number, isDay: boolean, origins?: Origins) {
    super(origins);
    this.time = time;
    this.isDay = isDay;
  }

  get value(): number {
    return this.settled(this.time);
  }

  set value(time: number) {
    this.time = time;
  }
}

export class TextPattern extends Changeable {
  readonly kind = "pattern";
  readonly inside: readonly Value[] = [];
  readonly pattern: RegExp;
  private last = 0;

  constructor(pattern: RegExp, origins?: Origins) {
    super(origins);
    this.pattern = pattern;
  }

  get lastIndex(): number {
    return this.settled(this.last);
  }

  set lastIndex(at: number) {
    this.last = at;
  }
}

export const PENDING: Pending = { kind: "pending", origins: NOWHERE };

/** The future result of a call, which nothing else can be. */
export const FRESH: Pending = { kind: "pending", isFresh: true, origins: NOWHERE };

/** The result of a chain cut short by `?.`, with the origins of the missing value. */
export function cutShort({ origins }: Value): Nothing {
  return { kind: "nothing", value: undefined, origins, cut: true };
}

export const UNDEFINED: Nothing = { kind: "nothing", value: undefined, origins: NOWHERE };

export function isUndefined(value: Value): boolean {
  return value.kind === "nothing" && value.value === undefined;
}

/** The items with their positions; nothing is in empty places. */
export function allOf(items: readonly Value[]): [number, Value][] {
  return Array.from(items, (item: Value | undefined, at) => [at, item ?? UNDEFINED]);
}

export function isContainer(value: Value): value is Container {
  return value instanceof Changeable;
}

/** A value that can be used: known, and not a failure, which is thrown where it is used. */
export function ready(value: Value): Exclude<Value, Pending | Failed> {
  if (value.kind === "pending") throw new Undecided();
  if (value.kind === "failed") throw value.error.used();
  return value;
}

/** A text that can be worked with. */
export function sound(text: Text): Text {
  if (!text.flaw) return text;
  const instead = text.flaw.kind === "date" ? "write its toISOString()" : "take one of its fields";
  const problem = `A text holds ${kindOf(text.flaw)} where words are needed: ${instead}.`;
  throw new Fault(problem, { value: text.flaw });
}

const KINDS: ReadonlyMap<Value["kind"], string> = new Map([
  ["object", "an object"],
  ["map", "a Map"],
  ["set", "a Set"],
  ["pattern", "a regular expression"],
  ["format", "a format of Intl"],
  ["bigint", "a big integer"],
]);

/** A name for a kind of value, for messages. */
export function kindOf(value: Value): string {
  if (value.kind === "nothing") return String(value.value);
  return KINDS.get(value.kind) ?? `a ${value.kind}`;
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

export function list(items: readonly Value[], origins?: Origins): List {
  return new List(items.slice(), origins);
}

export function object(entries: Iterable<readonly [string, Value]>, origins?: Origins): Fields {
  return new Fields(entries, origins);
}

export function errorOf(message: string, origins?: Origins, name = "Error"): Fields {
  return new Fields([["message", text(message, origins)]], origins, name);
}

/** A call's data as a value. */
export function valueOf(data: unknown, origins: Origins = NOWHERE): Value {
  if (data === null) return { kind: "nothing", value: null, origins };
  if (typeof data === "string") return text(data, origins);
  if (typeof data === "number") return number(data, origins);
  if (typeof data === "boolean") return truth(data, origins);
  // Anything but data is not inspected, because traps and getters would run.
  if (typeof data !== "object" || types.isProxy(data))
    return { kind: "nothing", value: undefined, origins };
  return Array.isArray(data) ? List.ofData(data, origins) : Fields.ofData(data, origins);
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
  if (!isContainer(value) || value.isData) return value.origins;
  const all: Origins[] = [];
  const seen = new Set<Value>();
  const add = (part: Value): void => {
    if (seen.has(part)) return;
    seen.add(part);
    all.push(part.origins);
    if (isContainer(part) && !part.isData) part.inside.forEach(add);
  };
  add(value);
  return joined(all);
}

function ownFields(entries: Iterable<readonly [string, Value]>): Named {
  const fields = Object.create(null) as Named;
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
