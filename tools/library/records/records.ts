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

type Value = string | number | null;

/** The rows of a statement whose first parameter is the library. */
export function rowsOf<Row>(place: LibraryPlace, statement: string, ...values: Value[]): Row[] {
  return place.database.prepare(statement).all(place.library, ...values) as Row[];
}

/** The first column of those rows. */
export function columnOf<Column>(
  place: LibraryPlace,
  statement: string,
  ...values: Value[]
): Column[] {
  return place.database
    .prepare(statement)
    .pluck()
    .all(place.library, ...values) as Column[];
}

/** Adds a row to a table of the library; `then` says what happens if it is there. */
export function insertRow(
  { database, library }: LibraryPlace,
  table: string,
  row: Readonly<Record<string, Value>>,
  then = "",
): number {
  const columns = Object.keys(row);
  const places = columns.map(() => ", ?").join("");
  const { lastInsertRowid } = database
    .prepare(`INSERT INTO ${table} (library, ${columns.join(", ")}) VALUES (?${places}) ${then}`)
    .run(library, ...Object.values(row));
  return Number(lastInsertRowid);
}

export function deleteRows(
  { database, library }: LibraryPlace,
  table: string,
  of: Readonly<Record<string, Value>>,
): void {
  const wanted = Object.keys(of).map((column) => ` AND ${column} = ?`);
  database
    .prepare(`DELETE FROM ${table} WHERE library = ?${wanted.join("")}`)
    .run(library, ...Object.values(of));
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
  ids,
  ...place
}: LibraryPlace & { ids: readonly string[] }): { position: number; record: ToolRecord }[] {
  const statement = `${LABELLED_TOOLS} AND tools.id IN (SELECT value FROM json_each(?)) ORDER BY position`;
  const rows = rowsOf<ToolRow>(place, statement, JSON.stringify(ids));
  return rows.map((row) => ({ position: row.position, record: recordOf(row) }));
}

/**
 * Name, description and revision of a library that exists, as it was when its place was first asked about: readers get
 * another place in each turn of the event loop, and after each write.
 */
export function readLibrary(place: LibraryPlace): LibraryRow {
  const statement = "SELECT name, description, revision, content FROM libraries WHERE number = ?";
  const row =
    known.get(place) ?? (place.database.prepare(statement).get(place.library) as LibraryRow);
  known.set(place, row);
  return row;
}

const known = new WeakMap<LibraryPlace, LibraryRow>();

/** What is made of a library, anew only once its tools have changed. */
export function ofContent<Made>(
  place: () => LibraryPlace,
  make: (place: LibraryPlace) => Made,
): () => Made {
  let latest: { content: string; made: Made } | undefined;
  return () => {
    const here = place();
    // Read before the tools, so that a change in between is noticed at the next call.
    const { content } = readLibrary(here);
    if (latest?.content !== content) latest = { content, made: make(here) };
    return latest.made;
  };
}

/** Whether a library has any tools; quick even in a large one. */
export function hasTools(place: LibraryPlace): boolean {
  return columnOf(place, "SELECT 1 FROM tools WHERE library = ? LIMIT 1").length > 0;
}

export function countTools(place: LibraryPlace): number {
  return Number(columnOf(place, "SELECT count(*) FROM tools WHERE library = ?")[0]);
}

/** The ids of all tools, in the order of their registration. */
export function listToolIds(place: LibraryPlace): string[] {
  return columnOf(place, "SELECT id FROM tools WHERE library = ? ORDER BY position");
}

/** The places of all tools in the order of registration. */
export function listPositions(place: LibraryPlace): number[] {
  return columnOf(place, "SELECT position FROM tools WHERE library = ? ORDER BY position");
}

/** The tools at some places in the order of registration; empty places are left out. */
export function placesOf({
  positions,
  ...place
}: LibraryPlace & { positions: readonly number[] }): Pick<ToolRow, "id" | "position">[] {
  // The `+` makes SQLite use the places instead of going through the whole library.
  const statement = `SELECT id, position FROM tools WHERE +library = ?
    AND position IN (SELECT value FROM json_each(?))`;
  return rowsOf(place, statement, JSON.stringify(positions));
}

/** The origins of a library, in the order of their names. */
export function listOrigins(place: LibraryPlace): Origin[] {
  return rowsOf(place, "SELECT origin, fingerprint FROM origins WHERE library = ? ORDER BY origin");
}

export function getTool(wanted: LibraryPlace & { id: string }): ToolRecord | undefined {
  const stored = findTool(wanted);
  return stored && recordOf(stored);
}

/** One tool as it is stored, with its origin. */
export function findTool({ id, ...place }: LibraryPlace & { id: string }): ToolRow | undefined {
  return rowsOf<ToolRow>(place, `${LABELLED_TOOLS} AND tools.id = ?`, id)[0];
}

/** Every version that a tool has had, including removals, newest last. */
export function toolHistory({ id, ...place }: LibraryPlace & { id: string }): ToolVersion[] {
  const statement = "SELECT * FROM versions WHERE library = ? AND id = ? ORDER BY sequence";
  return rowsOf<VersionRow>(place, statement, id).map(versionOf);
}

/** The number of the last entry in the histories of all tools of all libraries. */
export function lastEntry({ database }: Pick<LibraryPlace, "database">): number {
  return Number(database.prepare("SELECT coalesce(max(sequence), 0) FROM versions").pluck().get());
}

/**
 * Identifies the last entry of a library up to a given one. If it is the same in two databases, so is everything before
 * it, because entries are only ever appended.
 */
export function entryMark({ entry, ...place }: LibraryPlace & { entry: number }): string {
  const statement = `SELECT sequence, id, version, hash, at FROM versions
    WHERE +library = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1`;
  return JSON.stringify(rowsOf(place, statement, entry)[0] ?? {});
}

/** The ids of the tools that have changed since an entry of the histories. */
export function changedSince({ entry, ...place }: LibraryPlace & { entry: number }): string[] {
  // The `+` makes SQLite use the numbers of the entries instead of going through the whole library.
  return columnOf(
    place,
    "SELECT DISTINCT id FROM versions WHERE +library = ? AND sequence > ?",
    entry,
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
  const { flow, sends, wayBack, deed, ...label } =
    labels === null ? {} : (JSON.parse(labels) as KeptLabels);
  const counted = countedEffects(defined, label);
  const ways = wayBack && {
    undo: wayBack.undo,
    before: wayBack.before,
    isUndoDecided: true as const,
  };
  return {
    ...defined,
    ...(flow && { flow, sends }),
    ...(deed && { deed }),
    ...ways,
    ...counted,
    version,
    hash,
  };
}
