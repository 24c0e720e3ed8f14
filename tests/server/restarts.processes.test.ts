import { randomUUID } from "node:crypto";
import { Client as Database } from "pg";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makePlaces } from "../../server/runs/capacity.js";
import { openQueue } from "../../server/runs/queue.js";
import type { RunOrder } from "../../server/runs/runRow.js";
import { openSignals } from "../../server/runs/signals.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import { type DataPlace, openStore } from "../../storage/database.js";
import { hasPostgres, inEachHome, newDatabase, newHome } from "../fakes/homes.js";
import { hurry } from "../fakes/hurriedTime.js";
import { echoModel, serveHere } from "./support.js";

// How often a server looks for runs.
beforeAll(() => hurry([1_000, 1_000], 20));

const WORKER = "worker";

const ORDER: RunOrder = {
  actor: "",
  graph_id: "tulip",
  config: { configurable: {} },
  context: {},
  stream_mode: ["values"],
  subgraphs: false,
  is_streamed: false,
};

/** The runs of a home as a process that takes them sees them, and a way to change one behind its back. */
function runsOf(place: DataPlace) {
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  const signals = openSignals({ data, url: place.url });
  onTestFinished(async () => {
    await signals.close();
    await data.close();
  });
  const of = { data, signals, worker: WORKER, leaseMs: 30_000 };
  const change = async (runId: string, changes: Partial<ServerTables["runs"]>) =>
    void (await data.db.updateTable("runs").set(changes).where("run_id", "=", runId).execute());
  const find = async (runId: string) =>
    await data.db
      .selectFrom("runs")
      .selectAll()
      .where("run_id", "=", runId)
      .executeTakeFirstOrThrow();
  const put = async () => {
    const run_id = randomUUID();
    const names = { run_id, thread_id: randomUUID(), assistant_id: "a", owner: "o", caller: "" };
    const how = { metadata: "{}", multitask_strategy: "reject", is_stateless: 0 };
    const thread = { metadata: {}, config: {} };
    const run = { ...names, ...how, request_id: run_id };
    await queue.put({
      run,
      order: ORDER,
      afterSeconds: 0,
      thread,
      isThread: "new",
      owner: undefined,
    });
    return run_id;
  };
  // Nothing begins at once: the tests take what is queued.
  const queue = openQueue({ ...of, places: makePlaces(0) });
  return { data, queue, put, find, change };
}

inEachHome("the queue of runs", (newPlace) => {
  it("gives a run whose process has died to another one as soon as its lease has run out, however often it was started", async () => {
    const { data, queue, put, change } = runsOf(await newPlace());
    const runId = await put();
    for (const attempts of [1, 2, 7]) {
      const lease = { status: "running", lease_owner: "dead", attempts };
      await change(runId, { ...lease, lease_until: (await data.now()) + 30_000 });
      expect(await queue.take(1)).toEqual([]);
      await change(runId, { ...lease, lease_until: (await data.now()) - 1 });
      expect(await queue.take(1)).toMatchObject([
        { attempts: attempts + 1, hasBegun: true, isTakenOver: true },
      ]);
    }
  });

  it("counts a run that is given back, and starts it after a pause", async () => {
    const { data, queue, put, find } = runsOf(await newPlace());
    const runId = await put();
    expect(await queue.take(1)).toMatchObject([{ attempts: 1 }]);
    await queue.giveBack({ runId, attempt: 1, isCounted: true, pauseMs: 1_000 });
    const { due_at, ...run } = await find(runId);
    expect(run).toMatchObject({ status: "pending", attempts: 1 });
    expect(due_at).toBeGreaterThan(await data.now());
    expect(await queue.take(1)).toEqual([]);
  });

  it("leaves a run to others at once, and does not count it, if its process closes", async () => {
    const { queue, put } = runsOf(await newPlace());
    const runId = await put();
    await queue.take(1);
    await queue.giveBack({ runId, attempt: 1, isCounted: false, pauseMs: 0 });
    expect(await queue.take(1)).toMatchObject([{ attempts: 1, hasBegun: true }]);
  });
});

