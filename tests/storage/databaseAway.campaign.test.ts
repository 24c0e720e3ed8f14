import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAway } from "../../storage/postgres/unavailable.js";
import { StorageFailed } from "../../storage/sqlite/sqlite.js";
import type { Claim, ClaimedCall } from "../../tools/calls/journal/journal.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { journalAt } from "../fakes/journals.js";
import { type PostgresServer, startPostgres } from "../postgresServer.js";

const END = { status: "done" as const, resultJson: "1", ms: 3, cost: 2 };

function callOf(threadId: string, callId = "call") {
  return { threadId, callId, tool: "tool", args: {}, effects: "write" as const };
}

function claimedIn(claim: Claim): ClaimedCall {
  if (claim.kind !== "execute") throw new Error(`the call is ${claim.kind}`);
  return claim;
}

describe.skipIf(!hasPostgres)("calls while connections break", () => {
  it("are each claimed and ended once", async () => {
    const url = await newDatabase();
    const place = { home: newHome(), url };
    const journal = journalAt(place);
    const over = new AbortController();
    const breaking = (async () => {
      while (!over.signal.aborted) {
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
        await client.end();
        await pause(15);
      }
    })();
    const world = { name: "w", runId: "r", stateJson: "0" };
    const one = async (thread: string) => {
      for (let count = 0; count < 10; count++) {
        const claim = claimedIn(await journal.begin(callOf(thread, String(count))));
        await journal.start(claim);
        const saved = { ...world, runId: thread, revision: count };
        await journal.finish(claim, { ...END, world: saved });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, thread) => one(String(thread))));
    over.abort();
    await breaking;
    for (let thread = 0; thread < 8; thread++) {
      const calls = await journal.calls(String(thread));
      expect(calls.map(({ status }) => status)).toEqual(Array(10).fill("done"));
      const saved = await journal.world({ name: "w", runId: String(thread) });
      expect(saved?.revision).toBe(10);
    }
  });
});

describe.skipIf(!hasPostgres)("a database that goes away", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    const started = await startPostgres();
    if (!started) throw new Error("Postgres is installed");
    server = started;
  });
  afterAll(async () => {
    await server.stop();
  });

  async function breakDown(): Promise<void> {
    const ended = once(server.process, "exit");
    server.process.kill("SIGQUIT");
    await ended;
  }

  it("is waited for, and nothing under way is lost", async () => {
    const journal = journalAt({ home: newHome(), url: server.url });
    const thread = randomUUID();
    const claim = claimedIn(await journal.begin(callOf(thread)));
    await breakDown();
    const starting = journal.start(claim);
    await pause(300);
    await server.restart();
    await starting;
    await journal.finish(claim, END);
    expect((await journal.begin(callOf(thread))).kind).toBe("finished");
  });

  it("for too long ends the run with an explanation, and its write has an unknown outcome", async () => {
    const place = { home: newHome(), url: server.url };
    const journal = journalAt(place, { leaseMs: 3_000 });
    const thread = randomUUID();
    const hold = await journal.hold(thread);
    const held = { ...callOf(thread), hold: hold.token };
    const claim = claimedIn(await journal.begin(held));
    await journal.start(claim);
    await breakDown();
    const failure = await journal.finish(claim, END).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageFailed);
    expect(String(failure)).toMatch(/cannot be reached|is away/);
    expect(isAway(failure)).toBe(true);
    const releasing = hold.release();
    await server.restart();
    await releasing;
    // What this process still owed is given back with one of its next beats: it lives on.
    const next = journalAt(place);
    const holding = async () => (await next.hold(thread)).token;
    await expect.poll(() => holding().catch(() => ""), { timeout: 30_000 }).not.toBe("");
    const [entry] = await next.calls(thread);
    expect(entry?.status).toBe("started");
  });
});
