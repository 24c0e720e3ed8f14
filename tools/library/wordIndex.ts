import type { ToolDefinition } from "../tool.js";
import { countTools, type LibraryPlace, readLibrary } from "./records.js";
import { type PerField, toolWords, WORD_FIELDS, WORD_FORM, type WordField } from "./words.js";

// The words of a library's tools, in the database: for each word the tools that have it. Tools go by their
// position, 4,096 to a segment, so that an edit writes few small rows and a search reads few large ones.
//
// SQLite's FTS5 was measured first. For requests over 100,000 tools it took 25 ms at the median and 80 ms at the
// 95th percentile; its statistics are those of all libraries of a table, and it scores only what it finds itself.

/** Tools of a segment; the place of one within it takes 12 bits. */
const SEGMENT = 4096;

/** A tool that is put in, taken out, or changed. */
export interface WordChange {
  /** In the order of registration. */
  position: number;
  before?: ToolDefinition;
  after?: ToolDefinition;
}

/** The tools of a segment that have a word: each entry is the place of a tool and the counts of its fields. */
export interface Posting {
  segment: number;
  entries: Uint32Array;
}

/** The number of words of each tool of a segment, plus one; 0 where there is no tool. */
export type Lengths = ReadonlyMap<number, Uint16Array>;

const MOST_WORDS = 0xffff;

/** Where the counts of each field lie in an entry, above the tool's place. */
const FIELD_BITS = fieldBits();

function fieldBits() {
  let shift = Math.log2(SEGMENT);
  return (Object.entries(WORD_FIELDS) as [WordField, number][]).map(([field, most]) => {
    const bits = { field, shift, most };
    shift += Math.log2(most + 1);
    return bits;
  });
}

/** Where a position lies. */
export function segmentOf(position: number): { segment: number; at: number } {
  return { segment: Math.floor(position / SEGMENT), at: position % SEGMENT };
}

/** The place in its segment of an entry's tool. */
export function placeIn(entry: number): number {
  return entry & (SEGMENT - 1);
}

/** The position of a tool by its place in a segment. */
export function positionOf(segment: number, at: number): number {
  return segment * SEGMENT + at;
}

/** What a word counts for in a tool: its counts in the fields, each times the field's weight. */
export function weighEntry(entry: number, weights: PerField): number {
  let sum = 0;
  for (const { field, shift, most } of FIELD_BITS) sum += weights[field] * ((entry >>> shift) & most);
  return sum;
}

/** The tools that have a word, by word; without those that no tool has. */
export function readPostings({
  database,
  library,
  words,
}: LibraryPlace & { words: readonly string[] }): Map<string, Posting[]> {
  const rows = database
    .prepare(
      `SELECT word, segment, entries FROM words
       WHERE library = ? AND word IN (SELECT value FROM json_each(?)) ORDER BY word, segment`,
    )
    .all(library, JSON.stringify(words)) as { word: string; segment: number; entries: Buffer }[];
  const postings = new Map<string, Posting[]>();
  for (const { word, segment, entries } of rows) {
    const ofWord = postings.get(word) ?? [];
    ofWord.push({ segment, entries: entriesFrom(entries) });
    postings.set(word, ofWord);
  }
  return postings;
}

/** How many words the tools have. */
export function readLengths({ database, library }: LibraryPlace): Lengths {
  const rows = database
    .prepare("SELECT segment, lengths FROM word_segments WHERE library = ?")
    .all(library) as { segment: number; lengths: Buffer }[];
  return new Map(rows.map(({ segment, lengths }) => [segment, lengthsFrom(lengths)]));
}

/**
 * Whether the words are those of the library's tools. They are not in a file that an older version has written,
 * or after one has changed a tool; nor where rows are torn or missing.
 */
export function hasWords(place: LibraryPlace): boolean {
  if (!followsWords(place)) return false;
  let tools = 0;
  for (const lengths of readLengths(place).values()) {
    if (lengths.length !== SEGMENT) return false;
    for (const length of lengths) if (length > 0) tools += 1;
  }
  return tools === countTools(place);
}

/** Whether the words have followed all changes of the tools so far. */
export function followsWords({ database, library }: LibraryPlace): boolean {
  const state = database
    .prepare("SELECT form, content FROM word_states WHERE library = ?")
    .get(library) as { form: number; content: string } | undefined;
  return state?.form === WORD_FORM && state.content === readLibrary({ database, library }).content;
}

/** Lets the words follow no further change, until they are read anew. */
export function forgetWords({ database, library }: LibraryPlace): void {
  database.prepare("DELETE FROM word_states WHERE library = ?").run(library);
}

