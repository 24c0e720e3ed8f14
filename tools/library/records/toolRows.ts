import { randomUUID } from "node:crypto";
import type { ToolDefinition } from "../../tool.js";
import type { EditNote } from "./edits.js";
import { definitionHash } from "./hash.js";
import {
  columnOf,
  deleteRows,
  findTool,
  insertRow,
  type LibraryPlace,
  type Origin,
  type ToolRow,
} from "./records.js";
import { putWords } from "../words/wordTable.js";

// Every change of a library consists of these writes, which also keep the words of its tools up to date. They must run
// in a write transaction that ends with `beginRevision` if it has changed a tool.

/** Adds an origin, or changes its fingerprint. */
export function putOrigin({ origin, fingerprint, ...place }: LibraryPlace & Origin): void {
  const changed = "ON CONFLICT (library, origin) DO UPDATE SET fingerprint = excluded.fingerprint";
  insertRow(place, "origins", { origin, fingerprint }, changed);
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
export function insertTool(
  options: LibraryPlace & Pick<ToolRow, "id" | "origin" | "version" | "hash" | "definition">,
): void {
  const { id, origin, version, hash, definition, ...place } = options;
  const position = insertRow(place, "tools", { id, origin, version, hash, definition });
  putWords(place, { position, tool: JSON.parse(definition) as ToolDefinition });
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

/** Updates where a tool is called if only its file has changed, which makes no new version. Tells whether it has. */
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
export function removeTool(options: LibraryPlace & { id: string; note?: EditNote }): void {
  const { id, note, ...place } = options;
  const stored = findTool({ ...place, id });
  if (!stored) return;
  const { version, hash } = stored;
  appendVersion({ ...place, id, version, hash, definition: null, note });
  deleteRows(place, "tools", { id });
}

/** Begins a new revision after tools have changed. */
export function beginRevision({ database, library }: LibraryPlace): void {
  database
    .prepare("UPDATE libraries SET revision = revision + 1, content = ? WHERE number = ?")
    .run(randomUUID(), library);
}

type Entry = Pick<ToolRow, "id" | "version" | "hash"> & { definition: string | null };

function appendVersion(options: LibraryPlace & Entry & { note: EditNote | undefined }): void {
  const { id, version, hash, definition, note, ...place } = options;
  const said = { at: new Date().toISOString(), note: note ? JSON.stringify(note) : null };
  insertRow(place, "versions", { id, version, hash, definition, ...said });
}

function lastVersion({ id, ...place }: LibraryPlace & { id: string }): number {
  const statement = "SELECT coalesce(max(version), 0) FROM versions WHERE library = ? AND id = ?";
  return columnOf<number>(place, statement, id)[0] ?? 0;
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
