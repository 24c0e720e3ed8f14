import { expect, it, onTestFinished } from "vitest";
import { openWorkspace } from "../../home/workspace.js";
import { deleteOldThreads } from "../../server/runs/retention.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import { type DataPlace, openStore } from "../../storage/database.js";
import { inEachHome } from "../fakes/homes.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { echoModel, importInto, serveHere } from "./support.js";

const DAY_MS = 86_400_000;

/** A server with threads of different ages, the oldest first; the last one is at work. */
async function served(place: DataPlace) {
  await importInto(place);
  const { client } = await serveHere(place);
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  onTestFinished(() => data.close());
  const workspace = openWorkspace({ home: place.home, database: place.url });
  const threads: string[] = [];
  const call = { calls: [{ name: "double_number", args: { value: 21 } }] };
  for (const age of [40, 20, 10]) {
    const { thread_id } = await client.threads.create();
    const context = { ...TEST_LIBRARY, model: scriptedModel([call, { stop: "It is 42." }]).spec };
    await client.runs.wait(thread_id, "naive_tool", { input: { request: "Double 21" }, context });
    await aged(thread_id, age);
    threads.push(thread_id);
  }
  const { context, gate } = echoModel();
  const { thread_id: busy } = await client.threads.create();
  const { run_id } = await client.runs.create(busy, "base", {
    input: { request: "wait" },
    context,
  });
  await gate.arrived;
  await aged(busy, 50);
  async function aged(threadId: string, days: number) {
    const then = Math.floor(await data.now()) - days * DAY_MS;
    const old = data.db.updateTable("threads").set({ updated_at: then });
    await old.where("thread_id", "=", threadId).execute();
  }
  return {
    threads,
    /** Deletes what is kept no longer. @returns the threads that are left of those not at work */
    prune: async (retention: { days?: number; perOwner?: number }) => {
      await deleteOldThreads({ data, workspace }, retention);
      const left = (await client.threads.search({ limit: 10 })).map(({ thread_id }) => thread_id);
      expect(left).toContain(busy);
      return threads.filter((thread) => left.includes(thread));
    },
    calls: (thread: string) => workspace.runtime.journal.calls(thread),
    end: async () => {
      gate.open();
      return await client.runs.join(busy, run_id);
    },
  };
}

inEachHome("the retention of a server", (newPlace) => {
  it("deletes threads by their age, with their calls, but none at work", async () => {
    const { threads, prune, calls, end } = await served(await newPlace());
    const [oldest = ""] = threads;
    expect(await calls(oldest)).toHaveLength(1);
    expect(await prune({})).toEqual(threads);
    expect(await prune({ days: 30 })).toEqual(threads.slice(1));
    expect(await calls(oldest)).toEqual([]);
    expect(await end()).toMatchObject({ answer: "You said wait." });
  });

  it("keeps the newest of each owner", async () => {
    const { threads, prune, end } = await served(await newPlace());
    expect(await prune({ perOwner: 2 })).toEqual(threads.slice(1));
    await end();
  });
});
