import type { ToolDefinition } from "../../tool.js";
import { countTools, type LibraryPlace } from "../records/records.js";
import {
  addRarity,
  entryOf,
  havingOf,
  NUMBERS,
  NUMBERS_EACH,
  placeIn,
  positionOf,
  rarityOf,
  SEGMENT,
  segmentOf,
} from "./wordEntries.js";
import {
  type Bytes,
  confirmWords,
  entriesFrom,
  readPostings,
  readSegments,
  readState,
  toBytes,
} from "./wordRows.js";
import { traitsOf } from "./relatedWords.js";
import { type PerField, toolWords } from "./words.js";

// Writes the words of a library's tools: of all of them, or of those that have changed.

/** A tool that is added, removed or changed. */
export interface WordChange {
  /** In the order of registration. */
  position: number;
  before?: ToolDefinition;
  after?: ToolDefinition;
}

/** Writes the words of all tools from scratch. Must run in a write transaction. */
export function rebuildWords(place: LibraryPlace): void {
  const { database, library } = place;
  for (const table of ["words", "word_segments", "word_states"]) {
    database.prepare(`DELETE FROM ${table} WHERE library = ?`).run(library);
  }
  const segments = new Map<number, Float32Array>();
  for (const { segment, tools } of toolSegments(place)) {
    segments.set(segment, writeSegment(place, { segment, tools }));
  }
  addRarities(place, segments);
  for (const [segment, numbers] of segments) writeNumbers(place, { segment, numbers });
  confirmWords(place);
}

interface PlacedDefinition {
  /** Place in the segment. */
  at: number;
  tool: ToolDefinition;
}

/** All tools, one segment at a time, because a large library may not fit in memory. */
function* toolSegments({ database, library }: LibraryPlace) {
  const segments = database
    .prepare(`SELECT DISTINCT position / ${SEGMENT} FROM tools WHERE library = ?`)
    .pluck()
    .all(library) as number[];
  const read = database.prepare(
    "SELECT position, definition FROM tools WHERE library = ? AND position BETWEEN ? AND ? ORDER BY position",
  );
  for (const segment of segments) {
    const rows = read.all(library, positionOf(segment, 0), positionOf(segment, SEGMENT - 1));
    const tools = (rows as { position: number; definition: string }[]).map(
      (row): PlacedDefinition => ({
        at: segmentOf(row.position).at,
        tool: JSON.parse(row.definition) as ToolDefinition,
      }),
    );
    yield { segment, tools };
  }
}

/** Writes the entries of a segment's words, and returns the numbers of its tools, without rarities as yet. */
function writeSegment(
  { database, library }: LibraryPlace,
  { segment, tools }: { segment: number; tools: readonly PlacedDefinition[] },
): Float32Array {
  const numbers = noTools();
  const entries = new Map<string, number[]>();
  for (const { at, tool } of tools) {
    const { words, length } = toolWords(tool);
    writeTool({ numbers, at, tool, length });
    for (const [word, counts] of words) {
      const ofWord = entries.get(word) ?? [];
      ofWord.push(entryOf(at, counts));
      entries.set(word, ofWord);
    }
  }
  const insert = database.prepare(
    "INSERT INTO words (library, word, segment, entries) VALUES (?, ?, ?, ?)",
  );
  for (const [word, ofWord] of entries) {
    insert.run(library, word, segment, toBytes(Uint32Array.from(ofWord)));
  }
  return numbers;
}

/** Writes what is known of a tool before the rarities of its words; zeros for a removed one. */
function writeTool(options: {
  numbers: Float32Array;
  at: number;
  tool: ToolDefinition | undefined;
  length: number;
}): void {
  const { numbers, at, tool, length } = options;
  const from = at * NUMBERS_EACH;
  numbers.fill(0, from, from + NUMBERS_EACH);
  numbers[from + NUMBERS.wordCount] = length + 1;
  numbers[from + NUMBERS.traits] = tool ? traitsOf(tool) : 0;
}

function noTools(): Float32Array {
  return new Float32Array(SEGMENT * NUMBERS_EACH);
}

/** A second pass, because how rare a word is can only be told once all tools have been read. */
function addRarities(
  { database, library }: LibraryPlace,
  segments: ReadonlyMap<number, Float32Array>,
): void {
  const tools = countTools({ database, library });
  const words = database
    .prepare("SELECT DISTINCT word FROM words WHERE library = ?")
    .pluck()
    .all(library) as string[];
  for (let start = 0; start < words.length; start += SEGMENT) {
    const some = words.slice(start, start + SEGMENT);
    for (const postings of readPostings({ database, library, words: some }).values()) {
      const rarity = rarityOf({ tools, having: havingOf(postings) });
      for (const { segment, entries } of postings) {
        const numbers = segments.get(segment);
        if (numbers) for (const entry of entries) addRarity({ numbers, entry, rarity });
      }
    }
  }
}

