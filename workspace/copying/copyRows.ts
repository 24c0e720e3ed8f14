import { readCounters } from "../../storage/mirror/attempt.js";
import { writeCounters } from "../../storage/mirror/fileRows.js";
import { openRows } from "../../storage/mirror/rowStore.js";
import {
  columnNames,
  listed,
  type MirroredTable,
  mirroredTables,
  quoted,
} from "../../storage/mirror/tables.js";
import { type Database, asBuffer } from "../../storage/sqlite.js";
import { type Content, contentHash } from "./contentHash.js";
import { type CopyStore, type StoreForm, notEmpty } from "./stores.js";

/** Copies a store of rows in one write to the target. */
export const copyRows: CopyStore<Extract<StoreForm, { kind: "rows" }>> = async (options) => {
  const { form, from, to, replace } = options;
  const { name: store, migrations, caches = [] } = form;
  const source = openRows({ place: from, store, migrations, caches });
  const target = openRows({ place: to, store, migrations, caches });
  try {
    await source.refresh({ maxAgeMs: 0 });
    const tables = mirroredTables(source.database, caches);
    await target.write((database) => {
      const isEmpty = tables.every((table) => contentOf(database, table).count === 0);
      if (!isEmpty && !replace) throw notEmpty(to, store);
      for (const name of caches) database.exec(`DELETE FROM ${quoted(name)}`);
      for (const { name } of tables.toReversed()) database.exec(`DELETE FROM ${quoted(name)}`);
      for (const table of tables) copyTable({ from: source.database, to: database, table });
      writeCounters(database, readCounters(source.database));
    });
    return tables.map((table) => ({
      table: table.name,
      source: contentOf(source.database, table),
      target: contentOf(target.database, table),
    }));
  } finally {
    await source.close();
    await target.close();
  }
};

function copyTable(options: { from: Database; to: Database; table: MirroredTable }): void {
  const { from, to, table } = options;
  const columns = columnNames(table);
  const insert = to.prepare(
    `INSERT INTO ${quoted(table.name)} (${listed(columns)}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (const row of rowsOf(from, table)) {
    insert.run(columns.map((column) => asBuffer(row[column])));
  }
}

function contentOf(database: Database, table: MirroredTable): Content {
  return contentHash(rowsOf(database, table));
}

function rowsOf(database: Database, table: MirroredTable) {
  return database
    .prepare(
      `SELECT ${listed(columnNames(table))} FROM ${quoted(table.name)} ORDER BY ${listed(table.key)}`,
    )
    .iterate() as IterableIterator<Record<string, unknown>>;
}
