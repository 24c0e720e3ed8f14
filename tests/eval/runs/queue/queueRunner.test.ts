import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type RunQueue, jobsOf, openQueue } from "../../../../eval/runs/queue/openQueue.js";
import { queueRunner } from "../../../../eval/runs/queue/queueRunner.js";
import { endOf, type RunRequest, type RunState } from "../../../../eval/runs/runner.js";
import type { Usage } from "../../../../state/state.js";
import { hasPostgres, newDatabase, newHome } from "../../../fakes/homes.js";
import { solvedState } from "../support.js";

const LEASE_SECONDS = 1;

/** A queue, and a worker that does what the test says. */
async function place() {
  const url = await newDatabase();
  const queue = await openQueue(url);
  onTestFinished(queue.close);
  const home = newHome();
  const setup = { benchmark: "b", libraries: [], settings: [], leaseSeconds: LEASE_SECONDS };
  const distribute = (through = queue) =>
    queueRunner({ queue: through, experiment: "e", setup, home, capped: false });
  return { url, queue, distribute };
}

async function sessionOf({ store }: RunQueue): Promise<string> {
  const { id } = await store.db.selectFrom("sessions").select("id").executeTakeFirstOrThrow();
  return id;
}

/** Takes the next run, waiting for it. */
async function take({ queue }: { queue: RunQueue }) {
  const session = await sessionOf(queue);
  while (true) {
    const [job] = await queue.boss.fetch<{ request: string }>(jobsOf(session), {
      includeMetadata: true,
      batchSize: 1,
    });
    if (job === undefined) {
      await pause(50);
      continue;
    }
    const held = { id: job.id, takenBefore: job.retryCount };
    return {
      held,
      session,
      request: JSON.parse(job.data.request) as RunRequest,
      finish: async (state: RunState) => {
        const result = JSON.stringify(await endOf(async () => state));
        await queue.leases.finish({ queue: jobsOf(session), session, job: held, result });
      },
    };
  }
}

function requestOf(threadKey: string, changes: Partial<RunRequest> = {}): RunRequest {
  return {
    graph: "base",
    threadKey,
    request: `What about ${threadKey}?`,
    settings: { topK: 3, model: "offline:planner" },
    signal: new AbortController().signal,
    ...changes,
  };
}

describe.skipIf(!hasPostgres)("runs through a queue", { timeout: 120_000 }, () => {
  it("come back as their worker has made them: long ones, odd characters, keys in their order", async () => {
    const { queue, distribute } = await place();
    const runner = await distribute();
    const run = runner.run(requestOf("one"));
    const { request, finish } = await take({ queue });
    expect(request).toMatchObject({ threadKey: "one", request: "What about one?" });
    expect(Object.keys(request.settings)).toEqual(["topK", "model"]);
    const args = { zebra: 1, a: "\u0000 \ud800 'quoted' \\u0000", text: "x".repeat(8_000_000) };
    const calls = [{ id: "1", tool: "t", args, ms: 1, cost: 0 }];
    await finish(solvedState({ values: { status: "solved", answer: "ä", calls } }));
    const { values } = await run;
    expect(JSON.stringify(values.calls)).toBe(JSON.stringify(calls));
    await runner.close();
  });

  it("tell what they use while they are under way", async () => {
    const { queue, distribute } = await place();
    const runner = await distribute();
    const told: Usage[] = [];
    const run = runner.run(requestOf("one", { onUsage: (usage) => void told.push(usage) }));
    const { held, session, finish } = await take({ queue });
    const usage = JSON.stringify({ modelCalls: 7 });
    await queue.store.db
      .insertInto("reports")
      .values({ session, job: held.id, usage, result: null, taken: false })
      .execute();
    while (told.length === 0) await pause(20);
    await finish(solvedState());
    await run;
    expect(told[0]).toEqual({ modelCalls: 7 });
    await runner.close();
  });

  it("go to another worker when theirs is not heard of, whose result then counts, once", async () => {
    const { queue, distribute } = await place();
    const runner = await distribute();
    const run = runner.run(requestOf("one"));
    const dead = await take({ queue });
    const second = await take({ queue });
    expect(second.held).toEqual({ id: dead.held.id, takenBefore: 1 });
    // It was only slow, and does not know that another worker has the run.
    await dead.finish(solvedState({ values: { answer: "of the dead" } }));
    await second.finish(solvedState({ values: { answer: "of the living" } }));
    await dead.finish(solvedState({ values: { answer: "of the dead" } }));
    expect((await run).values.answer).toBe("of the living");
    await runner.close();
  });

  it("stay with a worker that renews its lease, and wait for the next one when it gives them back", async () => {
    const { queue, distribute } = await place();
    const runner = await distribute();
    const run = runner.run(requestOf("one"));
    const { held, session } = await take({ queue });
    for (let beat = 0; beat < 8; beat += 1) {
      await pause((LEASE_SECONDS * 1000) / 4);
      expect(await queue.leases.renew(jobsOf(session), [held])).toEqual(new Set([held.id]));
    }
    await queue.leases.giveBack(jobsOf(session), [held]);
    const next = await take({ queue });
    expect(next.held).toEqual(held);
    await next.finish(solvedState());
    await run;
    await runner.close();
  });

  it("end with an error when every worker dies of them", async () => {
    const { queue, distribute } = await place();
    const runner = await distribute();
    const run = runner.run(requestOf("poison"));
    for (let taken = 0; taken < 5; taken += 1) await take({ queue });
    expect((await run).failure).toEqual(new Error("5 workers ended while they made this run"));
    await runner.close();
  });

  it("outlive the process that waits for them: the next one has the results, and asks nobody again", async () => {
    const { url, queue, distribute } = await place();
    const dying = await openQueue(url);
    const killed = (await distribute(dying)).run(requestOf("one"));
    const first = await take({ queue });
    await dying.close();
    await expect(killed).rejects.toThrow("destroyed");
    await first.finish(solvedState({ values: { answer: "first" } }));
    const runner = await distribute();
    const [one, two] = [runner.run(requestOf("one")), runner.run(requestOf("two"))];
    expect((await one).values.answer).toBe("first");
    const second = await take({ queue });
    expect(second.request.threadKey).toBe("two");
    await second.finish(solvedState());
    await two;
    await runner.close();
    expect(await queue.store.db.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });
});
