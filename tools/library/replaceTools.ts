import { randomUUID } from "node:crypto";
import type { ToolDefinition } from "../tool.js";
import { definitionHash } from "./hash.js";
import { findTool, type LibraryPlace, type Origin, type ToolRow } from "./records.js";

/** What `replaceTools` did, as tool ids. */
export interface ReplacedTools {
  added: string[];
  updated: string[];
  unchanged: string[];
  removed: string[];
  /** Tools that were not stored, because another origin holds their id. */
  conflicts: { id: string; origin: string }[];
}

/**
 * Makes the tools of one origin be exactly the given ones. Must run in a write transaction; the ids of
 * the tools are different from each other.
 */
export function replaceTools({
  origin,
  fingerprint,
  tools,
  ...place
}: LibraryPlace & Origin & { tools: readonly ToolDefinition[] }): ReplacedTools {
  putOrigin({ ...place, origin, fingerprint });
  const done: ReplacedTools = { added: [], updated: [], unchanged: [], removed: [], conflicts: [] };
  let moved = false;
  for (const tool of tools) {
    const stored = findTool({ ...place, id: tool.id });
    if (stored === undefined) {
      addTool({ ...place, origin, tool });
      done.added.push(tool.id);
    } else if (stored.origin !== origin) {
      done.conflicts.push({ id: tool.id, origin: stored.origin });
    } else if (stored.hash !== definitionHash(tool)) {
      updateTool({ ...place, tool, version: stored.version + 1 });
      done.updated.push(tool.id);
    } else {
      moved = refreshTool({ ...place, tool, stored }) || moved;
      done.unchanged.push(tool.id);
    }
  }
  const wanted = new Set(tools.map(({ id }) => id));
  done.removed = idsOfOrigin({ ...place, origin }).filter((id) => !wanted.has(id));
  for (const id of done.removed) removeTool({ ...place, id });
  // Without a fingerprint the origin counts as changed, and is tried again once the id is free.
  if (done.conflicts.length > 0) putOrigin({ ...place, origin, fingerprint: "" });
  const changes = done.added.length + done.updated.length + done.removed.length;
  if (moved || changes > 0) beginRevision(place);
  return done;
}

/** Removes the tools with these ids; their history stays. Must run in a write transaction. */
export function removeTools({ ids, ...place }: LibraryPlace & { ids: readonly string[] }): void {
  for (const id of ids) removeTool({ ...place, id });
  if (ids.length > 0) beginRevision(place);
}

/** Removes an origin and its tools; returns their ids. Must run in a write transaction. */
export function deleteOrigin({ origin, ...place }: LibraryPlace & { origin: string }): string[] {
  const ids = idsOfOrigin({ ...place, origin });
  removeTools({ ...place, ids });
  place.database
    .prepare("DELETE FROM origins WHERE library = ? AND origin = ?")
    .run(place.library, origin);
  return ids;
}

function idsOfOrigin({ database, library, origin }: LibraryPlace & { origin: string }): string[] {
  return database
    .prepare("SELECT id FROM tools WHERE library = ? AND origin = ? ORDER BY position")
    .pluck()
    .all(library, origin) as string[];
}

function putOrigin(row: LibraryPlace & Origin): void {
  row.database
    .prepare(
      `INSERT INTO origins (library, origin, fingerprint) VALUES (?, ?, ?)
       ON CONFLICT (library, origin) DO UPDATE SET fingerprint = excluded.fingerprint`,
    )
    .run(row.library, row.origin, row.fingerprint);
}

function addTool({
  origin,
  tool,
  ...place
}: LibraryPlace & { origin: string; tool: ToolDefinition }): void {
  const entry = { version: lastVersion({ ...place, id: tool.id }) + 1, ...storedForm(tool) };
  place.database
    .prepare(
      "INSERT INTO tools (library, id, origin, version, hash, definition) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(place.library, tool.id, origin, entry.version, entry.hash, entry.definition);
  appendVersion({ ...place, id: tool.id, ...entry });
}

function updateTool({
  tool,
  version,
  ...place
}: LibraryPlace & { tool: ToolDefinition; version: number }): void {
  const { hash, definition } = storedForm(tool);
  place.database
    .prepare("UPDATE tools SET version = ?, hash = ?, definition = ? WHERE library = ? AND id = ?")
    .run(version, hash, definition, place.library, tool.id);
  appendVersion({ ...place, id: tool.id, version, hash, definition });
}

/** A tool that only moved to another file is the same version, but has to be called where it lies now. */
function refreshTool({
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

function removeTool({ id, ...place }: LibraryPlace & { id: string }): void {
  const stored = findTool({ ...place, id });
  if (!stored) return;
  appendVersion({ ...place, id, version: stored.version, hash: stored.hash, definition: null });
  place.database.prepare("DELETE FROM tools WHERE library = ? AND id = ?").run(place.library, id);
}

function appendVersion(
  entry: LibraryPlace & { id: string; version: number; hash: string; definition: string | null },
): void {
  entry.database
    .prepare(
      "INSERT INTO versions (library, id, version, hash, definition, at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(
      entry.library,
      entry.id,
      entry.version,
      entry.hash,
      entry.definition,
      new Date().toISOString(),
    );
}

/** A tool that comes back goes on counting where it stopped. */
function lastVersion({ database, library, id }: LibraryPlace & { id: string }): number {
  return database
    .prepare("SELECT coalesce(max(version), 0) FROM versions WHERE library = ? AND id = ?")
    .pluck()
    .get(library, id) as number;
}

function beginRevision({ database, library }: LibraryPlace): void {
  database
    .prepare("UPDATE libraries SET revision = revision + 1, content = ? WHERE number = ?")
    .run(randomUUID(), library);
}

/**
 * The keys keep their order, for models see the parameters in it. A record that comes back from the
 * history must not carry its old version and hash along.
 */
function storedForm(tool: ToolDefinition): { hash: string; definition: string } {
  const definition = JSON.stringify({ ...tool, version: undefined, hash: undefined });
  return { hash: definitionHash(tool), definition };
}
