import type { Database } from "../../../storage/sqlite/sqlite.js";
import { countedEffects } from "./effects.js";
import type { KeptLabels } from "./labels.js";
import type { ToolDefinition, ToolRecord } from "../../tool.js";
import type { EditNote } from "./edits.js";

/** A library in the database. */
export interface LibraryPlace {
  database: Database;
  /** Primary key of the library. */
  library: number;
}

/** Does work on a library in a write transaction, and resolves once everybody who shares the library sees it. */
export type LibraryWriter = <Result>(work: (place: LibraryPlace) => Result) => Promise<Result>;

/** One entry of a tool's append-only history. */
export interface ToolVersion {
  version: number;
  /** The tool from this entry on; absent if it was removed. */
  record?: ToolRecord;
  removed?: true;
  /** Who made it and why; for made tools and saved plans. */
  note?: EditNote;
  /** When, as an ISO 8601 date and time in UTC. */
  at: string;
}

/** A source of tools, for example a file, with the fingerprint of its content when it was last read. */
export interface Origin {
  origin: string;
  fingerprint: string;
}

interface LibraryRow {
  name: string;
  description: string;
  revision: number;
  /** Random name of the content, new with each revision. */
  content: string;
}

/** A tool as it is stored. */
export interface ToolRow {
  /** Place in the order of registration; a tool keeps it until it is removed. */
  position: number;
  id: string;
  origin: string;
  version: number;
  hash: string;
  definition: string;
  /** Labels given by hand; null if the definition holds as it is. */
  labels: string | null;
}

const LABELLED_TOOLS = `SELECT tools.*, labels.flow AS labels FROM tools
  LEFT JOIN labels ON labels.library = tools.library AND labels.id = tools.id
  WHERE tools.library = ?`;

/** The tools of a library in the order of their registration. */
export function listTools({ database, library }: LibraryPlace): ToolRecord[] {
  const rows = database.prepare(`${LABELLED_TOOLS} ORDER BY position`).iterate(library);
  return Array.from(rows as IterableIterator<ToolRow>, recordOf);
}

/** Some tools with their places, in the order of registration; unknown ids are left out. */
export function pickPlacedTools({
  database,
  library,
  ids,
}: LibraryPlace & { ids: readonly string[] }): { position: number; record: ToolRecord }[] {
  const rows = database
    .prepare(`${LABELLED_TOOLS} AND tools.id IN (SELECT value FROM json_each(?)) ORDER BY position`)
    .all(library, JSON.stringify(ids)) as ToolRow[];
  return rows.map((row) => ({ position: row.position, record: recordOf(row) }));
}

/** Name, description and revision of a library that exists. */
export function readLibrary({ database, library }: LibraryPlace): LibraryRow {
  return database
    .prepare("SELECT name, description, revision, content FROM libraries WHERE number = ?")
    .get(library) as LibraryRow;
}

/** Whether a library has any tools; quick even in a large one. */
export function hasTools({ database, library }: LibraryPlace): boolean {
  return (
    database.prepare("SELECT 1 FROM tools WHERE library = ? LIMIT 1").get(library) !== undefined
  );
}

/** Number of tools. */
export function countTools({ database, library }: LibraryPlace): number {
  return Number(
    database.prepare("SELECT count(*) FROM tools WHERE library = ?").pluck().get(library),
  );
}

/** The ids of all tools, in the order of their registration. */
export function listToolIds({ database, library }: LibraryPlace): string[] {
  return database
    .prepare("SELECT id FROM tools WHERE library = ? ORDER BY position")
    .pluck()
    .all(library) as string[];
}

/** The places of all tools in the order of registration. */
export function listPositions({ database, library }: LibraryPlace): number[] {
  return database
    .prepare("SELECT position FROM tools WHERE library = ? ORDER BY position")
    .pluck()
    .all(library) as number[];
}

/** The tools at some places in the order of registration; empty places are left out. */
export function placesOf({
  database,
  library,
  positions,
}: LibraryPlace & { positions: readonly number[] }): Pick<ToolRow, "id" | "position">[] {
  return (
    database
      // The `+` makes SQLite use the places instead of going through the whole library.
      .prepare(
        "SELECT id, position FROM tools WHERE position IN (SELECT value FROM json_each(?)) AND +library = ?",
      )
      .all(JSON.stringify(positions), library) as Pick<ToolRow, "id" | "position">[]
  );
}

