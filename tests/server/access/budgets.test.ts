import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { openBudgets } from "../../../server/access/budgets.js";
import { policySchema } from "../../../server/access/policy.js";
import { usedOn } from "../../../server/access/spending.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { type DataPlace, type Store, openStore } from "../../../storage/database.js";
import { inEachHome } from "../../fakes/homes.js";
import { accessOf } from "./support.js";

const KEY = "key_1";

/** A run that has ended. */
const USED = { caller: KEY, graph: "tulip", library: "math" };

/** The budgets of a server, and its runs: admitted together with others, and ended. */
function serverOf(data: Store<ServerTables>, policy: object, now = () => Date.now()) {
  const budgets = openBudgets(data, policySchema.parse(policy));
  const admit = async (caller: string, usd?: number) => {
    const runId = randomUUID();
    const grant = await data.transaction(async (db) => {
      const granted = (await budgets.reserve(caller, usd)?.(db, now())) ?? {};
      await db
        .insertInto("runs")
        .values(rowOf(runId, caller, now(), granted))
        .execute();
      return granted;
    });
    return { runId, grant, status: 200 };
  };
  return {
    admit,
    /** Admits several runs of a caller at once, and returns what became of each. */
    admitAll: async (count: number, caller = KEY) => {
      const runs = Array.from({ length: count }, async () => {
        try {
          return await admit(caller);
        } catch (error) {
          const { status } = (error as { details: { status: number } }).details;
          return { runId: "", grant: undefined, status };
        }
      });
      return await Promise.all(runs);
    },
    /** Ends a run, which is charged with it. */
    end: async (runId: string, use: { modelCalls: number; tokens: number; usd?: number }) => {
      const charged = { ...USED, ...use, at: now() };
      await data.transaction(async (db) => {
        const run = db.updateTable("runs").set({ status: "success" });
        await run.where("run_id", "=", runId).execute();
        await budgets.charge(db, charged).execute();
      });
    },
    spent: async () => (await usedOn(data.db, now())).get(KEY),
  };
}

/** A queued run, as the server writes it. */
function rowOf(
  run_id: string,
  caller: string,
  now: number,
  { tokens, usd }: { tokens?: number; usd?: number },
) {
  const names = { run_id, thread_id: "t", assistant_id: "a", owner: "ada", caller };
  const order = { kwargs: "{}", metadata: "{}", multitask_strategy: "reject", is_stateless: 0 };
  const times = { created_at: now, updated_at: now, due_at: now, lease_until: 0 };
  const work = { status: "pending", lease_owner: null, attempts: 0, cancel: null, error: null };
  return { ...names, ...order, ...times, ...work, reserved_tokens: tokens, reserved_usd: usd };
}

const allowed = (runs: { status: number }[]) => runs.filter(({ status }) => status === 200).length;

/** A store for each, as processes have. On SQLite, two stores of one process would wait for each other. */
function twoProcesses(place: DataPlace) {
  const one = accessOf({ place });
  return [one, place.url === undefined ? one : accessOf({ place })] as const;
}

