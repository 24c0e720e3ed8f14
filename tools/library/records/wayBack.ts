import { isPlainObject } from "../../../plans/steps/references.js";

/** A call as text, with values by name: `reopen_issue({ id, owner: before.owner })`. */
export interface CallForm {
  /** Id or name of the tool. */
  tool: string;
  /** The names of the arguments that it is given; undefined for what is spread. */
  names: (string | undefined)[];
  /** Where its values come from: an argument of the write, or something below `args`, `result` or `before`. */
  paths: string[][];
  /** The arguments that the call is made with; values that there are not are left out. */
  argumentsOf: (values: CallValues) => Record<string, unknown>;
}

/** What a call form takes its values from: the arguments of the call, its result, and what was read before it. */
interface CallValues {
  args: Record<string, unknown>;
  result?: unknown;
  before?: unknown;
}

/** How the call is written that takes a write back, for error messages. */
export const CALL_FORM =
  'a call such as reopen_issue({ id }), with arguments of the tool, result.NAME, before.NAME, "texts" and numbers';

const LONGEST_FORM = 1_000;

const TOKEN =
  /\.{3}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|[\p{L}_$][\p{L}\p{N}_$]*|\S/gu;

const NAME = /^[\p{L}_$]/u;

/**
 * Reads such a call. It is a small part of the language of programs, read without the compiler, because each write looks
 * at it.
 *
 * @returns undefined for anything else
 */
export function readCallForm(text: unknown): CallForm | undefined {
  if (typeof text !== "string" || text.length > LONGEST_FORM) return undefined;
  // Ids of tools may hold dots, slashes and hyphens.
  const [, tool, given = ""] = /^\s*([^\s()'"{}]+)\s*\((.*)\)\s*;?\s*$/s.exec(text) ?? [];
  if (tool === undefined) return undefined;
  const form: Reading = { tokens: (given.trim() || "{}").match(TOKEN) ?? [], paths: [] };
  try {
    const entries = itemsIn(form, BRACES, entryIn);
    if (form.tokens.length > 0) return undefined;
    const names = entries.map(({ name }) => name);
    return { tool, names, paths: form.paths, argumentsOf: objectOf(entries) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The paths below `before` that a call takes values from: "status" for `before.status`, "" for all of it. */
export function pathsBefore({ paths }: CallForm): string[][] {
  return paths.flatMap(([root, ...path]) => (root === "before" ? [path] : []));
}

/** Whether a call takes a value from the result of the write. */
export function needsResult({ paths }: CallForm): boolean {
  return paths.some(([root]) => root === "result");
}

/** What is left of a text, and the paths that were met in it. */
interface Reading {
  tokens: string[];
  paths: string[][];
}

type Value = (values: CallValues) => unknown;

/** One without a name is spread. */
interface Entry {
  name?: string;
  valueOf: Value;
}

function take({ tokens }: Reading, wanted?: string): string {
  const token = tokens.shift();
  if (token === undefined || (wanted !== undefined && token !== wanted)) throw new SyntaxError();
  return token;
}

const BRACES = ["{", "}"] as const;

function objectOf(entries: readonly Entry[]): CallForm["argumentsOf"] {
  return (values) =>
    Object.fromEntries(
      entries.flatMap(({ name, valueOf }): [string, unknown][] => {
        const value = valueOf(values);
        if (name === undefined) return isPlainObject(value) ? Object.entries(value) : [];
        return value === undefined ? [] : [[name, value]];
      }),
    );
}

function itemsIn<Item>(
  form: Reading,
  [open, close]: readonly [string, string],
  itemIn: (form: Reading) => Item,
): Item[] {
  const items: Item[] = [];
  take(form, open);
  while (form.tokens[0] !== close) {
    items.push(itemIn(form));
    if (form.tokens[0] !== close) take(form, ",");
  }
  take(form, close);
  return items;
}

function entryIn(form: Reading): Entry {
  const token = take(form);
  if (token === "...") return { valueOf: valueIn(form) };
  const text = textOf(token);
  if (text === undefined && !NAME.test(token)) throw new SyntaxError();
  const name = text ?? token;
  if (text === undefined && form.tokens[0] !== ":")
    return { name, valueOf: pathValue(form, [name]) };
  take(form, ":");
  return { name, valueOf: valueIn(form) };
}

const WORDS: Record<string, unknown> = { true: true, false: false, null: null };

function valueIn(form: Reading): Value {
  const { tokens } = form;
  if (tokens[0] === "{") return objectOf(itemsIn(form, BRACES, entryIn));
  if (tokens[0] === "[") {
    const items = itemsIn(form, ["[", "]"], valueIn);
    return (values) => items.map((item) => item(values));
  }
  const token = take(form);
  const text = textOf(token);
  if (text !== undefined) return () => text;
  if (/\d$/.test(token) && !NAME.test(token)) return () => Number(token);
  if (!NAME.test(token)) throw new SyntaxError();
  if (Object.hasOwn(WORDS, token)) return () => WORDS[token];
  const path = [token];
  while (tokens[0] === "." || tokens[0] === "[") {
    if (take(form) === ".") {
      if (!NAME.test(tokens[0] ?? "")) throw new SyntaxError();
      path.push(take(form));
    } else {
      const key = take(form);
      path.push(textOf(key) ?? key);
      take(form, "]");
    }
  }
  return pathValue(form, path);
}

/** The text in quotes; undefined for any other token. */
function textOf(token: string): string | undefined {
  const [, quote, inner = ""] = /^(["'])(.*)\1$/s.exec(token) ?? [];
  if (quote === undefined) return undefined;
  const quoted = quote === "'" ? inner.replaceAll('"', '\\"').replaceAll("\\'", "'") : inner;
  return JSON.parse(`"${quoted}"`) as string;
}

/** An argument of the write goes before what it gave. */
function pathValue({ paths }: Reading, path: string[]): Value {
  paths.push(path);
  const [root = "", ...inside] = path;
  return ({ args, ...others }) => {
    if (Object.hasOwn(args, root)) return at(args[root], inside);
    if (root === "args") return at(args, inside);
    return root === "result" || root === "before" ? at(others[root], inside) : undefined;
  };
}

/** The value below another at a path; undefined if there is none. */
export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner) && /^\d+$/.test(key)) return (inner as unknown[])[Number(key)];
    return isPlainObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}