/** The origins of a library, in the order of their names. */
export function listOrigins({ database, library }: LibraryPlace): Origin[] {
  return database
    .prepare("SELECT origin, fingerprint FROM origins WHERE library = ? ORDER BY origin")
    .all(library) as Origin[];
}

/** One tool by its id. */
export function getTool(wanted: LibraryPlace & { id: string }): ToolRecord | undefined {
  const stored = findTool(wanted);
  return stored && recordOf(stored);
}

/** One tool as it is stored, with its origin. */
export function findTool({
  database,
  library,
  id,
}: LibraryPlace & { id: string }): ToolRow | undefined {
  return database.prepare(`${LABELLED_TOOLS} AND tools.id = ?`).get(library, id) as
    | ToolRow
    | undefined;
}

/** Every version that a tool has had, including removals, newest last. */
export function toolHistory({
  database,
  library,
  id,
}: LibraryPlace & { id: string }): ToolVersion[] {
  const rows = database
    .prepare("SELECT * FROM versions WHERE library = ? AND id = ? ORDER BY sequence")
    .all(library, id) as VersionRow[];
  return rows.map(versionOf);
}

/** The last entry of a tool's history; undefined if the tool never existed. */
export function newestVersion({
  database,
  library,
  id,
}: LibraryPlace & { id: string }): ToolVersion | undefined {
  const row = database
    .prepare("SELECT * FROM versions WHERE library = ? AND id = ? ORDER BY sequence DESC LIMIT 1")
    .get(library, id) as VersionRow | undefined;
  return row && versionOf(row);
}

/** The number of the last entry in the histories of all tools of all libraries. */
export function lastEntry({ database }: Pick<LibraryPlace, "database">): number {
  return Number(database.prepare("SELECT coalesce(max(sequence), 0) FROM versions").pluck().get());
}

/**
 * Identifies the last entry of a library up to a given one. If it is the same in two databases, so is everything before
 * it, because entries are only ever appended.
 */
export function entryMark({ database, library, entry }: LibraryPlace & { entry: number }): string {
  const row = database
    .prepare(
      `SELECT sequence, id, version, hash, at FROM versions WHERE +library = ? AND sequence <= ?
       ORDER BY sequence DESC LIMIT 1`,
    )
    .get(library, entry) as Record<string, unknown> | undefined;
  return JSON.stringify(row ?? {});
}

/** The ids of the tools that have changed since an entry of the histories. */
export function changedSince({
  database,
  library,
  entry,
}: LibraryPlace & { entry: number }): string[] {
  return (
    database
      // The `+` makes SQLite use the numbers of the entries instead of going through the whole library.
      .prepare("SELECT DISTINCT id FROM versions WHERE sequence > ? AND +library = ?")
      .pluck()
      .all(entry, library) as string[]
  );
}

/** An entry of a tool's history as it is stored. */
export interface VersionRow {
  version: number;
  hash: string;
  definition: string | null;
  at: string;
  note: string | null;
}

function versionOf({ version, hash, definition, at, note }: VersionRow): ToolVersion {
  return {
    version,
    ...(definition === null
      ? { removed: true as const }
      : { record: recordOf({ version, hash, definition, labels: null }) }),
    ...(note === null ? {} : { note: JSON.parse(note) as EditNote }),
    at,
  };
}

function recordOf({
  version,
  hash,
  definition,
  labels,
}: Pick<ToolRow, "version" | "hash" | "definition" | "labels">): ToolRecord {
  const defined = JSON.parse(definition) as ToolDefinition;
  const { flow, sends, wayBack, ...label } =
    labels === null ? {} : (JSON.parse(labels) as KeptLabels);
  const counted = countedEffects(defined, label);
  const ways = wayBack && {
    undo: wayBack.undo,
    before: wayBack.before,
    isUndoDecided: true as const,
  };
  return { ...defined, ...(flow && { flow, sends }), ...ways, ...counted, version, hash };
}
