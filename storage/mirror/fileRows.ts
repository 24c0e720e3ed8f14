import type { Database } from "../sqlite.js";
import { hasKey } from "./attempt.js";
import {
  columnNames,
  listed,
  MIRROR_STATE,
  type MirroredTable,
  quoted,
  type Row,
} from "./tables.js";

/** The state of the database that a mirror shows. */
export interface MirrorState {
  /** Random name of the database's schema. */
  origin: string;
  /** Number of the last write. */
  number: number;
  /** Random name of the last write, which reveals a database that was restored from a backup. */
  mark: string;
  counters: string;
}

/** Rows on their way into a mirror. */
export interface Staging {
  put: (table: MirroredTable, rows: readonly Row[]) => void;
  remove: (table: string, keys: readonly string[]) => void;
  /**
   * Moves the rows into the mirror in one transaction, unless another process has brought it to that state already.
   *
   * @param options.isWhole the staged rows are all there are and replace everything in the mirror
   */
  move: (to: MirrorState, options: { isWhole: boolean }) => void;
  clear: () => void;
}

/** Creates the table that says which state the mirror shows. */
export function prepareState(database: Database): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${MIRROR_STATE} (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      origin TEXT NOT NULL,
      number INTEGER NOT NULL,
      mark TEXT NOT NULL,
      counters TEXT NOT NULL
    ) STRICT`,
  );
}

/** Undefined for a mirror that has never been filled. */
export function readState(database: Database): MirrorState | undefined {
  return database.prepare(`SELECT origin, number, mark, counters FROM ${MIRROR_STATE}`).get() as
    | MirrorState
    | undefined;
}

/**
 * Gathers rows in temporary tables of a connection, which are outside the file and lock nobody. However many rows
 * there are, memory holds one page of them.
 */
export function staging(options: {
  /** A connection of its own, without foreign keys. */
  database: Database;
  tables: readonly MirroredTable[];
  caches: readonly string[];
}): Staging {
  const { database, tables, caches } = options;
  database.exec("CREATE TEMP TABLE removed (relation TEXT NOT NULL, key TEXT NOT NULL)");
  for (const table of tables) {
    const columns = table.columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(", ");
    database.exec(`CREATE TEMP TABLE ${staged(table.name)} (${columns})`);
  }
  const clear = () => {
    database.exec("DELETE FROM temp.removed");
    for (const { name } of tables) database.exec(`DELETE FROM temp.${staged(name)}`);
  };
  return {
    put: (table, rows) => {
      const columns = columnNames(table);
      const insert = database.prepare(
        `INSERT INTO temp.${staged(table.name)} VALUES (${columns.map(() => "?").join(", ")})`,
      );
      database.transaction(() => {
        for (const row of rows) insert.run(columns.map((column) => row[column] ?? null));
      })();
    },
    remove: (table, keys) => {
      const insert = database.prepare("INSERT INTO temp.removed VALUES (?, ?)");
      database.transaction(() => {
        for (const key of keys) insert.run(table, key);
      })();
    },
    move: (to, { isWhole }) => {
      database
        .transaction(() => {
          const now = readState(database);
          if (now?.origin === to.origin && now.number >= to.number && !isWhole) return;
          for (const name of isWhole ? caches : []) database.exec(`DELETE FROM ${quoted(name)}`);
          for (const table of tables) moveRows({ database, table, isWhole });
          writeState(database, to);
        })
        .immediate();
      clear();
    },
    clear,
  };
}

/** Deletes first, because a new row may have a unique value of a deleted one. */
function moveRows(options: { database: Database; table: MirroredTable; isWhole: boolean }): void {
  const { database, table, isWhole } = options;
  const { name, key } = table;
  const main = `main.${quoted(name)}`;
  if (isWhole) database.exec(`DELETE FROM ${main}`);
  else {
    database
      .prepare(
        `DELETE FROM ${main} WHERE rowid IN (
           SELECT row.rowid FROM (SELECT key FROM temp.removed WHERE relation = ?) AS noted
           CROSS JOIN ${main} AS row ON ${hasKey(table, "row")})`,
      )
      .run(name);
    const same = key.map((column) => `row.${quoted(column)} = staged.${quoted(column)}`);
    database.exec(
      `DELETE FROM ${main} WHERE rowid IN (
         SELECT row.rowid FROM temp.${staged(name)} AS staged
         CROSS JOIN ${main} AS row ON ${same.join(" AND ")})`,
    );
  }
  const columns = listed(columnNames(table));
  database.exec(`INSERT INTO ${main} (${columns}) SELECT ${columns} FROM temp.${staged(name)}`);
}

/** Sets the numbers from which SQLite goes on counting, or the number of a deleted row could be given again. */
export function writeCounters(database: Database, counters: string): void {
  for (const [name, last] of Object.entries(JSON.parse(counters) as Record<string, number>)) {
    database.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(name);
    database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, last);
  }
}

function writeState(database: Database, { origin, number, mark, counters }: MirrorState): void {
  database
    .prepare(
      `INSERT OR REPLACE INTO ${MIRROR_STATE} (only_one, origin, number, mark, counters)
       VALUES (1, ?, ?, ?, ?)`,
    )
    .run(origin, number, mark, counters);
  writeCounters(database, counters);
}

function staged(table: string): string {
  return quoted(`staged_${table}`);
}
