import type { Artefacts } from "../../../storage/artefacts/artefacts.js";
import { type DataPlace, openStore, schemaOf, type Store } from "../../../storage/database.js";
import { sql } from "../../../storage/kysely.js";
import { columnsOf } from "../../../storage/migrate.js";
import type { Database } from "../../../storage/sqlite/sqlite.js";
import type { SourceTables } from "./libraryRows.js";
import { LIBRARY_STORE, LIBRARY_TABLES, NUMBERS_EACH } from "./schema.js";

const STORE = "libraries";

type Row = Record<string, unknown>;

/** The rows of a library by table. */
type Rows = Record<string, Row[]>;

/**
 * Until the release of 2026-11-26, a database had libraries as rows. They become artefacts here, each with all that
 * belongs to it. A library that was imported anew since keeps its new form, and its old rows stay where they are.
 */
export async function takeOverRows(place: DataPlace, artefacts: Artefacts): Promise<void> {
  const store = openStore<SourceTables>({ place, store: STORE, migrations: LIBRARY_STORE });
  try {
    if (!(await hasRows(store))) return;
    const known = await artefacts.names();
    const { rows } = await sql<{ name: string; number: number }>`
      SELECT name, number FROM ${table("libraries")} WHERE name <> ALL(${known})`.execute(store.db);
    for (const { name, number } of rows) {
      const found = await readRows(store, number);
      await artefacts.write([name], (databaseOf) => insertRows(databaseOf(name), found));
      await deleteRows(store, number);
      process.stderr.write(`${store.name}: the library ${name} was brought up to date\n`);
    }
  } finally {
    await store.close();
  }
}

function table(name: string) {
  return sql.table(`${schemaOf(STORE)}.${name}`);
}

async function hasRows({ db }: Store<SourceTables>): Promise<boolean> {
  const name = `${schemaOf(STORE)}.libraries`;
  const { rows } = await sql<{ found: boolean }>`
    SELECT to_regclass(${name}) IS NOT NULL AS found`.execute(db);
  return rows[0]?.found === true;
}

const ofLibrary = (name: string, number: number) =>
  sql`${sql.ref(name === "libraries" ? "number" : "library")} = ${number}`;

async function readRows({ db }: Store<SourceTables>, number: number): Promise<Rows> {
  const found: Rows = {};
  for (const name of Object.keys(LIBRARY_TABLES)) {
    const read = sql<Row>`SELECT * FROM ${table(name)} WHERE ${ofLibrary(name, number)}`;
    found[name] = (await read.execute(db)).rows;
  }
  return found;
}

/** Others may have taken it over meanwhile. */
function insertRows(database: Database, rows: Rows): void {
  if (database.prepare("SELECT 1 FROM libraries").get()) return;
  const begun = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'libraries'");
  const number = Number(begun.pluck().get()) + 1;
  for (const [name, counter] of Object.entries(LIBRARY_TABLES)) {
    const columns = columnsOf(database, name);
    const places = columns.map(() => "?").join(", ");
    const insert = database.prepare(
      `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${places})`,
    );
    for (const row of rows[name] ?? []) {
      const renumbered: Row = { ...row, [name === "libraries" ? "number" : "library"]: number };
      if (counter !== "") renumbered[counter] = number * NUMBERS_EACH + Number(row[counter]);
      insert.run(columns.map((column) => renumbered[column] ?? null));
    }
  }
}

async function deleteRows(store: Store<SourceTables>, number: number): Promise<void> {
  await store.transaction(async (db) => {
    for (const name of Object.keys(LIBRARY_TABLES))
      await sql`DELETE FROM ${table(name)} WHERE ${ofLibrary(name, number)}`.execute(db);
  });
}