inEachHome("the budget of a day", (newPlace) => {
  const open = async (policy: object, now?: () => number) =>
    serverOf(accessOf({ place: await newPlace() }).data, policy, now);

  it("lets no more runs begin than it has, however many come at once", async () => {
    const [one, two] = twoProcesses(await newPlace());
    const policy = { budgets: { runs: 20 } };
    const [first, second] = [serverOf(one.data, policy), serverOf(two.data, policy)];
    const runs = await Promise.all([first.admitAll(25), second.admitAll(25)]);
    expect(allowed(runs.flat())).toBe(20);
    expect(new Set(runs.flat().map(({ status }) => status))).toEqual(new Set([200, 402]));
    expect(await first.spent()).toMatchObject({ runs: 20 });
  });

  it("is never overspent if runs keep to what was set aside for them", async () => {
    const { admitAll, end, spent } = await open({ budgets: { usd: 1 } });
    const runs = await admitAll(50);
    expect(allowed(runs)).toBe(10);
    const granted = runs.map(({ grant }) => grant?.usd ?? 0);
    expect(granted.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(1);
    for (const { runId, grant } of runs)
      if (grant) await end(runId, { modelCalls: 1, tokens: 5, usd: 0.02 });
    const day = await spent();
    expect(day).toMatchObject({ runs: 10, modelCalls: 10, tokens: 50 });
    expect(day?.usd).toBeCloseTo(0.2);
    expect((await admitAll(1))[0]?.grant?.usd).toBeCloseTo(0.1);
  });

  it("sets aside what a run asks for, but no more than is left", async () => {
    const { admit } = await open({ budgets: { usd: 1 } });
    expect((await admit(KEY, 0.7)).grant.usd).toBeCloseTo(0.7);
    expect((await admit(KEY, 0.7)).grant.usd).toBeCloseTo(0.3);
    await expect(admit(KEY, 0.01)).rejects.toThrow(/used up/);
  });

  it("counts tokens, separately for each caller, and starts again on the next day", async () => {
    let now = Date.parse("2026-03-01T23:00:00Z");
    const { admit, admitAll, end } = await open({ budgets: { tokens: 1000 } }, () => now);
    const [run] = await admitAll(1);
    await end(run?.runId ?? "", { modelCalls: 2, tokens: 1200 });
    await expect(admit(KEY)).rejects.toMatchObject({
      details: { status: 402, retryAfter: 3600 },
      message: expect.stringMatching(/0 of 1000 tokens left.*2026-03-02T00:00Z/),
    });
    expect(allowed(await admitAll(1, "key_2"))).toBe(1);
    now += 3_600_000;
    expect(allowed(await admitAll(1))).toBe(1);
  });

  it("has set aside nothing for a run that ended before it began", async () => {
    const { data } = accessOf({ place: await newPlace() });
    const { admitAll } = serverOf(data, { budgets: { runs: 2 } });
    const [first] = await admitAll(2);
    expect(allowed(await admitAll(1))).toBe(0);
    const run = data.db.updateTable("runs").set({ status: "interrupted" });
    await run.where("run_id", "=", first?.runId ?? "").execute();
    expect(allowed(await admitAll(1))).toBe(1);
    expect(allowed(await admitAll(1))).toBe(0);
  });

  it("keeps what was set aside for a run whose process died, until another one has ended it", async () => {
    const { data } = accessOf({ place: await newPlace() });
    const { admitAll, spent } = serverOf(data, { budgets: { usd: 1 } });
    await admitAll(2);
    await data.db.updateTable("runs").set({ status: "running", lease_owner: "p1" }).execute();
    const day = await spent();
    expect(day?.runs).toBe(2);
    expect(day?.usd).toBeCloseTo(0.2);
  });
});

inEachHome("a home of a release that kept apart what is set aside for runs", (newPlace) => {
  it("keeps that with its open runs", async () => {
    const place = await newPlace();
    // The steps until then.
    const sqlite = SERVER_MIGRATIONS.sqlite.slice(0, 6);
    const migrations = { sqlite, postgres: SERVER_MIGRATIONS.postgres.slice(0, 6) };
    const before = openStore<ServerTables>({ place, store: "server", migrations });
    await before.db
      .insertInto("runs")
      .values(rowOf("r", KEY, Date.now(), {}))
      .execute();
    const aside = { run_id: "r", caller: KEY, day: "", tokens: 7, usd: 0.5, created_at: 0 };
    const earlier = before.db as unknown as Kysely<{ reservations: typeof aside }>;
    await earlier.insertInto("reservations").values(aside).execute();
    await before.close();
    const { spent } = serverOf(accessOf({ place }).data, {});
    expect(await spent()).toMatchObject({ runs: 1, tokens: 7, usd: 0.5 });
  });
});

inEachHome("runs that are open at once", (newPlace) => {
  it("are bounded for each caller, and for the server", async () => {
    const [one, two] = twoProcesses(await newPlace());
    const policy = { runs: { perCaller: 4, inAll: 6 } };
    const [first, second] = [serverOf(one.data, policy), serverOf(two.data, policy)];
    const own = await Promise.all([first.admitAll(5), second.admitAll(5)]);
    expect(allowed(own.flat())).toBe(4);
    expect(own.flat().some(({ status }) => status === 429)).toBe(true);
    const others = await Promise.all([1, 2, 3, 4].map((n) => second.admitAll(1, `key_o${n}`)));
    expect(allowed(others.flat())).toBe(2);
    expect(others.flat().some(({ status }) => status === 503)).toBe(true);
    const ended = own.flat().find(({ status }) => status === 200)?.runId ?? "";
    await first.end(ended, { modelCalls: 0, tokens: 0 });
    expect(allowed(await second.admitAll(1))).toBe(1);
  });
});

describe("a server without budgets", () => {
  it("counts what is spent all the same", async () => {
    const { data } = accessOf();
    const { admit, end, spent } = serverOf(data, {});
    const use = { modelCalls: 3, tokens: 7, cachedTokens: 5, usd: 0.5 };
    for (const { runId, grant } of [await admit(KEY), await admit(KEY)]) {
      expect(grant).toEqual({});
      await end(runId, use);
    }
    expect(await spent()).toMatchObject({ runs: 2, modelCalls: 6, tokens: 14, usd: 1 });
    const [graph] = await data.db.selectFrom("spend_by_graph").selectAll().execute();
    expect(graph).toMatchObject({ tokens: 14, cached_tokens: 10 });
  });
});
