import type { Kysely } from "kysely";
import { sql } from "../../storage/kysely.js";
import { openStore, schemaOf, type Store } from "../../storage/database.js";
import { asBuffer } from "../../storage/sqlite.js";
import { type Content, contentHash } from "./contentHash.js";
import { type CopyStore, type StoreForm, notEmpty } from "./stores.js";

/** Rows read or written at a time. */
const PAGE = 500;

type Row = Record<string, unknown>;
type Tables = Record<string, Row>;

/** A table that both places have, with the columns that both have. */
interface Shared {
  name: string;
  columns: string[];
  /** Columns that the target numbers by itself. */
  counted: string[];
}

/** Copies the tables that both places have, in one transaction of the target. */
export const copyTables: CopyStore<Exclude<StoreForm, { kind: "rows" }>> = async (options) => {
  const { form, from, to, replace } = options;
  const { name: store, migrations } = form;
  const source = openStore<Tables>({ place: from, store, migrations });
  const target = openStore<Tables>({ place: to, store, migrations });
  try {
    const shared = await sharedTables({ source, target, store });
    // The savers' own tables may have the same names, but little else in common.
    const tables =
      form.kind === "tables" ? shared : shared.filter(({ name }) => name === "threads");
    await target.transaction(async (db) => {
      for (const { name } of tables) {
        const some = await db
          .selectFrom(name)
          .select(sql<number>`1`.as("one"))
          .limit(1)
          .execute();
        if (some.length > 0 && !replace) throw notEmpty(to, store);
      }
      for (const { name } of tables.toReversed()) await db.deleteFrom(name).execute();
      for (const table of tables) await copyTable({ source, db, table });
      if (target.kind === "postgres")
        for (const table of tables) await countOn({ db, table, store });
    });
    const compared = [];
    for (const table of tables) {
      compared.push({
        table: table.name,
        source: await contentOf(source.db, table),
        target: await contentOf(target.db, table),
      });
    }
    return compared;
  } finally {
    await source.close();
    await target.close();
  }
};

/** In the order in which the file's tables were created: tables that others refer to come first. */
async function sharedTables(options: {
  source: Store<Tables>;
  target: Store<Tables>;
  store: string;
}): Promise<Shared[]> {
  const { source, target, store } = options;
  const [ofSource, ofTarget] = [await tablesOf(source, store), await tablesOf(target, store)];
  const inOrder = source.kind === "sqlite" ? ofSource : ofTarget;
  return [...inOrder.keys()].flatMap((name) => {
    const [here, there] = [ofSource.get(name), ofTarget.get(name)];
    if (!here || !there) return [];
    const columns = [...here.keys()].filter((column) => there.has(column));
    return [{ name, columns, counted: columns.filter((column) => there.get(column) === true) }];
  });
}

/** Tables with their columns, and whether a column numbers its rows by itself. */
async function tablesOf({ db, kind }: Store<Tables>, store: string) {
  // The first query creates the schema.
  await sql`SELECT 1`.execute(db);
  const all = await db.introspection.getTables();
  const own = kind === "sqlite" ? all : all.filter(({ schema }) => schema === schemaOf(store));
  const tables = own.map(({ name, columns }) => {
    const named = columns.map((each) => [each.name, each.isAutoIncrementing] as const);
    return [name, new Map(named)] as const;
  });
  if (kind === "postgres") return new Map(tables);
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid`.execute(db);
  const byName = new Map(tables);
  return new Map(
    rows.flatMap(({ name }) => {
      const columns = byName.get(name);
      return columns ? [[name, columns] as const] : [];
    }),
  );
}

async function copyTable(options: {
  source: Store<Tables>;
  db: Kysely<Tables>;
  table: Shared;
}): Promise<void> {
  const { source, db, table } = options;
  for await (const rows of pages(source.db, table)) {
    await db.insertInto(table.name).values(rows.map(withBuffers)).execute();
  }
}

function withBuffers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, asBuffer(value)]),
  );
}

/** Ordered by all columns, which is a total order because no two rows of a store are alike. */
async function* pages(db: Kysely<Tables>, { name, columns }: Shared): AsyncGenerator<Row[]> {
  for (let offset = 0; ; offset += PAGE) {
    let query = db.selectFrom(name).select(columns);
    for (const column of columns) query = query.orderBy(sql.ref(column));
    const rows = await query.limit(PAGE).offset(offset).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
  }
}

/** The hashes of the rows are sorted here, because databases sort texts differently. */
async function contentOf(db: Kysely<Tables>, table: Shared): Promise<Content> {
  const hashes: string[] = [];
  for await (const rows of pages(db, table)) {
    for (const row of rows) hashes.push(contentHash([row]).hash);
  }
  return contentHash(hashes.toSorted().map((hash) => ({ hash })));
}

/** New rows are numbered from after the greatest number that was copied. */
async function countOn(options: { db: Kysely<Tables>; table: Shared; store: string }) {
  const { db, table, store } = options;
  const named = `${schemaOf(store)}.${table.name}`;
  for (const column of table.counted) {
    const greatest = sql`(SELECT coalesce(max(${sql.ref(column)}), 0) + 1 FROM ${sql.table(named)})`;
    await sql`SELECT setval(pg_get_serial_sequence(${named}, ${column}), ${greatest}, false)`.execute(
      db,
    );
  }
}
