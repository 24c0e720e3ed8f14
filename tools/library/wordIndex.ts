import type { ToolDefinition } from "../tool.js";
import { givenIds, givingWord } from "./ids.js";
import { countTools, type LibraryPlace, readLibrary } from "./records.js";
import {
  noWords,
  type PerField,
  toolWords,
  WORD_FIELDS,
  WORD_FORM,
  type WordField,
} from "./words.js";

// The words of a library's tools, in the database: for each word the tools that have it. Tools go by their
// position, 4,096 to a segment, so that an edit writes few small rows and a search reads few large ones.
//
// SQLite's FTS5 was measured first. For requests over 100,000 tools it took 25 ms at the median and 80 ms at the
// 95th percentile; its statistics are those of all libraries of a table, and it scores only what it finds itself.

/** Tools of a segment; the place of one within it takes 12 bits. */
export const SEGMENT = 4096;

/** A tool that is put in, taken out, or changed. */
export interface WordChange {
  /** In the order of registration. */
  position: number;
  before?: ToolDefinition;
  after?: ToolDefinition;
}

/**
 * The tools of a segment that have a word, in the order of their places: each entry is the place of a tool and the
 * counts of its fields.
 */
export interface Posting {
  segment: number;
  entries: Uint32Array;
}

/** What is known of each tool of a segment, one after another. */
export const NUMBERS = {
  /** Number of its words, plus one; 0 where there is no tool. */
  length: 0,
  /** How rare the words of its name are, all together; see `rarityOf`. */
  name: 1,
  description: 2,
  /** Of its provider's name and its category. */
  provider: 3,
} as const;

/** How many numbers a tool has. */
export const NUMBERS_EACH = Object.keys(NUMBERS).length;

/**
 * How much a word says that so many of the tools have (inverse document frequency, as in BM25). What is kept of a
 * tool is as rare as it was when the tool came.
 */
export function rarityOf({ tools, having }: { tools: number; having: number }): number {
  return Math.log(1 + (tools - having + 0.5) / (having + 0.5));
}

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

/** Bits of the fields whose words say what share of a name, a description or a provider a request covers. */
export const COVERED = {
  name: bitsOf("name"),
  description: bitsOf("description"),
  provider: bitsOf("provider", "category"),
};

