import { createHash } from "node:crypto";
import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

/** JSON of parts of a thread's states, by a hash of it. */
export type Pieces = ReadonlyMap<string, string>;

/** Values without their larger parts, and these parts. */
export interface Apart {
  values: unknown[];
  pieces: Pieces;
}

/** A value shorter than this, in characters of JSON, stays where it is. */
const SMALL = 200;

/** Parts that a list names itself; those of a longer one are grouped, so that adding to it changes one group. */
const WIDTH = 32;

/** Stands for the value of a piece. */
const PIECE = "__piece";

/** Stands for the elements of a piece, in a list. */
const GROUP = "__group";

/**
 * Takes values apart into pieces that many states have in common: a list into its elements, anything else as a whole.
 * So a thread keeps each message and each call once, whatever number of checkpoints and writes it is in.
 *
 * @returns values that JSON holds: whatever else there is becomes a piece
 */
export async function takeApart(values: readonly unknown[], json: Json): Promise<Apart> {
  const texts = new Map<unknown, string | undefined>();
  const apart = takeApartNow(values, (value) => {
    const text = json.plain(value);
    texts.set(value, text);
    return text;
  });
  const special = [...texts].filter(([, text]) => text === undefined);
  if (special.length === 0) return apart;
  for (const [value] of special) texts.set(value, await json.write(value));
  return takeApartNow(values, (value) => texts.get(value) ?? json.plain(value));
}

/** @param write returns undefined for what it cannot write */
function takeApartNow(
  values: readonly unknown[],
  write: (value: unknown) => string | undefined,
): Apart {
  const pieces = new Map<string, string>();
  const named = (value: unknown, as: typeof PIECE | typeof GROUP): unknown => {
    if (isScalar(value)) return value;
    const text = write(value) ?? "";
    if (text.length < SMALL && !stands(value) && !text.includes(SPECIAL)) return value;
    const id = createHash("sha256").update(text).digest("base64url").slice(0, 22);
    pieces.set(id, text);
    return { [as]: id };
  };
  const apart = (value: unknown): unknown => {
    if (!Array.isArray(value)) return named(value, PIECE);
    let parts = value.map(apart);
    while (parts.length > WIDTH) {
      const groups = Array.from({ length: Math.ceil(parts.length / WIDTH) }, (_, at) =>
        parts.slice(at * WIDTH, (at + 1) * WIDTH),
      );
      const grouped = groups.map((group) => named(group, GROUP)).flat();
      // Groups of small values are not chunks.
      if (grouped.length === parts.length) break;
      parts = grouped;
    }
    return named(parts, PIECE);
  };
  return { values: values.map(apart), pieces };
}

/**
 * Puts values together again.
 *
 * @param found the pieces that are known; those that are read are added
 * @throws Error if a piece is gone
 */
export async function putTogether(
  values: readonly unknown[],
  options: {
    json: Json;
    found: Map<string, unknown>;
    read: (ids: readonly string[]) => Promise<Pieces>;
  },
): Promise<unknown[]> {
  const { json, found, read } = options;
  let missing = idsIn(values).filter((id) => !found.has(id));
  while (missing.length > 0) {
    const pieces = await read(missing);
    const inside: unknown[] = [];
    for (const id of missing) {
      const text = pieces.get(id);
      if (text === undefined) throw new Error(`a part of the thread's state is gone: ${id}`);
      const value = await json.read(text);
      found.set(id, value);
      // Only lists name other pieces.
      if (Array.isArray(value)) inside.push(value);
    }
    missing = idsIn(inside).filter((id) => !found.has(id));
  }
  return values.map((value) => whole(value, found));
}

function whole(value: unknown, found: ReadonlyMap<string, unknown>): unknown {
  const id = idOf(value, PIECE);
  const known = id === undefined ? value : found.get(id);
  return Array.isArray(known) ? known.flatMap((part) => elements(part, found)) : known;
}

/** What a part of a list stands for. */
function elements(part: unknown, found: ReadonlyMap<string, unknown>): unknown[] {
  const id = idOf(part, GROUP);
  if (id === undefined) return [whole(part, found)];
  return (found.get(id) as unknown[]).flatMap((inner) => elements(inner, found));
}

/** The pieces that values name themselves. */
function idsIn(values: readonly unknown[]): string[] {
  const named = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(named);
    const id = idOf(value, PIECE) ?? idOf(value, GROUP);
    return id === undefined ? [] : [id];
  };
  return [...new Set(values.flatMap(named))];
}

function idOf(value: unknown, as: typeof PIECE | typeof GROUP): string | undefined {
  const id: unknown = isObject(value) ? value[as] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Whether a value could be taken for one that stands for a piece. */
function stands(value: unknown): boolean {
  return isObject(value) && (PIECE in value || GROUP in value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isScalar(value: unknown): boolean {
  if (typeof value === "string") return value.length < SMALL / 2;
  if (Array.isArray(value)) return value.length === 0;
  return !isObject(value) && value !== undefined;
}

/** Values of states as JSON and back. */
export type Json = ReturnType<typeof jsonBy>;

export function jsonBy(serde: SerializerProtocol) {
  return {
    plain: plainJson,
    /** Any value. LangGraph's serializer looks at each value twice and at each part of it anew. */
    write: async (value: unknown) => {
      // In a list, because bytes alone are not made JSON.
      const [, bytes] = await serde.dumpsTyped([value]);
      return new TextDecoder().decode(bytes).slice(1, -1);
    },
    read: async (text: string): Promise<unknown> =>
      text.includes(SPECIAL) ? await serde.loadsTyped("json", text) : (JSON.parse(text) as unknown),
  };
}

/** What LangChain writes of everything that is more than JSON. */
const SPECIAL = '"lc":';

/** Undefined if JSON does not hold all of the value: sets, errors, what is undefined … A message writes itself. */
function plainJson(value: unknown): string | undefined {
  let isPlain = true;
  try {
    const text = JSON.stringify(value, (_key, part: unknown) => {
      isPlain &&= isPlainPart(part);
      return part;
    });
    return isPlain ? text : undefined;
  } catch {
    // A part contains itself.
    return undefined;
  }
}

function isPlainPart(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return part !== undefined;
  return Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype;
}
