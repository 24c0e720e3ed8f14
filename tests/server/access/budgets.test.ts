import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Budgets, openBudgets } from "../../../server/access/budgets.js";
import { policySchema } from "../../../server/access/policy.js";
import { dayOf, usedOn } from "../../../server/access/spending.js";
import type { ServerTables } from "../../../server/schema.js";
import type { DataPlace, Store } from "../../../storage/database.js";
import { inEachHome } from "../../fakes/homes.js";
import { accessOf } from "./support.js";

const KEY = "key_1";

/** A run that has ended. */
const USED = { caller: KEY, graph: "tulip", library: "math" };

function budgetsOf(data: Store<ServerTables>, policy: object, clock?: () => number): Budgets {
  const now = async () => clock?.() ?? (await data.now());
  return openBudgets({ ...data, now }, policySchema.parse(policy));
}

async function charge(
  budgets: Budgets,
  { db }: Store<ServerTables>,
  use: Parameters<Budgets["charge"]>[1],
) {
  for (const query of budgets.charge(db, use)) await query.execute();
}

/** Admits several runs of a caller at once, and returns what became of each. */
async function admitted(budgets: Budgets, count: number, caller = KEY) {
  const runs = Array.from({ length: count }, async () => {
    const runId = randomUUID();
    try {
      return { runId, grant: await budgets.reserve({ runId, caller }), status: 200 };
    } catch (error) {
      const { details } = error as { details: { status: number; retryAfter?: number } };
      return { runId, grant: undefined, status: details.status };
    }
  });
  return await Promise.all(runs);
}

const allowed = (runs: { status: number }[]) => runs.filter(({ status }) => status === 200).length;

/** What a caller has used of a day, with what is set aside for its runs. */
async function spentOf({ db }: Store<ServerTables>, caller = KEY) {
  return (await usedOn(db, dayOf(Date.now()))).get(caller);
}

/** A store for each, as processes have. On SQLite, two stores of one process would wait for each other. */
function twoProcesses(place: DataPlace) {
  const one = accessOf({ place });
  return [one, place.url === undefined ? one : accessOf({ place })] as const;
}

/** A queued run, as the server writes it. */
async function queue(data: Store<ServerTables>, runId: string, row: object = {}) {
  const now = Math.floor(await data.now());
  const names = { run_id: runId, thread_id: "t", assistant_id: "a", owner: "ada", caller: KEY };
  const order = { kwargs: "{}", metadata: "{}", multitask_strategy: "reject", is_stateless: 0 };
  const times = { created_at: now, updated_at: now, due_at: now, lease_until: 0 };
  const work = { status: "pending", lease_owner: null, attempts: 0, cancel: null, error: null };
  await data.db
    .insertInto("runs")
    .values({ ...names, ...order, ...times, ...work, ...row })
    .execute();
}