function bitsOf(...fields: WordField[]): number {
  const bits = FIELD_BITS.filter(({ field }) => fields.includes(field));
  return bits.reduce((sum, { shift, most }) => sum | (most << shift), 0);
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

/**
 * What words count for in tools, by their entries: the counts in the fields, each times the field's weight. Of
 * millions of entries only so many are different, whose sums are made once: of the lower fields and of the higher.
 *
 * @example
 * const { lower, higher } = entryWeights(weights.fields);
 * const count = lower[lowerBits(entry)] + higher[higherBits(entry)];
 */
export function entryWeights(weights: PerField): { lower: Float32Array; higher: Float32Array } {
  const known = ENTRY_WEIGHTS.get(weights);
  if (known) return known;
  const made = { lower: sumsOf(weights, LOWER, HIGHER), higher: sumsOf(weights, HIGHER, 32) };
  ENTRY_WEIGHTS.set(weights, made);
  return made;
}

/** First bits of the lower fields, and of the higher ones. */
const LOWER = Math.log2(SEGMENT);
const HIGHER = 20;

export function lowerBits(entry: number): number {
  return (entry >>> LOWER) & ((1 << (HIGHER - LOWER)) - 1);
}

export function higherBits(entry: number): number {
  return entry >>> HIGHER;
}

const ENTRY_WEIGHTS = new WeakMap<PerField, { lower: Float32Array; higher: Float32Array }>();

/** The weighed sum of each value that some bits of an entry can have. */
function sumsOf(weights: PerField, from: number, to: number): Float32Array {
  return Float32Array.from({ length: 2 ** (to - from) }, (_, counts) => {
    const entry = (counts << from) >>> 0;
    return FIELD_BITS.reduce(
      (sum, { field, shift, most }) => sum + weights[field] * ((entry >>> shift) & most),
      0,
    );
  });
}

/** The tools that have a word, by word, of some segments or of all; without those that no tool has. */
export function readPostings({
  database,
  library,
  words,
  segments,
}: LibraryPlace & { words: readonly string[]; segments?: readonly number[] }): Map<
  string,
  Posting[]
> {
  const some = segments ? "AND segment IN (SELECT value FROM json_each(?))" : "";
  const given = segments ? [JSON.stringify(segments)] : [];
  const rows = database
    .prepare(
      `SELECT word, segment, entries FROM words
       WHERE library = ? AND word IN (SELECT value FROM json_each(?)) ${some} ORDER BY word, segment`,
    )
    .all(library, JSON.stringify(words), ...given) as {
    word: string;
    segment: number;
    entries: Bytes;
  }[];
  const postings = new Map<string, Posting[]>();
  for (const { word, segment, entries } of rows) {
    const ofWord = postings.get(word) ?? [];
    ofWord.push({ segment, entries: inOrder(entriesFrom(entries)) });
    postings.set(word, ofWord);
  }
  return postings;
}

/** An edit puts the entries of its tools behind the others. */
function inOrder(entries: Uint32Array): Uint32Array {
  for (let at = 1; at < entries.length; at += 1) {
    if (placeIn(entries[at - 1] as number) > placeIn(entries[at] as number))
      return entries.toSorted((one, other) => placeIn(one) - placeIn(other));
  }
  return entries;
}

function readSegment({ database, library }: LibraryPlace, segment: number) {
  const numbers = database
    .prepare("SELECT numbers FROM word_segments WHERE library = ? AND segment = ?")
    .pluck()
    .get(library, segment) as Bytes | undefined;
  return numbers && numbersFrom(numbers);
}

/** The numbers of some segments, or of all. */
export function readSegments(
  { database, library }: LibraryPlace,
  segments: readonly number[] | "all",
): Map<number, Float32Array> {
  const some = segments === "all" ? "" : "AND segment IN (SELECT value FROM json_each(?))";
  const given = segments === "all" ? [] : [JSON.stringify(segments)];
  const rows = database
    .prepare(`SELECT segment, numbers FROM word_segments WHERE library = ? ${some}`)
    .all(library, ...given) as { segment: number; numbers: Bytes }[];
  return new Map(rows.map(({ segment, numbers }) => [segment, numbersFrom(numbers)]));
}

/** The version of each segment: another one whenever a word of its tools has changed. */
export function readVersions({ database, library }: LibraryPlace): Map<number, number> {
  // As one row, since each row costs more than what is in it.
  const versions = database
    .prepare(
      "SELECT json_group_array(json_array(segment, version)) FROM word_segments WHERE library = ?",
    )
    .pluck()
    .get(library) as string;
  return new Map(JSON.parse(versions) as [number, number][]);
}

/**
 * Whether the words of segments are those of the library's tools. They are not in a file of an older version, or one
 * in which that has changed a tool; nor where rows are torn or missing.
 */
export function areCurrent(place: LibraryPlace, segments: Iterable<Float32Array>): boolean {
  let tools = 0;
  for (const numbers of segments) {
    if (numbers.length !== SEGMENT * NUMBERS_EACH) return false;
    tools += countLengths(numbers).tools;
  }
  return followsWords(place) && tools === countTools(place);
}

/** How many tools a segment has, and how many words these have together. */
export function countLengths(numbers: Float32Array): { tools: number; words: number } {
  let tools = 0;
  let words = 0;
  for (let at = NUMBERS.length; at < numbers.length; at += NUMBERS_EACH) {
    const length = numbers[at] as number;
    if (length > 0) tools += 1;
    words += Math.max(length - 1, 0);
  }
  return { tools, words };
}

/**
 * Whether all that was written of the words is there, which `areCurrent` does not see: rows may have been lost or torn.
 * It costs some 0.1 s for 100,000 tools.
 */
export function hasAllEntries(place: LibraryPlace): boolean {
  return readState(place)?.entries === countEntries(place);
}

/** Torn ones count for none. */
function countEntries({ database, library }: LibraryPlace): number {
  const size = Uint32Array.BYTES_PER_ELEMENT;
  const count = database
    .prepare(
      `SELECT coalesce(sum(CASE WHEN length(entries) % ${size} = 0 THEN length(entries) / ${size} END), 0)
       FROM words WHERE library = ?`,
    )
    .pluck()
    .get(library);
  return Number(count);
}

/** Whether the words have followed all changes of the tools so far. */
export function followsWords(place: LibraryPlace): boolean {
  return readState(place) !== undefined;
}

/**
 * Numbers of tools and of entries when the words were confirmed; undefined where they are not those of the library's
 * content.
 */
function readState(place: LibraryPlace): { tools: number; entries: number } | undefined {
  const state = place.database
    .prepare("SELECT form, content, tools, entries FROM word_states WHERE library = ?")
    .get(place.library) as
    | { form: number; content: string; tools: number; entries: number }
    | undefined;
  const isCurrent = state?.form === WORD_FORM && state.content === readLibrary(place).content;
  return isCurrent ? state : undefined;
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
  const segments = new Map<number, Float32Array>();
  for (const { segment, tools } of toolSegments(place)) {
    const words: SegmentWords = { segment, words: new Map(), numbers: noTools() };
    for (const tool of tools) addWords(words, tool);
    writeWords(place, words);
    segments.set(segment, words.numbers);
  }
  addRarities(place, segments);
  for (const [segment, numbers] of segments) writeNumbers(place, { segment, numbers });
  confirmWords(place);
}

function noTools(): Float32Array {
  return new Float32Array(SEGMENT * NUMBERS_EACH);
}

/** How rare words are is known when all have been read. */
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

function addRarity(options: { numbers: Float32Array; entry: number; rarity: number }): void {
  const { numbers, entry, rarity } = options;
  const from = placeIn(entry) * NUMBERS_EACH;
  for (const [field, bits] of COVERED_FIELDS) {
    if (entry & bits) (numbers[from + NUMBERS[field]] as number) += rarity;
  }
}

const COVERED_FIELDS = Object.entries(COVERED) as [keyof typeof COVERED, number][];

/** How many tools have a word. */
export function havingOf(postings: readonly Posting[]): number {
  return postings.reduce((sum, { entries }) => sum + entries.length, 0);
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
  const tools = countTools({ database, library });
  const { changes } = database
    .prepare("UPDATE word_states SET form = ?, content = ?, tools = ? WHERE library = ?")
    .run(WORD_FORM, content, tools, library);
  if (changes > 0) return;
  const entries = countEntries({ database, library });
  database
    .prepare(
      "INSERT INTO word_states (library, form, content, tools, entries) VALUES (?, ?, ?, ?, ?)",
    )
    .run(library, WORD_FORM, content, tools, entries);
}

interface SegmentWords {
  segment: number;
  words: Map<string, number[]>;
  numbers: Float32Array;
}

function addWords(into: SegmentWords, { at, tool }: { at: number; tool: ToolDefinition }): void {
  const { words, length } = keptWords(tool);
  into.numbers[at * NUMBERS_EACH + NUMBERS.length] = length + 1;
  for (const [word, counts] of words) {
    const entries = into.words.get(word) ?? [];
    entries.push(entryOf(at, counts));
    into.words.set(word, entries);
  }
}

/** A tool's words, and those for the ids that it gives, by which `bringNeeded` finds it. */
function keptWords(tool: ToolDefinition): ReturnType<typeof toolWords> {
  const { words, length } = toolWords(tool);
  for (const id of givenIds(tool)) words.set(givingWord(tool, id), noWords());
  return { words, length };
}

function writeWords({ database, library }: LibraryPlace, { segment, words }: SegmentWords): void {
  const insert = database.prepare(
    "INSERT INTO words (library, word, segment, entries) VALUES (?, ?, ?, ?)",
  );
  for (const [word, entries] of words) {
    insert.run(library, word, segment, toBytes(Uint32Array.from(entries)));
  }
}

/** More versions than a segment ever has, and few enough to be whole numbers in JSON. */
const VERSIONS = 2 ** 50;

function writeNumbers(
  { database, library }: LibraryPlace,
  { segment, numbers }: { segment: number; numbers: Float32Array },
): void {
  database
    .prepare(
      `INSERT OR REPLACE INTO word_segments (library, segment, numbers, version)
       VALUES (?, ?, ?, abs(random() % ${VERSIONS}))`,
    )
    .run(library, segment, toBytes(numbers));
}

/**
 * Writes the words of changed tools, where they have followed all changes before: each row is written once, however
 * many of the tools are in it. Must run in a write transaction.
 */
export function changeWords(place: LibraryPlace, changes: readonly WordChange[]): void {
  const state = readState(place);
  if (!state) return;
  let { tools } = state;
  for (const [segment, some] of bySegment(changes)) {
    const added = changeSegment(place, { segment, changes: some, tools });
    tools += some.length;
    place.database
      .prepare("UPDATE word_states SET entries = entries + ? WHERE library = ?")
      .run(added, place.library);
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

/** By word the entries of changed tools, by their places; undefined where a tool no longer has the word. */
type ChangedEntries = Map<string, Map<number, number | undefined>>;

/**
 * Returns how many entries there are more than before.
 *
 * @param options.tools how many the library had before the changes
 */
function changeSegment(
  place: LibraryPlace,
  options: { segment: number; changes: readonly WordChange[]; tools: number },
): number {
  const { segment, changes, tools } = options;
  const numbers = readSegment(place, segment) ?? noTools();
  const entries: ChangedEntries = new Map();
  const changed = changes.map(({ position, before, after }) => {
    const { at } = segmentOf(position);
    const old = before ? keptWords(before).words : new Map<string, PerField>();
    const { words, length } = after ? keptWords(after) : NO_WORDS;
    for (const word of new Set([...old.keys(), ...words.keys()])) {
      const counts = words.get(word);
      const ofWord = entries.get(word) ?? new Map<number, number | undefined>();
      entries.set(word, ofWord.set(at, counts && entryOf(at, counts)));
    }
    numbers.fill(0, at * NUMBERS_EACH, (at + 1) * NUMBERS_EACH);
    numbers[at * NUMBERS_EACH + NUMBERS.length] = length + 1;
    return { at, words, added: words.size - old.size };
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
  return changed.reduce((sum, { added }) => sum + added, 0);
}

/** Of a tool that there is not. */
const NO_WORDS = { words: new Map<string, PerField>(), length: -1 };

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

function entryOf(at: number, counts: PerField): number {
  let entry = at;
  for (const { field, shift } of FIELD_BITS) entry |= counts[field] << shift;
  // Bits are signed; entries are not.
  return entry >>> 0;
}

function toBytes(values: Uint32Array | Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

/** Bytes as SQLite gives them. */
type Bytes = Buffer | ArrayBuffer;

function entriesFrom(bytes: Bytes): Uint32Array {
  const { buffer, count } = wholeNumbers(bytes);
  return new Uint32Array(buffer, 0, count);
}

function numbersFrom(bytes: Bytes): Float32Array {
  const { buffer, count } = wholeNumbers(bytes);
  return new Float32Array(buffer, 0, count);
}

/** A buffer is copied, as it may begin where a number must not. What is torn at the end is left out. */
function wholeNumbers(bytes: Bytes): { buffer: ArrayBuffer; count: number } {
  const { buffer, byteLength } = new Uint8Array(bytes);
  return { buffer, count: Math.floor(byteLength / Uint32Array.BYTES_PER_ELEMENT) };
}
