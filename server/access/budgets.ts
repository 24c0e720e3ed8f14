import { type ExpressionBuilder, type Kysely, type Nullable, type Selectable, sql } from "kysely";
import type { Store } from "../../storage/database.js";
import { HttpProblem } from "../problem.js";
import type { ServerTables } from "../schema.js";
import type { Policy } from "./policy.js";

/** What a run has used, told once it ends. */
export interface RunUse {
  runId: string;
  caller: string;
  modelCalls: number;
  tokens: number;
  usd?: number;
}

/** What a run may use of a caller's day. */
export interface Grant {
  /** Dollars that it may spend; undefined where the operator's file has no budget of them. */
  usd?: number;
  /** Not before this time, because the day's budget is used up; somebody may let it begin at once. */
  notBefore?: number;
}

/** What callers use of a day, in the database: all processes of a server count together. */
export interface Budgets {
  /**
   * Sets aside what a run may use.
   *
   * @param options.usd what it may spend by its own budget
   * @throws HttpProblem 402 when the day's budget is used up, 429 when the caller has too many runs, 503 when all
   * callers together have
   */
  reserve: (options: { runId: string; caller: string; usd?: number }) => Promise<Grant>;
  /** Gives back what was set aside for a run that does not come into the queue after all. */
  withdraw: (runId: string) => Promise<void>;
  /** Takes a run's use in place of what was set aside for it. */
  charge: (use: RunUse) => Promise<void>;
  /** Counts a run that waits for another day's budget to the present one. */
  release: (runId: string) => Promise<void>;
}

type Day = Selectable<ServerTables["spend"]>;

type Amounts = Pick<Day, "runs" | "tokens" | "usd">;

/** Share of a day's budget that is set aside for a run whose use nobody knows before. */
const SHARE = 0.1;

/** Dollars that are worth a run; what is less is left over by rounding. */
const SMALLEST_USD = 1e-6;

/** How long an admitted run may take to come into the queue, in milliseconds. */
const COMING_MS = 60_000;

const DAY_MS = 86_400_000;

/** Seconds after which it may be tried again where too many runs are open. */
const RETRY_SECONDS = 5;

/** The row that is locked where all callers are counted together; no caller has this name. */
const ALL = { caller: "*", day: "" };

/** Opens the budgets of an operator's file. Without any, runs are only counted as they are charged. */
export function openBudgets(options: {
  data: Store<ServerTables>;
  policy: Pick<Policy, "budgets" | "runs">;
}): Budgets {
  const { data, policy } = options;
  const { perCaller, inAll } = policy.runs;
  const isBounded = policy.budgets !== undefined || perCaller !== undefined || inAll !== undefined;
  return {
    reserve: async (run) => (isBounded ? await reserve({ data, policy, run }) : {}),
    withdraw: async (runId) => {
      if (!isBounded) return;
      await withHeld({
        data,
        runId,
        work: async (db, held) => held && (await giveBack({ db, held, hasBegun: false })),
      });
    },
    charge: (use) => charge({ data, use }),
    release: (runId) => release({ data, runId }),
  };
}

interface Reserving {
  data: Store<ServerTables>;
  policy: Pick<Policy, "budgets" | "runs">;
  run: { runId: string; caller: string; usd?: number };
}

async function reserve({ data, policy, run }: Reserving): Promise<Grant> {
  const now = Math.floor(await data.now());
  const { caller } = run;
  return await data.transaction(async (db) => {
    // Always in this order, so that no two wait for each other.
    if (policy.runs.inAll !== undefined) await lockedDay({ data, db, ...ALL });
    await lockedDay({ data, db, caller, day: dayOf(now) });
    await settleLost({ db, now, caller });
    const today = await lockedDay({ data, db, caller, day: dayOf(now) });
    await requireRoom({ db, now, policy, caller });
    const { budgets } = policy;
    const isLeft = !budgets || hasLeft(budgets, today);
    if (isLeft) return await setAside({ db, run, budgets, row: today, now });
    const tomorrow = await lockedDay({ data, db, caller, day: dayOf(now + DAY_MS) });
    if (budgets.whenUsedUp === "refuse" || !hasLeft(budgets, tomorrow)) {
      throw usedUp({ budgets, today, now });
    }
    const grant = await setAside({ db, run, budgets, row: tomorrow, now });
    return { ...grant, notBefore: endOfDay(now) };
  });
}

type DayBudget = NonNullable<Policy["budgets"]>;

