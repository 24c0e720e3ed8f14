import { LibraryFailed, UnknownName } from "../../../common/errors.js";
import { asBuffer } from "../../../storage/sqlite.js";
import { calledTools, type ToolRecord } from "../../tool.js";
import { type EditNote, GENERATED_ORIGIN } from "./edits.js";
import {
  findTool,
  getTool,
  type LibraryPlace,
  listToolIds,
  newestVersion,
  type ToolRow,
  type VersionRow,
} from "./records.js";
import { beginRevision, insertTool, putOrigin, removeTool } from "./toolRows.js";

/** A tool that a thread has made and that becomes a tool of the library. */
export interface Promotion {
  id: string;
  /** Why; kept with the removal from the thread. */
  note: EditNote;
}

/** Moves a tool from one library to another, as `LibraryStore.promote` says. Must run in a write transaction. */
export function promoteTool({
  name,
  from,
  to,
  id,
  note,
}: Promotion & { name: string; from: LibraryPlace; to: LibraryPlace }): ToolRecord {
  const tool = findTool({ ...from, id });
  const record = getTool({ ...from, id });
  if (!tool || !record) {
    throw new UnknownName({ kind: "made tool", wanted: id, available: listToolIds(from) });
  }
  requirePlace(name, to, record);
  const version = copyVersions(from, to, id);
  copyVectors(from, to);
  addRow(to, tool, version);
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
  const before = newestVersion({ ...to, id })?.version ?? 0;
  const kept = from.database
    .prepare(
      `SELECT version, hash, definition, at, note FROM versions WHERE library = @library AND id = @id
       AND sequence > coalesce((SELECT max(sequence) FROM versions
         WHERE library = @library AND id = @id AND definition IS NULL), 0)
       ORDER BY sequence`,
    )
    .all({ library: from.library, id }) as VersionRow[];
  const insert = to.database.prepare(
    `INSERT INTO versions (library, id, version, hash, definition, at, note)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const first = kept[0]?.version ?? 1;
  for (const { version, hash, definition, at, note } of kept) {
    insert.run(to.library, id, version - first + 1 + before, hash, definition, at, note);
  }
  return newestVersion({ ...to, id })?.version ?? before;
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
  for (const { model, dimension, text_hash: hash, vector } of vectors) {
    insert.run(to.library, model, dimension, hash, asBuffer(vector));
  }
}

function addRow(to: LibraryPlace, { id, hash, definition }: ToolRow, version: number): void {
  putOrigin({ ...to, origin: GENERATED_ORIGIN, fingerprint: "" });
  insertTool({ ...to, id, origin: GENERATED_ORIGIN, version, hash, definition });
}