inEachHome("a run whose starts have failed", (newPlace) => {
  it.each([
    ["goes on if one of the last five has got it further", 7, { status: "success" }],
    ["ends with an error that says so if none of them has", 8, { status: "error" }],
  ])("%s", async (_what, attempts, ended) => {
    const place = await newPlace();
    const { client } = await serveHere(place);
    const { change, find } = runsOf(place);
    const { context, gate } = echoModel();
    const { thread_id } = await client.threads.create();
    const how = { input: { request: "wait" }, context, afterSeconds: 3_600 };
    const { run_id } = await client.runs.create(thread_id, "base", how);
    // The fourth start saves a checkpoint, and asks a model that never answers.
    await change(run_id, { attempts: 3, due_at: 0 });
    await gate.arrived;
    await change(run_id, { attempts, due_at: 0, status: "pending", lease_owner: "dead" });
    await expect.poll(async () => (await find(run_id)).attempts).toBe(attempts + 1);
    gate.open();
    await client.runs.join(thread_id, run_id);
    const run = await find(run_id);
    expect(run).toMatchObject(ended);
    expect(run.error ?? "was started 5 times").toContain("was started 5 times");
  });

  it.each([
    ["is taken over at once if the last start got it further", 4, 0],
    ["waits a second if two in a row did not", 5, 1_000],
    ["waits twice as long after each further one", 7, 4_000],
  ])("%s", async (_what, attempts, pauseMs) => {
    const place = await newPlace();
    const { client } = await serveHere(place);
    const { data, change, find } = runsOf(place);
    const { context, gate } = echoModel();
    const { thread_id } = await client.threads.create();
    const how = { input: { request: "wait" }, context, afterSeconds: 3_600 };
    const { run_id } = await client.runs.create(thread_id, "base", how);
    // The fourth start saves a checkpoint.
    await change(run_id, { attempts: 3, due_at: 0 });
    await gate.arrived;
    const before = Math.floor(await data.now());
    await change(run_id, { attempts, status: "running", lease_owner: "dead", lease_until: 1 });
    const taken = () => find(run_id).then((run) => run.lease_owner !== "dead");
    await expect.poll(taken).toBe(true);
    const pause = async () => Math.max(0, (await find(run_id)).due_at - before);
    await expect.poll(pause).toBeGreaterThanOrEqual(pauseMs);
    expect((await find(run_id)).attempts).toBe(pauseMs === 0 ? attempts + 1 : attempts);
    await change(run_id, { due_at: 0 });
    gate.open();
    await client.runs.join(thread_id, run_id);
    expect(await find(run_id)).toMatchObject({ status: "success", attempts: attempts + 1 });
  });
});

describe.skipIf(!hasPostgres)("a run that can never store what it did", () => {
  it("is started five times, and ends with an error that says why", async () => {
    const place = { home: newHome(), url: await newDatabase() };
    const { client } = await serveHere(place);
    const { context } = echoModel();
    await client.runs.wait(null, "base", { input: { request: "hello" }, context });
    await refuseCheckpoints(place.url);
    const { thread_id } = await client.threads.create();
    const how = { input: { request: "hello" }, context };
    const { run_id } = await client.runs.create(thread_id, "base", how);
    const { change, find } = runsOf(place);
    const state = async () => {
      await change(run_id, { due_at: 0 });
      return (await find(run_id)).status;
    };
    await expect.poll(state).toBe("error");
    expect(await client.runs.get(thread_id, run_id)).toMatchObject({
      status: "error",
      attempts: 5,
      error: expect.stringContaining("is full, and nothing more can be stored"),
    });
  });
});

/** Makes a database refuse to store checkpoints, as if its disk had room for nothing so large. */
async function refuseCheckpoints(url: string): Promise<void> {
  const database = new Database({ connectionString: url });
  await database.connect();
  await database.query(`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
  END $$`);
  await database.query(
    `CREATE TRIGGER full_disk BEFORE INSERT ON tulipgraph_checkpoints.checkpoints
     EXECUTE FUNCTION public.refuse()`,
  );
  await database.end();
}
