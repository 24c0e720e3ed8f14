import { EditConflict, LibraryFailed, UnknownName } from "../../../common/errors.js";
import { type ToolRecord, calledTools } from "../../tool.js";
import { type EditNote, GENERATED_ORIGIN, type ToolEdit, originOf } from "./edits.js";
import { definitionHash } from "./hash.js";
import {
  type LibraryPlace,
  type VersionRow,
  insertRow,
  findTool,
  getTool,
  listToolIds,
  toolHistory,
} from "./records.js";
import {
  addTool,
  beginRevision,
  insertTool,
  putOrigin,
  removeTool,
  updateTool,
} from "./toolRows.js";
import { embedTools, type IndexSource, withoutVectors } from "../vectors/vectors.js";
import { asBuffer } from "../../../storage/sqlite/sqlite.js";

/** The removal of a made tool. */
export interface ToolRemoval {
  id: string;
  /** The version that the editor has read. */
  basedOn: number;
  note: EditNote;
}

/** Adds a made tool or gives it a new version, see `LibraryEditor.put`. */
export async function putTool({
  source,
  edit,
}: {
  source: IndexSource;
  edit: ToolEdit;
}): Promise<ToolRecord> {
  const { name, place, write, model } = source;
  const { tool, basedOn } = edit;
  // Checked before the model is asked, too, so that nobody pays for an edit that cannot be made.
  const made = recordOfEdit({ ...place(), edit });
  if (made) return made;
  requireEditable({ ...place(), name, id: tool.id, basedOn, origin: originOf(tool) });
  const lacking = withoutVectors({ ...place(), model: model.name, tools: [tool] });
  await embedTools({ write, model, tools: lacking });
  return await write((now) => writeEdit({ ...now, name, edit }));
}

/** Removes a made tool, see `LibraryEditor.discard`. */
export async function discardTool({
  source,
  removal,
}: {
  source: IndexSource;
  removal: ToolRemoval;
}): Promise<void> {
  const { id, basedOn, note } = removal;
  await source.write((place) => {
    const newest = toolHistory({ ...place, id }).at(-1);
    if (newest?.removed && isSameEdit(newest.note, note)) return;
    requireEditable({ ...place, name: source.name, id, basedOn, origin: GENERATED_ORIGIN });
    removeTool({ ...place, id, note });
    beginRevision(place);
  });
}

/** Checks again, because others may have been faster while the text was embedded. */
function writeEdit(options: LibraryPlace & { name: string; edit: ToolEdit }): ToolRecord {
  const { name, edit, ...place } = options;
  const { tool, basedOn, note } = edit;
  const made = recordOfEdit({ ...place, edit });
  if (made) return made;
  const origin = originOf(tool);
  requireEditable({ ...place, name, id: tool.id, basedOn, origin });
  putOrigin({ ...place, origin, fingerprint: "" });
  const stored = findTool({ ...place, id: tool.id });
  const version = stored
    ? updateTool({ ...place, tool, stored, note })
    : addTool({ ...place, origin, tool, note });
  beginRevision(place);
  return { ...tool, version, hash: definitionHash(tool) };
}

/** The version that this very edit has made before: a run that was interrupted asks for it again. */
function recordOfEdit({
  edit,
  ...place
}: LibraryPlace & { edit: ToolEdit }): ToolRecord | undefined {
  const newest = toolHistory({ ...place, id: edit.tool.id }).at(-1);
  const isIt =
    isSameEdit(newest?.note, edit.note) && newest?.record?.hash === definitionHash(edit.tool);
  return isIt ? newest.record : undefined;
}

/** Only the edits of runs can be told apart; a person's are never the same. */
function isSameEdit(made: EditNote | undefined, { threadId, callId }: EditNote): boolean {
  if (threadId === undefined || callId === undefined) return false;
  return made?.threadId === threadId && made.callId === callId;
}

