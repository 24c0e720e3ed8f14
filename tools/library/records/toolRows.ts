import { randomUUID } from "node:crypto";
import { type GivenLabels, type KeptLabels, withLabels } from "./labels.js";
import type { ToolDefinition } from "../../tool.js";
import type { EditNote } from "./edits.js";
import { definitionHash } from "./hash.js";
import { findTool, type LibraryPlace, type Origin, type ToolRow } from "./records.js";
import { putWords } from "../words/wordTable.js";

// Every change of a library consists of these writes, which also keep the words of its tools up to date. They must run
// in a write transaction that ends with `beginRevision` if it has changed a tool.

/** Adds an origin, or changes its fingerprint. */
export function putOrigin(row: LibraryPlace & Origin): void {
  row.database
    .prepare(
      `INSERT INTO origins (library, origin, fingerprint) VALUES (?, ?, ?)
       ON CONFLICT (library, origin) DO UPDATE SET fingerprint = excluded.fingerprint`,
    )
    .run(row.library, row.origin, row.fingerprint);
}

/** Adds a tool and returns its version; a tool that comes back continues counting where it stopped. */
export function addTool({
  origin,
  tool,
  note,
  ...place
}: LibraryPlace & { origin: string; tool: ToolDefinition; note?: EditNote }): number {
  const entry = { version: lastVersion({ ...place, id: tool.id }) + 1, ...storedForm(tool) };
  insertTool({ ...place, id: tool.id, origin, ...entry });
  appendVersion({ ...place, id: tool.id, note, ...entry });
  return entry.version;
}

/** Inserts a tool without an entry in its history. */
export function insertTool({
  id,
  origin,
  version,
  hash,
  definition,
  ...place
}: LibraryPlace & Pick<ToolRow, "id" | "origin" | "version" | "hash" | "definition">): void {
  const { lastInsertRowid } = place.database
    .prepare(
      "INSERT INTO tools (library, id, origin, version, hash, definition) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(place.library, id, origin, version, hash, definition);
  const tool = definitionOf({ definition });
  putWords(place, { position: Number(lastInsertRowid), tool });
}

/** Gives a stored tool its next version and returns it. */
export function updateTool({
  tool,
  stored,
  note,
  ...place
}: LibraryPlace & { tool: ToolDefinition; stored: ToolRow; note?: EditNote }): number {
  const { hash, definition } = storedForm(tool);
  const version = stored.version + 1;
  putWords(place, { position: stored.position, tool });
  place.database
    .prepare("UPDATE tools SET version = ?, hash = ?, definition = ? WHERE library = ? AND id = ?")
    .run(version, hash, definition, place.library, tool.id);
  appendVersion({ ...place, id: tool.id, version, hash, definition, note });
  return version;
}

/**
 * Updates where a tool is called if only its file has changed, which makes no new version. Tells whether it has.
 */
export function refreshTool({
  tool,
  stored,
  ...place
}: LibraryPlace & { tool: ToolDefinition; stored: ToolRow }): boolean {
  const { definition } = storedForm(tool);
  if (definition === stored.definition) return false;
  place.database
    .prepare("UPDATE tools SET definition = ? WHERE library = ? AND id = ?")
    .run(definition, place.library, tool.id);
  return true;
}

/** Removes a tool if it exists, and records that in its history. */
export function removeTool({
  id,
  note,
  ...place
}: LibraryPlace & { id: string; note?: EditNote }): void {
  const stored = findTool({ ...place, id });
  if (!stored) return;
  const { version, hash } = stored;
  appendVersion({ ...place, id, version, hash, definition: null, note });
  place.database.prepare("DELETE FROM tools WHERE library = ? AND id = ?").run(place.library, id);
}

/** Labels a stored tool by hand. */
export function labelTool({
  labels,
  stored,
  database,
  library,
}: LibraryPlace & { labels: GivenLabels; stored: ToolRow }): void {
  const { id } = stored;
  const kept = stored.labels === null ? {} : (JSON.parse(stored.labels) as KeptLabels);
  const now = withLabels(kept, labels, definitionOf(stored).effects);
  database.prepare("DELETE FROM labels WHERE library = ? AND id = ?").run(library, id);
  if (Object.keys(now).length === 0) return;
  database
    .prepare("INSERT INTO labels (library, id, flow) VALUES (?, ?, ?)")
    .run(library, id, JSON.stringify(now));
}

/** Begins a new revision after tools have changed. */
export function beginRevision({ database, library }: LibraryPlace): void {
  database
    .prepare("UPDATE libraries SET revision = revision + 1, content = ? WHERE number = ?")
    .run(randomUUID(), library);
}

function definitionOf({ definition }: Pick<ToolRow, "definition">): ToolDefinition {
  return JSON.parse(definition) as ToolDefinition;
}

function appendVersion({
  note,
  ...entry
}: LibraryPlace & {
  id: string;
  version: number;
  hash: string;
  definition: string | null;
  note: EditNote | undefined;
}): void {
  entry.database
    .prepare(
      "INSERT INTO versions (library, id, version, hash, definition, at, note) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      entry.library,
      entry.id,
      entry.version,
      entry.hash,
      entry.definition,
      new Date().toISOString(),
      note === undefined ? null : JSON.stringify(note),
    );
}

function lastVersion({ database, library, id }: LibraryPlace & { id: string }): number {
  return database
    .prepare("SELECT coalesce(max(version), 0) FROM versions WHERE library = ? AND id = ?")
    .pluck()
    .get(library, id) as number;
}

/**
 * Keys keep their order, because models see the parameters in it. A record that comes back from the history must not
 * bring along its old version and hash.
 */
function storedForm(tool: ToolDefinition): { hash: string; definition: string } {
  const ofRecord = {
    version: undefined,
    hash: undefined,
    sourceEffects: undefined,
    isUndoDecided: undefined,
  };
  const definition = JSON.stringify({ ...tool, ...ofRecord, isLabelled: undefined });
  return { hash: definitionHash(tool), definition };
}
