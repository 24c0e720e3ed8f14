import { isPlainObject } from "../../../plans/steps/references.js";

/** A call as text, with values by name: `reopen_issue({ id, owner: before.owner })`. */
export interface CallForm {
  /** Id or name of the tool. */
  tool: string;
  args: ObjectForm;
}

type ValueForm =
  | { kind: "path"; path: string[] }
  | { kind: "value"; value: unknown }
  | { kind: "list"; items: ValueForm[] }
  | ObjectForm;

interface ObjectForm {
  kind: "object";
  /** An entry without a name is spread. */
  entries: { name?: string; value: ValueForm }[];
}

/** What a call form takes its values from: the arguments of the call, its result, and what was read before it. */
export interface CallValues {
  args: Record<string, unknown>;
  result?: unknown;
  before?: unknown;
}

/** How the call is written that takes a write back, for error messages. */
export const CALL_FORM =
  'a call such as reopen_issue({ id }), with arguments of the tool, result.NAME, before.NAME, "texts" and numbers';

const LONGEST_FORM = 1_000;

const TOKEN =
  /\s*(?:(\.\.\.)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?)|([\p{L}_$][\p{L}\p{N}_$]*)|([^\s]))/uy;

/**
 * Reads such a call. It is a small part of the language of programs, read without the compiler, because each write looks
 * at it.
 *
 * @returns undefined for anything else
 */
export function readCallForm(text: unknown): CallForm | undefined {
  if (typeof text !== "string" || text.length > LONGEST_FORM) return undefined;
  // Ids of tools may hold dots, slashes and hyphens.
  const [, tool, given] = /^\s*([^\s()'"{}]+)\s*\((.*)\)\s*;?\s*$/s.exec(text) ?? [];
  if (tool === undefined || given === undefined) return undefined;
  if (given.trim() === "") return { tool, args: { kind: "object", entries: [] } };
  try {
    const tokens = tokensOf(given);
    const args = objectIn(tokens);
    return tokens.length === 0 ? { tool, args } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The arguments that the call is made with; values that there are not are left out. */
export function argumentsOf({ args }: CallForm, values: CallValues): Record<string, unknown> {
  return objectOf(args, values);
}

/** The paths below `before` that a call takes values from: "status" for `before.status`, "" for all of it. */
export function pathsBefore({ args }: CallForm): string[][] {
  return pathsIn(args).flatMap(([root, ...path]) => (root === "before" ? [path] : []));
}

/** Whether a call takes a value from the result of the write. */
export function needsResult({ args }: CallForm): boolean {
  return pathsIn(args).some(([root]) => root === "result");
}

function pathsIn(value: ValueForm): string[][] {
  if (value.kind === "path") return [value.path];
  if (value.kind === "list") return value.items.flatMap(pathsIn);
  return value.kind === "object" ? value.entries.flatMap((entry) => pathsIn(entry.value)) : [];
}

/** The first names of what a call takes its values from: arguments of the write, `result`, `before`. */
export function rootsOf({ args }: CallForm): string[] {
  return pathsIn(args).flatMap(([root]) => root ?? []);
}

interface Token {
  kind: "spread" | "text" | "number" | "name" | "sign";
  text: string;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const [, spread, quoted, number, name, sign] = TOKEN.exec(text) ?? [];
    if (spread) tokens.push({ kind: "spread", text: spread });
    else if (quoted !== undefined) tokens.push({ kind: "text", text: quoted });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "sign", text: sign ?? "" });
  }
  return tokens;
}

function take(tokens: Token[], wanted?: string): Token {
  const token = tokens.shift();
  if (!token || (wanted !== undefined && token.text !== wanted)) throw new SyntaxError();
  return token;
}

function objectIn(tokens: Token[]): ObjectForm {
  take(tokens, "{");
  const entries: ObjectForm["entries"] = [];
  while (tokens[0]?.text !== "}") {
    entries.push(entryIn(tokens));
    if (tokens[0]?.text !== "}") take(tokens, ",");
  }
  take(tokens, "}");
  return { kind: "object", entries };
}

function entryIn(tokens: Token[]): ObjectForm["entries"][number] {
  const token = take(tokens);
  if (token.kind === "spread") return { value: valueIn(tokens) };
  if (token.kind !== "name" && token.kind !== "text") throw new SyntaxError();
  const name = token.kind === "text" ? textIn(token) : token.text;
  if (tokens[0]?.text !== ":") {
    if (token.kind === "text") throw new SyntaxError();
    return { name, value: { kind: "path", path: [name] } };
  }
  take(tokens, ":");
  return { name, value: valueIn(tokens) };
}

const WORDS: Record<string, unknown> = { true: true, false: false, null: null };

function valueIn(tokens: Token[]): ValueForm {
  if (tokens[0]?.text === "{" && tokens[0].kind === "sign") return objectIn(tokens);
  const token = take(tokens);
  if (token.kind === "text") return { kind: "value", value: textIn(token) };
  if (token.kind === "number") return { kind: "value", value: Number(token.text) };
  if (token.text === "[") return listIn(tokens);
  if (token.kind !== "name") throw new SyntaxError();
  if (Object.hasOwn(WORDS, token.text)) return { kind: "value", value: WORDS[token.text] };
  const path = [token.text];
  while (tokens[0]?.text === "." || tokens[0]?.text === "[") {
    if (take(tokens).text === ".") {
      path.push(nameIn(tokens));
      continue;
    }
    const key = take(tokens);
    path.push(key.kind === "text" ? textIn(key) : key.text);
    take(tokens, "]");
  }
  return { kind: "path", path };
}

function nameIn(tokens: Token[]): string {
  const { kind, text } = take(tokens);
  if (kind !== "name") throw new SyntaxError();
  return text;
}

function listIn(tokens: Token[]): ValueForm {
  const items: ValueForm[] = [];
  while (tokens[0]?.text !== "]") {
    items.push(valueIn(tokens));
    if (tokens[0]?.text !== "]") take(tokens, ",");
  }
  take(tokens, "]");
  return { kind: "list", items };
}

function textIn({ text }: Token): string {
  const inner = text.slice(1, -1);
  const quoted = text.startsWith("'") ? inner.replaceAll('"', '\\"').replaceAll("\\'", "'") : inner;
  return JSON.parse(`"${quoted}"`) as string;
}

function objectOf({ entries }: ObjectForm, values: CallValues): Record<string, unknown> {
  const given = entries.flatMap(({ name, value: form }): [string, unknown][] => {
    const value = valueOf(form, values);
    if (name === undefined) return isPlainObject(value) ? Object.entries(value) : [];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

function valueOf(form: ValueForm, values: CallValues): unknown {
  switch (form.kind) {
    case "value":
      return form.value;
    case "list":
      return form.items.map((item) => valueOf(item, values));
    case "object":
      return objectOf(form, values);
    default:
      return at(rootOf(form.path, values), form.path.slice(1));
  }
}

/** An argument of the write goes before what it gave. */
function rootOf([name = ""]: string[], { args, ...others }: CallValues): unknown {
  if (Object.hasOwn(args, name)) return args[name];
  if (name === "args") return args;
  return name === "result" || name === "before" ? others[name] : undefined;
}

/** The value below another at a path; undefined if there is none. */
export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner) && /^\d+$/.test(key)) return (inner as unknown[])[Number(key)];
    return isPlainObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}
