import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../../common/errors.js";
import { type StoreMigrations, schemaOf } from "../database.js";
import { openDatabase } from "./sqlite.js";
import { StorageFailed, repairOf } from "../storageFailed.js";

/** What was found in a file, or in the tables of a store in a Postgres database. */
export interface Checked {
  /** The file, or the schema of the tables. */
  name: string;
  isSound: boolean;
  /** How many steps of its schema are done; absent if that cannot be read. */
  schema?: number;
  problems: string[];
  /** What to do about them. */
  hint?: string;
}

/** The stores of a home by name. */
export type Stores = Readonly<Record<string, StoreMigrations>>;

/** Faults of a file that are named; more of them say no more. */
const MOST_FAULTS = 10;

const NEWER = "Update tulipgraph";

/** Reads every file of a home that holds data, the copies that updates have made, and what was fetched of a database. */
export function checkFiles({ folder, stores }: { folder: string; stores: Stores }): Checked[] {
  if (!existsSync(folder)) return [];
  if (!statSync(folder).isDirectory())
    throw new StorageFailed({ file: folder, problem: "is not a folder", hint: "Name a folder" });
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return names.flatMap((name) => {
    const store = stores[basename(name, ".db")];
    if (!store && !UNCHANGING.test(name)) return [];
    return [checkFile(join(folder, name), store)];
  });
}

/** Copies, and revisions, which are named after what is in them. */
const UNCHANGING = /\.db\.before-\d+(?:-\d+)?$|\b[0-9a-f]{64}\.db$/;

/** @param migrations of the file's store; one that never changes has none */
function checkFile(file: string, migrations: StoreMigrations | undefined): Checked {
  try {
    const database = openDatabase({ file, ...(migrations ? {} : { use: "read" }) });
    try {
      const schema = Number(database.pragma("user_version", { simple: true }));
      const integrity = database.prepare(`PRAGMA integrity_check(${MOST_FAULTS})`).pluck().all();
      const faults = integrity.map(String).filter((line) => line !== "ok");
      const problems = faults.length > 0 ? faults : danglingRows(database.pragma(DANGLING));
      return verdict({ name: file, schema, migrations, problems, hint: repairOf(file) });
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    const { problem, hint } = error.details;
    return { name: file, isSound: false, problems: [problem], ...(hint !== undefined && { hint }) };
  }
}

const DANGLING = "foreign_key_check";

function danglingRows(found: unknown): string[] {
  const rows = found as { table: string; parent: string }[];
  const pairs = rows.map(({ table, parent }) => `${table} that refer to no row of ${parent}`);
  return [...new Set(pairs)].map(
    (pair) => `${pairs.filter((each) => each === pair).length} rows of ${pair}`,
  );
}

function verdict(found: {
  name: string;
  schema: number;
  migrations: StoreMigrations | undefined;
  problems: readonly string[];
  hint: string;
  kind?: keyof StoreMigrations;
}): Checked {
  const { name, schema, migrations, hint, kind = "sqlite" } = found;
  const known = migrations?.[kind].length;
  if (found.problems.length > 0)
    return { name, isSound: false, schema, problems: [...found.problems], hint };
  if (known === undefined || schema <= known) return { name, isSound: true, schema, problems: [] };
  const newer = `was written by a newer version (schema ${schema}, this version knows ${known})`;
  return { name, isSound: false, schema, problems: [newer], hint: NEWER };
}

/** Reads from every table of a Postgres database that holds data. */
export async function checkSchemas(options: { url: string; stores: Stores }): Promise<Checked[]> {
  const { url, stores } = options;
  const { borrowPool, isUsed } = await import("../postgres/postgresPool.js");
  const pool = borrowPool(url);
  const client = await pool.connect();
  try {
    if (!(await isUsed(client))) return [];
    const { rows } = await client.query<{ store: string; version: number; tables: string[] }>(
      `SELECT store, version, (SELECT coalesce(array_agg(table_name::text), '{}')
         FROM information_schema.tables WHERE table_schema = 'tulipgraph_' || store) AS tables
       FROM tulipgraph.versions ORDER BY store`,
    );
    const checked: Checked[] = [];
    for (const { store, version: schema, tables } of rows) {
      const problems: string[] = [];
      for (const table of tables) {
        const reading = client.query(`SELECT count(*) FROM ${schemaOf(store)}."${table}"`);
        await reading.catch((error: unknown) => problems.push(`${table}: ${messageOf(error)}`));
      }
      if (tables.length === 0) problems.push("has no tables, although it is listed as made");
      const hint = "Look at the database's own log, and restore a back-up if data are gone";
      const name = `${pool.name} ${schemaOf(store)}`;
      checked.push(
        verdict({ name, schema, migrations: stores[store], problems, hint, kind: "postgres" }),
      );
    }
    return checked;
  } finally {
    client.release();
    await pool.end();
  }
}