/** Reads the words of all tools anew. Must run in a write transaction. */
export function rebuildWords(place: LibraryPlace): void {
  const { database, library } = place;
  for (const table of ["words", "word_segments", "word_states"]) {
    database.prepare(`DELETE FROM ${table} WHERE library = ?`).run(library);
  }
  for (const { segment, tools } of toolSegments(place)) {
    const words: SegmentWords = { segment, words: new Map(), lengths: new Uint16Array(SEGMENT) };
    for (const tool of tools) addWords(words, tool);
    writeSegment(place, words);
  }
  confirmWords(place);
}

/** All tools, a segment at a time: a library can be larger than memory is meant for. */
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
    const tools = (rows as { position: number; definition: string }[]).map((row) => ({
      at: segmentOf(row.position).at,
      tool: JSON.parse(row.definition) as ToolDefinition,
    }));
    yield { segment, tools };
  }
}

/** Says that the words are those of the library's content as it is now. */
export function confirmWords({ database, library }: LibraryPlace): void {
  const { content } = readLibrary({ database, library });
  database
    .prepare("INSERT OR REPLACE INTO word_states (library, form, content) VALUES (?, ?, ?)")
    .run(library, WORD_FORM, content);
}

interface SegmentWords {
  segment: number;
  words: Map<string, number[]>;
  lengths: Uint16Array;
}

function addWords(into: SegmentWords, { at, tool }: { at: number; tool: ToolDefinition }): void {
  const { words, length } = toolWords(tool);
  into.lengths[at] = storedLength(length);
  for (const [word, counts] of words) {
    const entries = into.words.get(word) ?? [];
    entries.push(entryOf(at, counts));
    into.words.set(word, entries);
  }
}

function writeSegment(
  { database, library }: LibraryPlace,
  { segment, words, lengths }: SegmentWords,
): void {
  const insert = database.prepare(
    "INSERT INTO words (library, word, segment, entries) VALUES (?, ?, ?, ?)",
  );
  for (const [word, entries] of words) {
    insert.run(library, word, segment, toBytes(Uint32Array.from(entries)));
  }
  database
    .prepare("INSERT INTO word_segments (library, segment, lengths) VALUES (?, ?, ?)")
    .run(library, segment, toBytes(lengths));
}

/** Writes the words of one tool, where they have followed all before. Must run in a write transaction. */
export function changeWords(place: LibraryPlace, { position, before, after }: WordChange): void {
  if (!followsWords(place)) return;
  const { segment, at } = segmentOf(position);
  const old = before ? toolWords(before).words : new Map<string, PerField>();
  const fresh = after ? toolWords(after) : { words: new Map<string, PerField>(), length: -1 };
  for (const word of new Set([...old.keys(), ...fresh.words.keys()])) {
    const counts = fresh.words.get(word);
    changeEntry(place, { word, segment, at, entry: counts && entryOf(at, counts) });
  }
  const lengths = readLengths(place).get(segment) ?? new Uint16Array(SEGMENT);
  lengths[at] = storedLength(fresh.length);
  place.database
    .prepare("INSERT OR REPLACE INTO word_segments (library, segment, lengths) VALUES (?, ?, ?)")
    .run(place.library, segment, toBytes(lengths));
}

function changeEntry(
  { database, library }: LibraryPlace,
  { word, segment, at, entry }: { word: string; segment: number; at: number; entry?: number },
): void {
  const stored = database
    .prepare("SELECT entries FROM words WHERE library = ? AND word = ? AND segment = ?")
    .pluck()
    .get(library, word, segment) as Buffer | undefined;
  const others = stored ? [...entriesFrom(stored)].filter((each) => placeIn(each) !== at) : [];
  const entries = entry === undefined ? others : [...others, entry];
  if (entries.length === 0) {
    database
      .prepare("DELETE FROM words WHERE library = ? AND word = ? AND segment = ?")
      .run(library, word, segment);
    return;
  }
  database
    .prepare(
      "INSERT OR REPLACE INTO words (library, word, segment, entries) VALUES (?, ?, ?, ?)",
    )
    .run(library, word, segment, toBytes(Uint32Array.from(entries)));
}

function entryOf(at: number, counts: PerField): number {
  let entry = at;
  for (const { field, shift } of FIELD_BITS) entry |= counts[field] << shift;
  // Bits are signed; entries are not.
  return entry >>> 0;
}

function storedLength(words: number): number {
  return Math.min(words + 1, MOST_WORDS);
}

function toBytes(values: Uint32Array | Uint16Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

/** Copied, as a buffer may begin where a number must not. What is torn is left out. */
function entriesFrom(bytes: Buffer): Uint32Array {
  const whole = bytes.byteLength - (bytes.byteLength % Uint32Array.BYTES_PER_ELEMENT);
  return new Uint32Array(new Uint8Array(bytes.subarray(0, whole)).buffer);
}

function lengthsFrom(bytes: Buffer): Uint16Array {
  const whole = bytes.byteLength - (bytes.byteLength % Uint16Array.BYTES_PER_ELEMENT);
  return new Uint16Array(new Uint8Array(bytes.subarray(0, whole)).buffer);
}
