import { countTools, type LibraryPlace, readLibrary } from "../records/records.js";
import { countWords, NUMBERS_EACH, placeIn, type Posting, SEGMENT } from "./wordEntries.js";
import { WORD_FORM } from "./words.js";

// The words of a library's tools as rows of the database: for each word the tools that have it (`words`), for each
// segment the numbers of its tools (`word_segments`), and of what content of the library they are (`word_states`).
//
// SQLite's FTS5 was measured first. For requests over 100,000 tools it took 25 ms at the median and 80 ms at the
// 95th percentile; its statistics span all libraries of a table, and it scores only what it finds itself.

/** The tools that have each word, in some segments or in all; words that no tool has are left out. */
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

/** Sorts entries by their places, because edits append them. */
function inOrder(entries: Uint32Array): Uint32Array {
  for (let at = 1; at < entries.length; at += 1) {
    if (placeIn(entries[at - 1] as number) > placeIn(entries[at] as number))
      return entries.toSorted((one, other) => placeIn(one) - placeIn(other));
  }
  return entries;
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

/** The version of each segment, a new one whenever a word of its tools has changed. */
export function readVersions({ database, library }: LibraryPlace): Map<number, number> {
  // One row of JSON, because reading a row costs more than what is in it.
  const versions = database
    .prepare(
      "SELECT json_group_array(json_array(segment, version)) FROM word_segments WHERE library = ?",
    )
    .pluck()
    .get(library) as string;
  return new Map(JSON.parse(versions) as [number, number][]);
}

/**
 * Whether these segments hold the words of the library's present tools. They do not in a file of an older version or
 * one that an older version has changed, nor if rows are torn or missing.
 */
export function areCurrent(place: LibraryPlace, segments: Iterable<Float32Array>): boolean {
  let tools = 0;
  for (const numbers of segments) {
    if (numbers.length !== SEGMENT * NUMBERS_EACH) return false;
    tools += countWords(numbers).tools;
  }
  return followsWords(place) && tools === countTools(place);
}

/**
 * Whether all entries that were written are still there, which `areCurrent` does not check: rows may be lost or torn.
 * Takes some 0.1 s for 100,000 tools.
 */
export function hasAllEntries(place: LibraryPlace): boolean {
  return readState(place)?.entries === countEntries(place);
}

/** Counts no entries in torn rows. */
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
 * Numbers of tools and entries when the words were last confirmed; undefined if they belong to another content of the
 * library.
 */
export function readState(place: LibraryPlace): { tools: number; entries: number } | undefined {
  const state = place.database
    .prepare("SELECT form, content, tools, entries FROM word_states WHERE library = ?")
    .get(place.library) as
    | { form: number; content: string; tools: number; entries: number }
    | undefined;
  const isCurrent = state?.form === WORD_FORM && state.content === readLibrary(place).content;
  return isCurrent ? state : undefined;
}

/** Marks the words as out of date, until they are read again from the tools. */
export function forgetWords({ database, library }: LibraryPlace): void {
  database.prepare("DELETE FROM word_states WHERE library = ?").run(library);
}

/** Records that the words are those of the library's present content. */
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

/** Bytes as SQLite gives them. */
export type Bytes = Buffer | ArrayBuffer;

export function toBytes(values: Uint32Array | Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

export function entriesFrom(bytes: Bytes): Uint32Array {
  const { buffer, count } = wholeNumbers(bytes);
  return new Uint32Array(buffer, 0, count);
}

function numbersFrom(bytes: Bytes): Float32Array {
  const { buffer, count } = wholeNumbers(bytes);
  return new Float32Array(buffer, 0, count);
}

/** Copies the bytes, which may not be aligned for 32-bit numbers, and leaves out a torn number at the end. */
function wholeNumbers(bytes: Bytes): { buffer: ArrayBuffer; count: number } {
  const { buffer, byteLength } = new Uint8Array(bytes);
  return { buffer, count: Math.floor(byteLength / Uint32Array.BYTES_PER_ELEMENT) };
}
