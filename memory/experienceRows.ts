import { join } from "node:path";
import { isAway } from "../storage/away.js";
import { type DataPlace, fileFolder, openStore, type Store } from "../storage/database.js";
import { sql } from "../storage/kysely.js";
import { persistently } from "../storage/persistently.js";
import { closedStore, type Database, openDatabase } from "../storage/sqlite.js";
import { EXPERIENCE_MIGRATIONS, EXPERIENCE_STORE } from "./experienceMigrations.js";

/** A past call or a demonstration. */
export interface Entry {
  kind: "call" | "demonstration";
  /** Entries with the same id are the same. */
  id: string;
  /** As JSON. */
  content: string;
}

/** Adds entries to a file, in a write transaction of it. */
type AddEntries = (database: Database, entries: readonly Entry[]) => { added: number };

/** The rows of experience, which are read from a file. */
export interface ExperienceRows {
  file: string;
  isOpen: () => boolean;
  database: Database;
  /** Brings what others have added into the file, unless the database was asked within the last second. */
  refresh: () => Promise<void>;
  /** Adds entries, all or none, and counts those that are new. */
  add: (entries: readonly Entry[]) => Promise<{ added: number; known: number }>;
  close: () => Promise<void>;
}

/**
 * Opens the experience of a home: the file `memory.db`. With a database, entries are rows there, which are only ever
 * added; the file is a copy that each home extends by the rows after the last one it has.
 */
export function openExperienceRows(place: DataPlace, load: () => Promise<AddEntries>) {
  const file = join(fileFolder(place), "memory.db");
  const database = openDatabase({ file, migrations: EXPERIENCE_MIGRATIONS });
  const rows = { file, database, isOpen: () => database.open };
  const addHere = async (entries: readonly Entry[]) => {
    const add = await load();
    return requireOpen(rows)
      .transaction(() => add(database, entries))
      .immediate();
  };
  const access = place.url === undefined ? undefined : followed(place, rows, load);
  return {
    ...rows,
    refresh: access?.refresh ?? (async () => undefined),
    add: async (entries) => {
      const { added } = await (access?.add ?? addHere)(entries);
      return { added, known: entries.length - added };
    },
    close: async () => {
      database.close();
      await access?.close();
    },
  } satisfies ExperienceRows;
}

type Rows = Pick<ExperienceRows, "file" | "database">;

function requireOpen({ database, file }: Rows): Database {
  if (database.open) return database;
  throw closedStore(file);
}

interface EntryTables {
  entries: Entry & { number: number };
}

/** How old the file may be when it is read, in milliseconds. */
const FRESH_MS = 1_000;

/** Entries sent or fetched at once. */
const PAGE = 1_000;

/** First half of the key of an advisory lock; any fixed number. */
const ENTRY_LOCK = 7_158_548;

/** Entries in Postgres, and the file that follows them. */
function followed(place: DataPlace, rows: Rows, load: () => Promise<AddEntries>) {
  const { database } = rows;
  database.exec(
    `CREATE TABLE IF NOT EXISTS followed (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1), number INTEGER NOT NULL, id TEXT NOT NULL
    ) STRICT`,
  );
  const store = openStore<Pick<EntryTables, "entries">>({
    place,
    store: "memory",
    migrations: EXPERIENCE_STORE,
  });
  let askedAt = -Infinity;
  const catchUp = async () => {
    const begun = performance.now();
    const add = await load();
    while (await followPage({ store, rows, add }));
    askedAt = begun;
  };
  return {
    refresh: async () => {
      requireOpen(rows);
      if (performance.now() - askedAt < FRESH_MS) return;
      try {
        await catchUp();
      } catch (error) {
        if (!isAway(error) || lastFollowed(database).number === 0) throw error;
        process.emitWarning(`${store.name} is away: the last known experience is used`);
        askedAt = performance.now();
      }
    },
    add: async (entries: readonly Entry[]) => {
      // What the file does not take is not sent either.
      tryOut(requireOpen(rows), await load(), entries);
      const added = await persistently(store, () => send(store, entries));
      await catchUp();
      return { added };
    },
    close: store.close,
  };
}

function tryOut(database: Database, add: AddEntries, entries: readonly Entry[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    add(database, entries);
  } finally {
    database.exec("ROLLBACK");
  }
}

/** Adds entries in the order of their numbers: nobody sees a number before all smaller ones are there. */
async function send(store: Store<EntryTables>, entries: readonly Entry[]): Promise<number> {
  return await store.transaction(async (db) => {
    await sql`SELECT pg_advisory_xact_lock(${ENTRY_LOCK}, 0)`.execute(db);
    let added = 0;
    for (let from = 0; from < entries.length; from += PAGE) {
      const rows = await db
        .insertInto("entries")
        .columns(["kind", "id", "content"])
        .values(entries.slice(from, from + PAGE) as EntryTables["entries"][])
        .onConflict((conflict) => conflict.doNothing())
        .returning("number")
        .execute();
      added += rows.length;
    }
    return added;
  });
}

/** Copies the next entries into the file; whether there may be more. */
async function followPage(options: {
  store: Store<EntryTables>;
  rows: Rows;
  add: AddEntries;
}): Promise<boolean> {
  const { store, rows, add } = options;
  const last = lastFollowed(requireOpen(rows));
  const found = await store.db
    .selectFrom("entries")
    .selectAll()
    .where("number", ">=", last.number)
    .orderBy("number")
    .limit(PAGE)
    .execute();
  const database = requireOpen(rows);
  // After a restored backup, other entries may have these numbers.
  const isAnother = last.number > 0 && found[0]?.id !== last.id;
  const entries = last.number > 0 ? found.slice(1) : found;
  const newest = entries.at(-1);
  return database
    .transaction(() => {
      // Another process of this home may have been faster.
      if (lastFollowed(database).number !== last.number) return true;
      if (isAnother) forgetAll(database);
      else if (newest) {
        add(database, entries);
        database
          .prepare("INSERT OR REPLACE INTO followed (only_one, number, id) VALUES (1, ?, ?)")
          .run(newest.number, newest.id);
      }
      return isAnother || found.length === PAGE;
    })
    .immediate();
}

function lastFollowed(database: Database): { number: number; id: string } {
  const last = database.prepare("SELECT number, id FROM followed").get();
  return (last as { number: number; id: string } | undefined) ?? { number: 0, id: "" };
}

function forgetAll(database: Database): void {
  const tables = ["packed_judgements", "vectors", "usages", "demonstrations", "tools", "queries"];
  for (const table of [...tables, "libraries", "followed"]) database.exec(`DELETE FROM ${table}`);
}
