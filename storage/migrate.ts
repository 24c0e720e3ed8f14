import { existsSync } from "node:fs";
import { messageOf } from "../common/errors.js";
import type { Database } from "./sqlite/libsql.js";
import { packageVersion } from "./packageRoot.js";
import { StorageFailed } from "./storageFailed.js";

/**
 * One step of a file's schema: statements, or a function for what SQL alone cannot do. Runs inside a transaction and must
 * not open one itself.
 */
export type Migration = readonly string[] | ((database: Database) => void);

/** A file, and all steps of its schema that this version knows. */
interface Migrated {
  file: string;
  database: Database;
  migrations: readonly Migration[];
}

/**
 * Brings the schema of a file up to date, in one write transaction: of several processes that open it at once, one
 * migrates, and the others find it done.
 *
 * @param options.copyTo copies a file that has tables, before it is migrated; without it, none is copied
 * @throws StorageFailed when the file is newer than the code, or cannot be copied; it stays as it is
 */
export function migrate(options: Migrated & { copyTo?: (to: string) => void }): void {
  const { file, database, migrations, copyTo } = options;
  if (userVersion(database) === migrations.length) return;
  database
    .transaction(() => {
      // Read again, because another process may have migrated the file meanwhile.
      const version = requireKnown(options);
      if (version === migrations.length) return;
      const table = database.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get();
      if (copyTo && table !== undefined) keepCopy({ file, version, copyTo });
      for (const migration of migrations.slice(version)) {
        if (typeof migration === "function") migration(database);
        else for (const statement of migration) database.exec(statement);
      }
      database.pragma(`user_version = ${migrations.length}`);
      database.pragma(`application_id = ${numberOf(packageVersion())}`);
    })
    .immediate();
}

/**
 * The number of steps that a file has had.
 *
 * @throws StorageFailed when it has had more than this version knows
 */
export function requireKnown({ file, database, migrations }: Migrated): number {
  const version = userVersion(database);
  if (version <= migrations.length) return version;
  const release = releaseOf(Number(database.pragma("application_id", { simple: true })));
  throw new StorageFailed({
    file,
    problem: `was written by a newer version (schema ${version}, this version knows ${migrations.length})`,
    hint: `${updateTo(release)}, or set TULIPGRAPH_HOME to another folder`,
  });
}

/** What to do about data of a newer release, which is named if it is known and its number is higher than this one's. */
export function updateTo(release: string | undefined): string {
  const isNewer = release !== undefined && numberOf(release) > numberOf(packageVersion());
  return isNewer ? `It needs tulipgraph ${release} or newer: update` : "Update tulipgraph";
}

/** The names of a table's columns; none if there is no such table. */
export function columnsOf(database: Database, table: string): string[] {
  const columns = database.pragma(`table_info(${table})`) as { name: string }[];
  return columns.map(({ name }) => name);
}

function userVersion(database: Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}

/**
 * Copies a file before it is migrated, as `FILE.before-N` for the schema N. While the caller holds the lock for writing,
 * nobody changes it.
 */
function keepCopy(options: { file: string; version: number; copyTo: (to: string) => void }): void {
  const { file, version, copyTo } = options;
  const to = freeName(`${file}.before-${version}`);
  try {
    copyTo(to);
  } catch (error) {
    throw new StorageFailed(
      {
        file,
        problem: `cannot be copied before it is brought up to date, and was left as it is (${messageOf(error)})`,
        hint: "Make room for a copy beside it",
      },
      { cause: error },
    );
  }
  process.stderr.write(`${file} is brought up to date; as it was, it is kept as ${to}\n`);
}

/** A copy that is there already may be the only one of what it holds. */
function freeName(name: string): string {
  let free = name;
  for (let next = 2; existsSync(free); next += 1) free = `${name}-${next}`;
  return free;
}

const PART = 1_000;

/** A release as one number, which fits what SQLite keeps in the header of a file. */
export function numberOf(release: string): number {
  const [major = 0, minor = 0, patch = 0] = release.split(/[.-]/).map(Number);
  return (major * PART + minor) * PART + patch;
}

function releaseOf(number: number): string | undefined {
  if (number <= 0) return undefined;
  return [Math.floor(number / PART / PART), Math.floor(number / PART) % PART, number % PART].join(
    ".",
  );
}