function writeNumbers(
  { database, library }: LibraryPlace,
  { segment, numbers }: { segment: number; numbers: Float32Array },
): void {
  database
    .prepare("INSERT OR REPLACE INTO word_segments (library, segment, numbers) VALUES (?, ?, ?)")
    .run(library, segment, toBytes(numbers));
}

/**
 * Writes the words of changed tools, unless the words are out of date already. Each row is written once, however many
 * of the tools are in it. Must run in a write transaction.
 */
export function changeWords(place: LibraryPlace, changes: readonly WordChange[]): void {
  const state = readState(place);
  if (!state) return;
  let { tools } = state;
  for (const [segment, some] of bySegment(changes)) {
    changeSegment(place, { segment, changes: some, tools });
    tools += some.length;
  }
}

function bySegment(changes: readonly WordChange[]): Map<number, WordChange[]> {
  const segments = new Map<number, WordChange[]>();
  for (const change of changes) {
    const { segment } = segmentOf(change.position);
    const some = segments.get(segment);
    if (some) some.push(change);
    else segments.set(segment, [change]);
  }
  return segments;
}

/** For each word, the entries of changed tools by their places; undefined where a tool no longer has the word. */
type ChangedEntries = Map<string, Map<number, number | undefined>>;

/** @param options.tools how many the library had before the changes */
function changeSegment(
  place: LibraryPlace,
  options: { segment: number; changes: readonly WordChange[]; tools: number },
): void {
  const { segment, changes, tools } = options;
  const numbers = readSegments(place, [segment]).get(segment) ?? noTools();
  const entries: ChangedEntries = new Map();
  const changed = changes.map(({ position, before, after }) => {
    const { at } = segmentOf(position);
    const old = before ? toolWords(before).words : new Map<string, PerField>();
    const { words, length } = after ? toolWords(after) : NO_TOOL;
    for (const word of new Set([...old.keys(), ...words.keys()])) {
      const counts = words.get(word);
      const ofWord = entries.get(word) ?? new Map<number, number | undefined>();
      entries.set(word, ofWord.set(at, counts && entryOf(at, counts)));
    }
    writeTool({ numbers, at, tool: after, length });
    return { at, words };
  });
  writeEntries(place, { segment, entries });
  const having = countHaving(place, [...entries.keys()]);
  for (const [before, { at, words }] of changed.entries()) {
    for (const [word, counts] of words) {
      const rarity = rarityOf({ tools: tools + before + 1, having: having.get(word) ?? 0 });
      addRarity({ numbers, entry: entryOf(at, counts), rarity });
    }
  }
  writeNumbers(place, { segment, numbers });
}

/** Stands for a removed tool: its length plus one is 0, as where there is no tool. */
const NO_TOOL = { words: new Map<string, PerField>(), length: -1 };

function writeEntries(
  { database, library }: LibraryPlace,
  { segment, entries }: { segment: number; entries: ChangedEntries },
): void {
  const read = database
    .prepare("SELECT entries FROM words WHERE library = ? AND word = ? AND segment = ?")
    .pluck();
  const remove = database.prepare(
    "DELETE FROM words WHERE library = ? AND word = ? AND segment = ?",
  );
  const write = database.prepare(
    "INSERT OR REPLACE INTO words (library, word, segment, entries) VALUES (?, ?, ?, ?)",
  );
  for (const [word, changed] of entries) {
    const stored = read.get(library, word, segment) as Bytes | undefined;
    const others = stored
      ? [...entriesFrom(stored)].filter((entry) => !changed.has(placeIn(entry)))
      : [];
    const now = [...others, ...[...changed.values()].filter((entry) => entry !== undefined)];
    if (now.length === 0) remove.run(library, word, segment);
    else write.run(library, word, segment, toBytes(Uint32Array.from(now)));
  }
}

/** How many tools have each word. */
function countHaving(
  { database, library }: LibraryPlace,
  words: readonly string[],
): Map<string, number> {
  const rows = database
    .prepare(
      `SELECT word, sum(length(entries)) / ${Uint32Array.BYTES_PER_ELEMENT} AS tools FROM words
       WHERE library = ? AND word IN (SELECT value FROM json_each(?)) GROUP BY word`,
    )
    .all(library, JSON.stringify(words)) as { word: string; tools: number }[];
  return new Map(rows.map(({ word, tools }) => [word, tools]));
}
