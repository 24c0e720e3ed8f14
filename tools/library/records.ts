import type { Database } from "../../storage/sqlite.js";
import type { ToolDefinition, ToolRecord } from "../tool.js";

/** Where one library lies in the database. */
export interface LibraryPlace {
  database: Database;
  /** Primary key of the library. */
  library: number;
}

/** One entry of a tool's append-only history. */
export interface ToolVersion {
  version: number;
  /** The tool as it was from this entry on; absent where it was removed. */
  record?: ToolRecord;
  removed?: true;
  /** When, as an ISO 8601 date and time in UTC. */
  at: string;
}

/** A source of tools, for example a file, and the fingerprint of what it held when it was read last. */
export interface Origin {
  origin: string;
  fingerprint: string;
}

interface LibraryRow {
  name: string;
  description: string;
  revision: number;
  /** Random name of the revision's content. */
  content: string;
}

/** A tool as it is stored. */
export interface ToolRow {
  id: string;
  origin: string;
  version: number;
  hash: string;
  definition: string;
}

/** The tools of a library in the order of their registration. */
export function listTools({ database, library }: LibraryPlace): ToolRecord[] {
  const rows = database
    .prepare("SELECT * FROM tools WHERE library = ? ORDER BY position")
    .all(library);
  return (rows as ToolRow[]).map(recordOf);
}

/** Name, description and revision of a library that exists. */
export function readLibrary({ database, library }: LibraryPlace): LibraryRow {
  return database.prepare("SELECT * FROM libraries WHERE number = ?").get(library) as LibraryRow;
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
  return database.prepare("SELECT * FROM tools WHERE library = ? AND id = ?").get(library, id) as
    | ToolRow
    | undefined;
}

/** Every version that a tool has had, removals among them, newest last. */
export function toolHistory({
  database,
  library,
  id,
}: LibraryPlace & { id: string }): ToolVersion[] {
  const rows = database
    .prepare("SELECT * FROM versions WHERE library = ? AND id = ? ORDER BY sequence")
    .all(library, id) as { version: number; hash: string; definition: string | null; at: string }[];
  return rows.map(({ version, hash, definition, at }) =>
    definition === null
      ? { version, removed: true, at }
      : { version, record: recordOf({ version, hash, definition }), at },
  );
}

function recordOf({ version, hash, definition }: Pick<ToolRow, "version" | "hash" | "definition">) {
  return { ...(JSON.parse(definition) as ToolDefinition), version, hash } satisfies ToolRecord;
}