function hasLeft(budgets: DayBudget, row: Day): boolean {
  const { runs, tokens, usd } = budgets;
  if (runs !== undefined && row.runs >= runs) return false;
  if (tokens !== undefined && row.tokens >= tokens) return false;
  return usd === undefined || usd - row.usd >= SMALLEST_USD;
}

/** Sets aside what a run may use: what it asks for, else a share of the day, and no more than there is left. */
async function setAside(options: {
  db: Kysely<ServerTables>;
  run: Reserving["run"];
  budgets: DayBudget | undefined;
  row: Day;
  now: number;
}): Promise<Grant> {
  const { db, run, budgets, row, now } = options;
  const part = (what: "tokens" | "usd", asked?: number) => {
    const whole = budgets?.[what];
    return whole === undefined ? 0 : Math.min(asked ?? whole * SHARE, whole - row[what]);
  };
  const amounts = { tokens: Math.ceil(part("tokens")), usd: part("usd", run.usd) };
  const { caller, day } = row;
  await add({ db, caller, day, amounts: { ...amounts, runs: 1, model_calls: 0 } });
  await db
    .insertInto("reservations")
    .values({ run_id: run.runId, caller, day, created_at: now, ...amounts })
    .execute();
  return budgets?.usd === undefined ? {} : { usd: amounts.usd };
}

/** @throws HttpProblem 429 or 503 when as many runs are open as may be */
async function requireRoom(options: {
  db: Kysely<ServerTables>;
  now: number;
  policy: Reserving["policy"];
  caller: string;
}): Promise<void> {
  const { db, now, policy, caller } = options;
  const { perCaller, inAll } = policy.runs;
  const open = reservations(db).where((row) => row.not(isLost(row, now)));
  const count = async (query: typeof open) => (await query.execute()).length;
  if (perCaller !== undefined) {
    const own = await count(open.where("reservations.caller", "=", caller));
    if (own >= perCaller) throw crowded({ status: 429, whose: "the caller has", most: perCaller });
  }
  if (inAll !== undefined && (await count(open)) >= inAll) {
    throw crowded({ status: 503, whose: "the server has", most: inAll });
  }
}

function crowded({
  status,
  whose,
  most,
}: {
  status: 429 | 503;
  whose: string;
  most: number;
}): HttpProblem {
  return new HttpProblem({
    status,
    problem: `${whose} ${most} runs that run or wait, as many as may be`,
    hint: "Try again when one has ended",
    retryAfter: RETRY_SECONDS,
  });
}

/** What is set aside, with the runs that it is for. */
function reservations(db: Kysely<ServerTables>) {
  return db
    .selectFrom("reservations")
    .leftJoin("runs", "runs.run_id", "reservations.run_id")
    .select(["reservations.run_id", "reservations.day", "reservations.caller"])
    .select(["reservations.tokens", "reservations.usd", "runs.lease_owner"]);
}

/** Whether a run never came into the queue, or has left it, and was not charged in time. */
function isLost(
  row: ExpressionBuilder<
    ServerTables & { runs: Nullable<ServerTables["runs"]> },
    "reservations" | "runs"
  >,
  now: number,
) {
  const latest = now - COMING_MS;
  const isGone = row("runs.run_id", "is", null).and("reservations.created_at", "<", latest);
  // Where there is no run, its columns are neither equal to anything nor different.
  const hasEnded = row("runs.run_id", "is not", null)
    .and("runs.status", "not in", ["pending", "running"])
    .and("runs.updated_at", "<", latest);
  return row.or([isGone, hasEnded]);
}

/**
 * Settles what was set aside for runs that end without being charged: one that never began has used nothing, and one
 * whose process died behind its last step is taken to have used all of it.
 */
async function settleLost({
  db,
  now,
  caller,
}: {
  db: Kysely<ServerTables>;
  now: number;
  caller: string;
}): Promise<void> {
  const lost = await reservations(db)
    .where("reservations.caller", "=", caller)
    .where((row) => isLost(row, now))
    .execute();
  for (const held of lost) await giveBack({ db, held, hasBegun: held.lease_owner !== null });
}

type Held = Pick<
  Selectable<ServerTables["reservations"]>,
  "run_id" | "caller" | "day" | "tokens" | "usd"
>;

async function giveBack(options: {
  db: Kysely<ServerTables>;
  held: Held;
  hasBegun: boolean;
}): Promise<void> {
  const { db, held, hasBegun } = options;
  const { run_id, caller, day, tokens, usd } = held;
  const gone = await db
    .deleteFrom("reservations")
    .where("run_id", "=", run_id)
    .returning("run_id")
    .execute();
  if (gone.length === 0 || hasBegun) return;
  await add({ db, caller, day, amounts: { runs: -1, model_calls: 0, tokens: -tokens, usd: -usd } });
}