function requireEditable(
  options: LibraryPlace & { name: string; id: string; basedOn: number | null; origin: string },
): void {
  const { name, id, basedOn, origin, ...place } = options;
  const stored = findTool({ ...place, id });
  if (stored && stored.origin !== origin) {
    const kind = origin === GENERATED_ORIGIN ? "tools that a model has written" : "saved plans";
    throw new LibraryFailed({
      library: name,
      problem: `its tool "${id}" comes from ${stored.origin}, and only ${kind} can be edited`,
      hint: "Give the new tool another name, or change the other one where it comes from",
    });
  }
  const found = stored?.version ?? null;
  if (found !== basedOn) throw new EditConflict({ tool: id, basedOn, found });
}

/** A tool that a thread has made and that becomes a tool of the library. */
export interface Promotion {
  id: string;
  /** Why; kept with the removal from the thread. */
  note: EditNote;
}

/** Moves a tool from one library to another, as `LibraryStore.promote` says. Must run in a write transaction. */
export function promoteTool(
  options: Promotion & { name: string; from: LibraryPlace; to: LibraryPlace },
): ToolRecord {
  const { name, from, to, id, note } = options;
  const tool = findTool({ ...from, id });
  const record = getTool({ ...from, id });
  if (!tool || !record)
    throw new UnknownName({ kind: "made tool", wanted: id, available: listToolIds(from) });
  requirePlace(name, to, record);
  const version = copyVersions(from, to, id);
  copyVectors(from, to);
  const { hash, definition } = tool;
  putOrigin({ ...to, origin: GENERATED_ORIGIN, fingerprint: "" });
  insertTool({ ...to, id, origin: GENERATED_ORIGIN, version, hash, definition });
  removeTool({ ...from, id, note });
  beginRevision(from);
  beginRevision(to);
  return { ...record, version };
}

function requirePlace(name: string, to: LibraryPlace, record: ToolRecord): void {
  const { id } = record;
  const taken = findTool({ ...to, id });
  if (taken) {
    throw new LibraryFailed({
      library: name,
      problem: `it has a tool "${id}" already, from ${taken.origin}`,
      hint: `compare them with: tulipgraph tools list ${id} --library ${name}`,
    });
  }
  const lacking = calledTools(record).filter((called) => !findTool({ ...to, id: called }));
  if (lacking.length === 0) return;
  throw new LibraryFailed({
    library: name,
    problem: `"${id}" calls ${lacking.join(", ")}, which it lacks`,
    hint: `first: tulipgraph tools add ${lacking[0]} --thread THREAD --library ${name}`,
  });
}

/**
 * Copies the versions since the tool was made, and returns the newest number. They continue counting after versions
 * that a tool with this id had before, and are new entries, so that open indexes notice the change.
 */
function copyVersions(from: LibraryPlace, to: LibraryPlace, id: string): number {
  const before = toolHistory({ ...to, id }).at(-1)?.version ?? 0;
  const kept = from.database
    .prepare(
      `SELECT version, hash, definition, at, note FROM versions WHERE library = @library AND id = @id
       AND sequence > coalesce((SELECT max(sequence) FROM versions
         WHERE library = @library AND id = @id AND definition IS NULL), 0)
       ORDER BY sequence`,
    )
    .all({ library: from.library, id }) as VersionRow[];
  const first = kept[0]?.version ?? 1;
  for (const { version, ...row } of kept)
    insertRow(to, "versions", { id, version: version - first + 1 + before, ...row });
  return toolHistory({ ...to, id }).at(-1)?.version ?? before;
}

/** Spares embedding the texts again. */
function copyVectors(from: LibraryPlace, to: LibraryPlace): void {
  const insert = to.database.prepare(
    `INSERT OR IGNORE INTO vectors (library, model, dimension, text_hash, vector)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const vectors = from.database
    .prepare("SELECT model, dimension, text_hash, vector FROM vectors WHERE library = ?")
    .all(from.library) as Record<"model" | "dimension" | "text_hash" | "vector", unknown>[];
  for (const { model, dimension, text_hash: hash, vector } of vectors)
    insert.run(to.library, model, dimension, hash, asBuffer(vector));
}
