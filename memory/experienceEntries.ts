import type { Database } from "../storage/sqlite/sqlite.js";
import { EXPERIENCE_STORE, type PastCall, withoutNul, numbering } from "./experience.js";
import { canonicalJson, sha256 } from "../tools/library/records/hash.js";
import { type Demonstration, addDemonstration } from "./demonstrations/demonstrationStore.js";
import { addPastCalls, storableCall } from "./pastCalls.js";
import { isAway, persistently } from "../storage/postgres/unavailable.js";
import { type DataPlace, openStore, type Store } from "../storage/database.js";
import { sql } from "../storage/kysely.js";

/** A past call, a demonstration or an insight. */
export interface Entry {
  kind: "call" | "demonstration" | "insight";
  /** Entries with the same id are the same. */
  id: string;
  /** As JSON. */
  content: string;
}

export function entryOfCall(pastCall: PastCall): Entry {
  const call = storableCall(pastCall);
  return { kind: "call", id: call.id, content: JSON.stringify(call) };
}

/** A demonstration as an entry; the same for demonstrations that count as the same. */
export function entryOfDemonstration(demonstration: Demonstration): Entry {
  const { answer, calls, level } = demonstration;
  const stored: Demonstration = {
    ...demonstration,
    library: withoutNul(demonstration.library),
    task: withoutNul(demonstration.task),
    ...(answer !== undefined && { answer: withoutNul(answer) }),
  };
  const made = calls.map(({ tool, args }) => ({ tool, args }));
  const { library, task } = stored;
  const id = sha256(canonicalJson({ library, task, level, calls: made }));
  return { kind: "demonstration", id, content: JSON.stringify(stored) };
}

export function entryOfInsight(insight: Insight): Entry {
  const { library, text } = insight;
  const id = sha256(canonicalJson({ library, insight: text }));
  return { kind: "insight", id, content: JSON.stringify(insight) };
}

/** Adds the entries that are new to a file. Must run in a write transaction. */
export function addEntries(database: Database, entries: readonly Entry[]): number {
  const calls = entries.filter(({ kind }) => kind === "call");
  const pastCalls = calls.map(({ content }) => JSON.parse(content) as PastCall);
  let added = addPastCalls(database, pastCalls);
  for (const { kind, id, content } of entries) {
    if (kind === "insight") added += addInsight(database, id, JSON.parse(content) as Insight);
    if (kind !== "demonstration") continue;
    added += addDemonstration(database, id, JSON.parse(content) as Demonstration);
  }
  return added;
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

/** Entries in Postgres. */
export interface FollowedEntries {
  /** Brings what others have added into the file, unless the database was asked within the last second. */
  refresh: () => Promise<void>;
  /** Adds entries, all or none, and returns how many are new. */
  add: (entries: readonly Entry[]) => Promise<number>;
  close: () => Promise<void>;
}

/**
 * Makes a file follow the entries of a database, which are only ever added: it is extended by the rows after the last
 * one that it has.
 *
 * @param connect gives the file; throws once it is closed
 */
export function followEntries(place: DataPlace, connect: () => Database): FollowedEntries {
  connect().exec(
    `CREATE TABLE IF NOT EXISTS followed (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1), number INTEGER NOT NULL, id TEXT NOT NULL
    ) STRICT`,
  );
  const store = openStore<EntryTables>({ place, store: "memory", migrations: EXPERIENCE_STORE });
  let askedAt = -Infinity;
  const catchUp = async () => {
    const begun = performance.now();
    while (await followPage(store, connect));
    askedAt = begun;
  };
  return {
    refresh: async () => {
      if (performance.now() - askedAt < FRESH_MS) return;
      try {
        await catchUp();
      } catch (error) {
        if (!isAway(error) || lastFollowed(connect()).number === 0) throw error;
        process.emitWarning(`${store.name} is away: the last known experience is used`);
        askedAt = performance.now();
      }
    },
    add: async (entries) => {
      // What the file does not take is not sent either.
      tryOut(connect(), entries);
      const added = await persistently(store, () => send(store, entries));
      await catchUp();
      return added;
    },
    close: store.close,
  };
}

function tryOut(database: Database, entries: readonly Entry[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    addEntries(database, entries);
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
async function followPage(store: Store<EntryTables>, connect: () => Database): Promise<boolean> {
  const last = lastFollowed(connect());
  const found = await store.db
    .selectFrom("entries")
    .selectAll()
    .where("number", ">=", last.number)
    .orderBy("number")
    .limit(PAGE)
    .execute();
  const database = connect();
  // After a restored backup, other entries may have these numbers.
  const isAnother = last.number > 0 && found[0]?.id !== last.id;
  const entries = last.number > 0 ? found.slice(1) : found;
  const newest = entries.at(-1);
  return database
    .transaction(() => {
      // Another process of this home may have been faster.
      if (lastFollowed(database).number !== last.number) return true;
      if (isAnother) {
        const tables = "vectors usages demonstrations tools queries libraries followed".split(" ");
        for (const table of tables) database.exec(`DELETE FROM ${table}`);
      } else if (newest) {
        addEntries(database, entries);
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

/** Something that a reflection taught for later plans over the same library (ExpeL, as "AI Agent 007" uses it). */
export interface Insight {
  library: string;
  /** A cue that led to a plan that was accepted. */
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Adds an insight, unless its id is known; returns how many are new. Must run in a write transaction. */
export function addInsight(database: Database, id: string, { library, text, at }: Insight): number {
  const number = numbering(database, { table: "libraries", columns: ["name"] })(library);
  const { changes } = database
    .prepare("INSERT OR IGNORE INTO insights (id, library, text, at) VALUES (?, ?, ?, ?)")
    .run(id, number, withoutNul(text), at);
  return changes;
}

/** The latest insights of a library, oldest first. */
export function readInsights(database: Database, library: string, most: number): string[] {
  const latest = database
    .prepare(
      `SELECT text FROM insights WHERE library = (SELECT number FROM libraries WHERE name = ?)
       ORDER BY at DESC, number DESC LIMIT ?`,
    )
    .pluck()
    .all(library, most) as string[];
  return latest.toReversed();
}
