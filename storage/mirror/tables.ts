import type { Database } from "../sqlite.js";

/** A table whose rows are mirrored. */
export interface MirroredTable {
  name: string;
  columns: readonly Column[];
  /** Columns of the primary key, in its order. */
  key: readonly string[];
}

interface Column {
  name: string;
  /** As SQLite calls it. */
  type: "INTEGER" | "REAL" | "TEXT" | "BLOB";
  isRequired: boolean;
  /** An SQL literal that both databases understand; null without a default. */
  preset: string | null;
}

/** A row by column; bytes as a buffer. */
export type Row = Record<string, unknown>;

/** The mirror's own table in the file. */
export const MIRROR_STATE = "mirror_state";

/**
 * The tables of a file that are mirrored, in the order in which they were created.
 *
 * @param without tables that are not mirrored
 */
export function mirroredTables(database: Database, without: readonly string[] = []) {
  return tableNames(database)
    .filter((name) => name !== MIRROR_STATE && !without.includes(name))
    .map((name) => tableOf(database, name));
}

/** The tables of a file, in the order in which they were created. */
export function tableNames(database: Database): string[] {
  return database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
}

function tableOf(database: Database, name: string): MirroredTable {
  const columns = database.prepare(`PRAGMA table_info(${quoted(name)})`).all() as {
    name: string;
    type: Column["type"];
    notnull: number;
    dflt_value: string | null;
    pk: number;
  }[];
  const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  return {
    name,
    columns: columns.map(({ name: column, type, notnull, dflt_value }) => ({
      name: column,
      type,
      isRequired: notnull === 1,
      preset: dflt_value,
    })),
    key: key.map((column) => column.name),
  };
}

/** An identifier in quotes, for both databases. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names of columns, separated by commas. */
export function listed(names: readonly string[], of = ""): string {
  return names.map((name) => `${of}${quoted(name)}`).join(", ");
}

export function columnNames({ columns }: MirroredTable): string[] {
  return columns.map(({ name }) => name);
}