/** The row of the day is locked before what is set aside of it, here as in all that does both. */
async function withHeld<Result>(options: {
  data: Store<ServerTables>;
  runId: string;
  work: (db: Kysely<ServerTables>, held: Held | undefined) => Promise<Result>;
}): Promise<Result> {
  const { data, runId, work } = options;
  return await data.transaction(async (db) => {
    const find = () =>
      db.selectFrom("reservations").selectAll().where("run_id", "=", runId).executeTakeFirst();
    const held = await find();
    if (held) await lockedDay({ data, db, caller: held.caller, day: held.day });
    return await work(db, held && (await find()));
  });
}

async function charge({ data, use }: { data: Store<ServerTables>; use: RunUse }): Promise<void> {
  const { runId, modelCalls, tokens, usd = 0 } = use;
  const today = dayOf(await data.now());
  await withHeld({
    data,
    runId,
    work: async (db, held) => {
      await db.deleteFrom("reservations").where("run_id", "=", runId).execute();
      const { caller, day } = held ?? { caller: use.caller, day: today };
      const amounts = {
        runs: held ? 0 : 1,
        model_calls: modelCalls,
        tokens: tokens - (held?.tokens ?? 0),
        usd: usd - (held?.usd ?? 0),
      };
      await add({ db, caller, day, amounts });
    },
  });
}

async function release({
  data,
  runId,
}: {
  data: Store<ServerTables>;
  runId: string;
}): Promise<void> {
  const today = dayOf(await data.now());
  await withHeld({
    data,
    runId,
    work: async (db, held) => {
      if (!held || held.day <= today) return;
      const { caller, tokens, usd } = held;
      await giveBack({ db, held, hasBegun: false });
      await add({ db, caller, day: today, amounts: { runs: 1, model_calls: 0, tokens, usd } });
      const row = { ...held, day: today, created_at: Math.floor(await data.now()) };
      await db.insertInto("reservations").values(row).execute();
    },
  });
}

/** The row of a caller's day, which nobody else changes until the transaction ends. */
async function lockedDay(options: {
  data: Store<ServerTables>;
  db: Kysely<ServerTables>;
  caller: string;
  day: string;
}): Promise<Day> {
  const { data, db, caller, day } = options;
  await add({ db, caller, day, amounts: { runs: 0, model_calls: 0, tokens: 0, usd: 0 } });
  return await db
    .selectFrom("spend")
    .selectAll()
    .where("caller", "=", caller)
    .where("day", "=", day)
    // On SQLite a write transaction has the whole file.
    .$if(data.kind === "postgres", (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
}

async function add(options: {
  db: Kysely<ServerTables>;
  caller: string;
  day: string;
  amounts: Amounts & Pick<Day, "model_calls">;
}): Promise<void> {
  const { db, caller, day, amounts } = options;
  const nothing = { runs: 0, model_calls: 0, tokens: 0, usd: 0 };
  await db
    .insertInto("spend")
    .values({ caller, day, ...nothing })
    .onConflict((row) => row.columns(["caller", "day"]).doNothing())
    .execute();
  await db
    .updateTable("spend")
    .set({
      runs: sql`runs + ${amounts.runs}`,
      model_calls: sql`model_calls + ${amounts.model_calls}`,
      tokens: sql`tokens + ${amounts.tokens}`,
      usd: sql`usd + ${amounts.usd}`,
    })
    .where("caller", "=", caller)
    .where("day", "=", day)
    .execute();
}

function usedUp(options: { budgets: DayBudget; today: Day; now: number }): HttpProblem {
  const { budgets, today, now } = options;
  const left = (["runs", "tokens", "usd"] as const).flatMap((what) => {
    const whole = budgets[what];
    if (whole === undefined) return [];
    const rest = Math.max(0, whole - today[what]);
    return what === "usd" ? [`$${rest.toFixed(4)} of $${whole}`] : [`${rest} of ${whole} ${what}`];
  });
  const end = endOfDay(now);
  return new HttpProblem({
    status: 402,
    problem: `the day's budget is used up: ${left.join(", ")} left`,
    hint: `It is renewed at ${new Date(end).toISOString().slice(0, 16)}Z`,
    retryAfter: Math.ceil((end - now) / 1000),
  });
}

/** The day (UTC) to which what is spent at a time is counted. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function endOfDay(time: number): number {
  return (Math.floor(time / DAY_MS) + 1) * DAY_MS;
}
