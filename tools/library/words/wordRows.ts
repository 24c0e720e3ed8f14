import { countTools, type LibraryPlace, readLibrary } from "../records/records.js";
import { placeIn, type Posting } from "./wordEntries.js";
import { WORD_FORM } from "./words.js";

// The words of a library's tools as rows of the database: for each word the tools that have it (`words`), for each
// segment the numbers of its tools (`word_segments`), and of what content of the library they are (`word_states`).
//
// SQLite's FTS5 was measured first. For requests over 100,000 tools it took 25 ms at the median and 80 ms at the
// 95th percentile; its statistics span all libraries of a table, and it scores only what it finds itself.

/** The tools that have each word; words that no tool has are left out. */
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
    .all(library, JSON.stringify(words)) as {
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

/** Whether the words have followed all changes of the tools so far. */
export function followsWords(place: LibraryPlace): boolean {
  return readState(place) !== undefined;
}

/** Number of tools when the words were last confirmed; undefined if they belong to another content of the library. */
export function readState(place: LibraryPlace): { tools: number } | undefined {
  const state = place.database
    .prepare("SELECT form, content, tools FROM word_states WHERE library = ?")
    .get(place.library) as { form: number; content: string; tools: number } | undefined;
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
  database
    .prepare(
      `INSERT INTO word_states (library, form, content, tools) VALUES (?, ?, ?, ?)
       ON CONFLICT (library) DO UPDATE
       SET form = excluded.form, content = excluded.content, tools = excluded.tools`,
    )
    .run(library, WORD_FORM, content, tools);
}

/** Bytes as SQLite gives them. */
export type Bytes = Buffer | ArrayBuffer;

export function toBytes(values: Uint32Array | Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

export function entriesFrom(bytes: Bytes): Uint32Array {
  return new Uint32Array(aligned(bytes));
}

function numbersFrom(bytes: Bytes): Float32Array {
  return new Float32Array(aligned(bytes));
}

/** Copies the bytes, which may not be aligned for 32-bit numbers. */
function aligned(bytes: Bytes): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
