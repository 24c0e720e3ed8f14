import type { ToolDefinition } from "../../tool.js";
import type { LibraryPlace } from "../records/records.js";
import { traitsOf } from "./relatedWords.js";
import { toolWords, WORD_FIELDS, WORD_FORM, type WordField } from "./words.js";

// The words of all tools are rows of one FTS5 table, under the positions of the tools; a trigger removes them with their
// tools. Each word has the number of its library before it, so that libraries in one file do not count for each other.

export const FIELDS = Object.keys(WORD_FIELDS) as WordField[];

/** What is put before the words of a library. */
export function prefixOf(library: number): string {
  return `${library}x`;
}

/** Writes the words of a tool, in place of those that it had. Must run in a write transaction. */
export function putWords(
  { database, library }: LibraryPlace,
  { position, tool }: { position: number; tool: ToolDefinition },
): void {
  const found = toolWords(tool);
  const prefix = prefixOf(library);
  const words = FIELDS.map((field) => found[field].map((word) => prefix + word).join(" "));
  database
    .prepare(
      `INSERT OR REPLACE INTO tool_words (rowid, ${FIELDS.join(", ")}, traits)
       VALUES (?, ${FIELDS.map(() => "?").join(", ")}, ?)`,
    )
    .run(position, ...words, traitsOf(tool));
}

/** Whether the words of a library were written as they are read today. */
export function hasWords({ database, library }: LibraryPlace): boolean {
  const form = database.prepare("SELECT words FROM libraries WHERE number = ?").pluck();
  return form.get(library) === WORD_FORM;
}

/** Writes the words of all tools anew. Must run in a write transaction. */
export function rebuildWords(place: LibraryPlace): void {
  const { database, library } = place;
  const rows = database
    .prepare("SELECT position, definition FROM tools WHERE library = ?")
    .iterate(library) as IterableIterator<{ position: number; definition: string }>;
  for (const { position, definition } of rows)
    putWords(place, { position, tool: JSON.parse(definition) as ToolDefinition });
  database.prepare("UPDATE libraries SET words = ? WHERE number = ?").run(WORD_FORM, library);
}