inEachHome("the budget of a day", (newPlace) => {
  it("lets no more runs begin than it has, however many come at once", async () => {
    const place = await newPlace();
    const [one, two] = twoProcesses(place);
    const policy = { budgets: { runs: 20 } };
    const runs = await Promise.all([
      admitted(budgetsOf(one.data, policy), 25),
      admitted(budgetsOf(two.data, policy), 25),
    ]);
    expect(allowed(runs.flat())).toBe(20);
    expect(new Set(runs.flat().map(({ status }) => status))).toEqual(new Set([200, 402]));
    expect(await spentOf(one.data)).toMatchObject({ runs: 20 });
  });

  it("is never overspent if runs keep to what was set aside for them", async () => {
    const { data } = accessOf({ place: await newPlace() });
    const budgets = budgetsOf(data, { budgets: { usd: 1 } });
    const runs = await admitted(budgets, 50);
    expect(allowed(runs)).toBe(10);
    const granted = runs.map(({ grant }) => grant?.usd ?? 0);
    expect(granted.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(1);
    for (const { runId, grant } of runs) {
      const use = { modelCalls: 1, tokens: 5, usd: 0.02, at: Date.now() };
      if (grant) await charge(budgets, data, { runId, ...USED, ...use });
    }
    const day = await spentOf(data);
    expect(day).toMatchObject({ runs: 10, modelCalls: 10, tokens: 50 });
    expect(day?.usd).toBeCloseTo(0.2);
    expect((await admitted(budgets, 1))[0]?.grant?.usd).toBeCloseTo(0.1);
  });

  it("sets aside what a run asks for, but no more than is left", async () => {
    const { data } = accessOf({ place: await newPlace() });
    const budgets = budgetsOf(data, { budgets: { usd: 1 } });
    const ask = (usd: number) => budgets.reserve({ runId: randomUUID(), caller: KEY, usd });
    expect((await ask(0.7)).usd).toBeCloseTo(0.7);
    expect((await ask(0.7)).usd).toBeCloseTo(0.3);
    await expect(ask(0.01)).rejects.toThrow(/used up/);
  });

  it("counts tokens, separately for each caller, and starts again on the next day", async () => {
    const { data } = accessOf({ place: await newPlace() });
    let now = Date.parse("2026-03-01T23:00:00Z");
    const budgets = budgetsOf(data, { budgets: { tokens: 1000 } }, () => now);
    const [run] = await admitted(budgets, 1);
    const use = { modelCalls: 2, tokens: 1200, at: now };
    await charge(budgets, data, { runId: run?.runId ?? "", ...USED, ...use });
    await expect(budgets.reserve({ runId: "x", caller: KEY })).rejects.toMatchObject({
      details: { status: 402, retryAfter: 3600 },
      message: expect.stringMatching(/0 of 1000 tokens left.*2026-03-02T00:00Z/),
    });
    expect(allowed(await admitted(budgets, 1, "key_2"))).toBe(1);
    now += 3_600_000;
    expect(allowed(await admitted(budgets, 1))).toBe(1);
  });

  it("gives back what was set aside for a run that was never queued", async () => {
    const { data } = accessOf({ place: await newPlace() });
    let now = Date.now();
    const budgets = budgetsOf(data, { budgets: { runs: 2 } }, () => now);
    const [first] = await admitted(budgets, 2);
    expect(allowed(await admitted(budgets, 1))).toBe(0);
    await budgets.withdraw(first?.runId ?? "");
    expect(allowed(await admitted(budgets, 1))).toBe(1);
    expect(allowed(await admitted(budgets, 1))).toBe(0);
    // The server died between the admission and the queue.
    now += 61_000;
    expect(allowed(await admitted(budgets, 3))).toBe(2);
  });

  it("keeps what was set aside for a run whose process died before it was charged", async () => {
    const { data } = accessOf({ place: await newPlace() });
    let now = Date.now();
    const budgets = budgetsOf(data, { budgets: { usd: 1 } }, () => now);
    const runs = await admitted(budgets, 2);
    const [begun = "", unbegun = ""] = runs.map(({ runId }) => runId);
    await queue(data, begun, { status: "success", lease_owner: "p1" });
    await queue(data, unbegun, { status: "interrupted" });
    now += 120_000;
    await admitted(budgets, 1);
    const day = await spentOf(data);
    expect(day?.runs).toBe(2);
    expect(day?.usd).toBeCloseTo(0.2);
  });
});

inEachHome("runs that are open at once", (newPlace) => {
  it("are bounded for each caller, and for the server", async () => {
    const place = await newPlace();
    const [one, two] = twoProcesses(place);
    const policy = { runs: { perCaller: 4, inAll: 6 } };
    const [first, second] = [budgetsOf(one.data, policy), budgetsOf(two.data, policy)];
    const own = await Promise.all([admitted(first, 5), admitted(second, 5)]);
    expect(allowed(own.flat())).toBe(4);
    expect(own.flat().some(({ status }) => status === 429)).toBe(true);
    const others = await Promise.all([1, 2, 3, 4].map((n) => admitted(second, 1, `key_o${n}`)));
    expect(allowed(others.flat())).toBe(2);
    expect(others.flat().some(({ status }) => status === 503)).toBe(true);
    const ended = own.flat().find(({ status }) => status === 200)?.runId ?? "";
    const use = { modelCalls: 0, tokens: 0, at: Date.now() };
    await charge(first, one.data, { runId: ended, ...USED, ...use });
    expect(allowed(await admitted(second, 1))).toBe(1);
  });
});

describe("a server without budgets", () => {
  it("counts what is spent all the same", async () => {
    const { data } = accessOf();
    const budgets = budgetsOf(data, {});
    expect(await budgets.reserve({ runId: "r", caller: KEY })).toEqual({});
    const use = { modelCalls: 3, tokens: 7, cachedTokens: 5, usd: 0.5, at: Date.now() };
    await charge(budgets, data, { runId: "r", ...USED, ...use });
    await charge(budgets, data, { runId: "s", ...USED, ...use });
    expect(await spentOf(data)).toMatchObject({ runs: 2, modelCalls: 6, tokens: 14, usd: 1 });
    const [graph] = await data.db.selectFrom("spend_by_graph").selectAll().execute();
    expect(graph).toMatchObject({ tokens: 14, cached_tokens: 10 });
  });
});
