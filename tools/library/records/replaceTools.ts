import type { ToolDefinition } from "../../tool.js";
import { type EditNote, isWithoutFile } from "./edits.js";
import { definitionHash } from "./hash.js";
import { columnOf, deleteRows, findTool, type LibraryPlace, type Origin } from "./records.js";
import { forgetPins } from "./pins.js";
import {
  addTool,
  beginRevision,
  putOrigin,
  refreshTool,
  removeTool,
  updateTool,
} from "./toolRows.js";

/** What `replaceTools` did, as tool ids. */
export interface ReplacedTools {
  added: string[];
  updated: string[];
  unchanged: string[];
  removed: string[];
  /** Tools that were not stored because their id belongs to another origin. */
  conflicts: { id: string; origin: string }[];
}

/** Makes the tools of one origin exactly the given ones, whose ids must differ. Must run in a write transaction. */
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
      updateTool({ ...place, tool, stored });
      done.updated.push(tool.id);
    } else {
      moved = refreshTool({ ...place, tool, stored }) || moved;
      done.unchanged.push(tool.id);
    }
  }
  const wanted = new Set(tools.map(({ id }) => id));
  done.removed = idsOfOrigin({ ...place, origin }).filter((id) => !wanted.has(id));
  for (const id of done.removed) removeTool({ ...place, id });
  // Without a fingerprint the origin counts as changed, so it is tried again once the id is free.
  if (done.conflicts.length > 0) putOrigin({ ...place, origin, fingerprint: "" });
  const changes = done.added.length + done.updated.length + done.removed.length;
  if (moved || changes > 0) beginRevision(place);
  return done;
}

/**
 * Removes the tools with these ids; their history stays, with the note for those that no file stands behind. Must run
 * in a write transaction.
 */
export function removeTools({
  ids,
  note,
  ...place
}: LibraryPlace & { ids: readonly string[]; note?: EditNote }): void {
  for (const id of ids) {
    const { origin } = findTool({ ...place, id }) ?? {};
    removeTool({ ...place, id, note: isWithoutFile(origin) ? note : undefined });
  }
  if (ids.length > 0) beginRevision(place);
}

/** Removes an origin and its tools; returns their ids. Must run in a write transaction. */
export function deleteOrigin({ origin, ...place }: LibraryPlace & { origin: string }): string[] {
  const ids = idsOfOrigin({ ...place, origin });
  removeTools({ ...place, ids });
  forgetPins({ ...place, origin });
  deleteRows(place, "origins", { origin });
  return ids;
}

function idsOfOrigin({ origin, ...place }: LibraryPlace & { origin: string }): string[] {
  const statement = "SELECT id FROM tools WHERE library = ? AND origin = ? ORDER BY position";
  return columnOf(place, statement, origin);
}
