import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Client } from "@langchain/langgraph-sdk";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRunEvents } from "../../server/runs/runEvents.js";
import { openSignals } from "../../server/runs/signals.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import { type DataPlace, openStore } from "../../storage/database.js";
import { StorageFailed } from "../../storage/sqlite/sqlite.js";
import { hasPostgres, inEachHome, newDatabase, newHome } from "../fakes/homes.js";
import { all, echoModel, serveHere } from "./support.js";

const HELLO = { request: "hello" };
const WAIT = { request: "wait" };
const EVENTS = 60;
const LONG = "x".repeat(1_000_000);

function openData(place: DataPlace) {
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  onTestFinished(data.close);
  return data;
}

inEachHome("a reader that stops to read", (newPlace) => {
  it("holds up neither the run nor the server's memory, and gets everything that is kept", async () => {
    const place = await newPlace();
    const { client, url } = await serveHere(place);
    const { run, publish, end } = await workElsewhere(place, client);
    const before = usedBytes();
    // Keeps the whole answer: if only its body were kept, that would be garbage-collected.
    const answer = await fetch(`${url}/threads/${run.thread_id}/runs/${run.run_id}/stream`);
    for (let count = 0; count < EVENTS; count++) await publish("values", { text: LONG, count });
    const late = client.runs.join(run.thread_id, run.run_id);
    await end();
    await late;
    const held = usedBytes() - before;
    // What waits for the reader is in the database.
    expect(held).toBeLessThan((EVENTS * LONG.length) / 2);
    const read = await answer.text();
    expect(idsIn(read)).toEqual(Array.from({ length: EVENTS }, (_, index) => index));
    const again = client.runs.joinStream(run.thread_id, run.run_id, { lastEventId: "-1" });
    expect((await all(again)).map(({ id }) => Number(id))).toEqual(idsIn(read));
  });
});

/** The ids of the events of a stream. */
function idsIn(stream: string): number[] {
  return [...stream.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}

/** A run that another process works on; the test publishes its events in that process's place. */
async function workElsewhere(place: DataPlace, client: Client) {
  const data = openData(place);
  const signals = openSignals({ data, url: place.url });
  onTestFinished(signals.close);
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "base", { input: HELLO, afterSeconds: 3_600 });
  const { run_id: runId } = run;
  const change = async (changes: { status: string; lease_until: number }) =>
    await data.db
      .updateTable("runs")
      .set({ ...changes, lease_owner: "another", attempts: 1 })
      .where("run_id", "=", runId)
      .execute();
  await change({ status: "running", lease_until: Date.now() + 3_600_000 });
  const row = await data.db
    .selectFrom("runs")
    .selectAll()
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  const log = await openRunEvents({ data, signals }).begin({
    run: { ...row, queuedMs: 0, hasBegun: false, isTakenOver: false },
    isKept: true,
    isOwn: async () => true,
  });
  return {
    run,
    publish: log.publish,
    end: async () => {
      await log.end();
      await change({ status: "success", lease_until: 0 });
      signals.send(`run:${runId}`);
    },
  };
}

inEachHome("a server of an older version", (newPlace) => {
  it("does not start on data of a newer one, and says so in one line", async () => {
    const place = await newPlace();
    const { close } = await serveHere(place);
    await close();
    await makeNewer(place);
    const failure: unknown = await serveHere(place).catch((error) => error);
    expect(failure).toBeInstanceOf(StorageFailed);
    expect((failure as Error).message).toMatch(/newer version.*Update tulipgraph/);
    expect((failure as Error).message).not.toContain("\n");
  });
});

describe.skipIf(!hasPostgres)("a server whose database is full", () => {
  it("says so, still shows its data, and goes on once there is room", async () => {
    const place = { home: newHome(), url: await newDatabase() };
    const { client, url } = await serveHere(place);
    const { context, gate } = echoModel();
    const { thread_id } = await client.threads.create();
    const run = await client.runs.create(thread_id, "base", { input: WAIT, context });
    await gate.arrived;
    const { makeRoom } = await fill(place);
    gate.open();
    const refused = await fetch(`${url}/threads`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining("full") });
    expect(await client.threads.get(thread_id)).toMatchObject({ thread_id });
    await makeRoom();
    await client.runs.join(thread_id, run.run_id);
    const ended = await client.runs.get(thread_id, run.run_id);
    expect(["success", "error"]).toContain(ended.status);
    // If the run's results could not be stored, it says so.
    expect(String(Object(ended).error ?? "full")).toMatch(/full/);
    const values = await client.runs.wait(null, "base", { input: HELLO, context });
    expect(values).toMatchObject({ answer: "You said hello." });
  });
});

/** Bytes that survive a garbage collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Marks the data as written by a future version. */
async function makeNewer(place: DataPlace): Promise<void> {
  const data = openData(place);
  const version = SERVER_MIGRATIONS.sqlite.length + 1;
  if (data.kind === "sqlite") {
    await sql.raw(`PRAGMA user_version = ${version}`).execute(data.db);
  } else {
    await sql`UPDATE tulipgraph.versions SET version = ${version} WHERE store = 'server'`.execute(
      data.db,
    );
  }
  await data.close();
}

/** Makes a database refuse to store anything, as if its disk were full. */
async function fill(place: DataPlace): Promise<{ makeRoom: () => Promise<void> }> {
  const { db } = openData(place);
  await sql`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
  END $$`.execute(db);
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname LIKE 'tulipgraph%'`.execute(db);
  for (const { name } of tables) {
    await sql
      .raw(
        `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${name} EXECUTE FUNCTION public.refuse()`,
      )
      .execute(db);
  }
  return {
    makeRoom: async () => {
      await sql`DROP FUNCTION public.refuse() CASCADE`.execute(db);
    },
  };
}
