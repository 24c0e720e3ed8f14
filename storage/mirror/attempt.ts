import { type Database, asBuffer } from "../sqlite.js";
import { columnNames, listed, type MirroredTable, quoted, type Row } from "./tables.js";

/** What a piece of work has changed. */
export interface Changes {
  /** New and changed rows as they are now, by table. */
  rows: ReadonlyMap<string, readonly Row[]>;
  /** Keys of deleted rows, by table; a key is a JSON list. */
  gone: ReadonlyMap<string, readonly string[]>;
  /** The last row number that SQLite has given, by table (JSON), so that none is given twice. */
  counters: string;
}

export function hasChanges({ rows, gone }: Changes): boolean {
  return rows.size > 0 || gone.size > 0;
}

/**
 * Does work, notes what it has changed and rolls it back: the rows are only put into the file once Postgres has them.
 * So no reader ever sees rows that a crash or a lost connection would undo.
 */
export function attempt<Result>(options: {
  /** A connection of its own, prepared by `noteChanges`. */
  database: Database;
  tables: readonly MirroredTable[];
  work: (database: Database) => Result;
}): { result: Result; changes: Changes } {
  const { database, tables, work } = options;
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work(database);
    return { result, changes: changesIn({ database, tables }) };
  } finally {
    database.exec("ROLLBACK");
  }
}

/** Makes a connection note which rows are changed over it. */
export function noteChanges(database: Database, tables: readonly MirroredTable[]): void {
  // Otherwise rows that a REPLACE deletes fire no triggers.
  database.pragma("recursive_triggers = ON");
  database.exec("CREATE TEMP TABLE noted (relation TEXT NOT NULL, key TEXT NOT NULL)");
  for (const { name, key } of tables) {
    const note = (row: "NEW" | "OLD") =>
      `INSERT INTO noted VALUES (${text(name)}, json_array(${listed(key, `${row}.`)}));`;
    const when = { INSERT: note("NEW"), UPDATE: note("OLD") + note("NEW"), DELETE: note("OLD") };
    for (const [event, does] of Object.entries(when)) {
      const trigger = quoted(`note_${event}_${name}`);
      database.exec(
        `CREATE TEMP TRIGGER ${trigger} AFTER ${event} ON main.${quoted(name)} BEGIN ${does} END`,
      );
    }
  }
}

function changesIn(options: { database: Database; tables: readonly MirroredTable[] }): Changes {
  const { database, tables } = options;
  const rows = new Map<string, readonly Row[]>();
  const gone = new Map<string, readonly string[]>();
  const noted = new Set(database.prepare("SELECT DISTINCT relation FROM noted").pluck().all());
  for (const table of tables) {
    if (!noted.has(table.name)) continue;
    const there = database
      .prepare(
        `SELECT ${listed(columnNames(table), "row.")} FROM ${NOTED_KEYS}
         CROSS JOIN ${quoted(table.name)} AS row ON ${hasKey(table, "row")}`,
      )
      .all(table.name) as Row[];
    const lost = database
      .prepare(
        `SELECT noted.key FROM ${NOTED_KEYS}
         WHERE NOT EXISTS (SELECT 1 FROM ${quoted(table.name)} AS row WHERE ${hasKey(table, "row")})`,
      )
      .pluck()
      .all(table.name) as string[];
    if (there.length > 0) rows.set(table.name, there.map(storable));
    if (lost.length > 0) gone.set(table.name, lost);
  }
  return { rows, gone, counters: readCounters(database) };
}

const NOTED_KEYS = "(SELECT DISTINCT key FROM temp.noted WHERE relation = ?) AS noted";

/** Whether a row has the key of a noted one. */
export function hasKey({ key }: MirroredTable, row: string): string {
  return key
    .map((column, at) => `${row}.${quoted(column)} = json_extract(noted.key, '$[${at}]')`)
    .join(" AND ");
}

/** The last number of each table whose row numbers are never reused (AUTOINCREMENT), as JSON. */
export function readCounters(database: Database): string {
  const there = database
    .prepare("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
    .get();
  if (there === undefined) return "{}";
  const rows = database.prepare("SELECT name, seq FROM sqlite_sequence ORDER BY name").all();
  const counted = rows as { name: string; seq: number }[];
  return JSON.stringify(Object.fromEntries(counted.map(({ name, seq }) => [name, seq])));
}

function storable(row: Row): Row {
  const values = Object.entries(row).map(([column, value]) => [column, storableValue(value)]);
  return Object.fromEntries(values) as Row;
}

/** Postgres refuses NUL in texts. */
function storableValue(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : asBuffer(value);
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
