import { sql } from "../../storage/kysely.js";
import { HttpProblem } from "../problem.js";
import type { Query, ServerStore, ServerTransaction } from "../schema.js";
import {
  NOTHING,
  type Spending,
  addedToGraph,
  dayOf,
  lockCounts,
  openReservations,
  settleLost,
  usedOn,
} from "./spending.js";
import type { Policy } from "./policy.js";
import type { Use } from "../runs/runUse.js";

/** What a run has used, reported when it ends. */
export type RunUse = Partial<Use> &
  Pick<Use, "modelCalls" | "tokens"> & {
    runId: string;
    caller: string;
    graph: string;
    library: string;
    /** When it ended, in milliseconds since 1970. */
    at: number;
  };

/** What a run may use of its caller's day: dollars and tokens, each where the operator's file has a budget in it. */
interface Grant {
  usd?: number;
  tokens?: number;
}

type DayBudget = NonNullable<Policy["budgets"]>;

/** Share of a day's budget that is set aside for a run, whose use nobody knows in advance. */
const SHARE = 0.1;

/** The smallest amount worth a run, in dollars; anything less is left over from rounding. */
const SMALLEST_USD = 1e-6;

const DAY_MS = 86_400_000;

/** `Retry-After` when too many runs are open. */
const RETRY_SECONDS = 5;

/** Under which the runs of all callers are counted; no caller has this name. */
const ALL = "*";

/**
 * Opens the budgets of an operator's file: what callers use in a day, kept in the database, so that all processes of a
 * server count together. Without any, runs are only counted when they are charged.
 */
export function openBudgets(data: ServerStore, policy: Pick<Policy, "budgets" | "runs">) {
  const { perCaller, inAll } = policy.runs;
  const isBounded = policy.budgets !== undefined || perCaller !== undefined || inAll !== undefined;
  return {
    /**
     * Sets aside what a run may use.
     *
     * @throws HttpProblem 402 if the day's budget is used up, 429 if the caller has too many runs, 503 if all callers
     * together have
     */
    reserve: async (run: Reserving["run"]): Promise<Grant> =>
      isBounded ? await reserve({ data, policy, run }) : {},
    /** Returns what was set aside for a run that is not queued after all. */
    withdraw: async (runId: string) => {
      if (isBounded) await data.db.deleteFrom("reservations").where("run_id", "=", runId).execute();
    },
    charge,
  };
}

export type Budgets = ReturnType<typeof openBudgets>;

interface Reserving {
  data: ServerStore;
  policy: Pick<Policy, "budgets" | "runs">;
  /** With the dollars that it may spend by its own budget. */
  run: { runId: string; caller: string; usd?: number };
}

async function reserve({ data, policy, run }: Reserving): Promise<Grant> {
  const now = Math.floor(await data.now());
  const { caller } = run;
  return await data.transaction(async (db) => {
    // Always locked in this order, so that no two transactions wait for each other.
    if (policy.runs.inAll !== undefined) await lockCounts(data, db, ALL);
    await lockCounts(data, db, caller);
    await settleLost(db, now, caller);
    const today = (await usedOn(db, dayOf(now), caller)).get(caller) ?? NOTHING;
    await requireRoom(db, now, policy.runs, caller);
    const { budgets } = policy;
    if (budgets && !hasLeft(budgets, today)) throw usedUp(budgets, today, now);
    return await setAside(db, run, budgets, today, now);
  });
}

function hasLeft({ runs, tokens, usd }: DayBudget, today: Spending): boolean {
  if (runs !== undefined && today.runs >= runs) return false;
  if (tokens !== undefined && today.tokens >= tokens) return false;
  return usd === undefined || usd - today.usd >= SMALLEST_USD;
}

/** Sets aside what a run asks for, or else a share of the day, but no more than is left. */
async function setAside(
  db: ServerTransaction,
  run: Reserving["run"],
  budgets: DayBudget | undefined,
  today: Spending,
  now: number,
): Promise<Grant> {
  const part = (what: "tokens" | "usd", asked?: number) => {
    const whole = budgets?.[what];
    return whole === undefined ? 0 : Math.min(asked ?? whole * SHARE, whole - today[what]);
  };
  const amounts = { tokens: Math.ceil(part("tokens")), usd: part("usd", run.usd) };
  const { runId: run_id, caller } = run;
  await db
    .insertInto("reservations")
    .values({ run_id, caller, day: dayOf(now), created_at: now, ...amounts })
    .execute();
  return {
    ...(budgets?.usd === undefined ? {} : { usd: amounts.usd }),
    ...(budgets?.tokens === undefined ? {} : { tokens: amounts.tokens }),
  };
}

/** @throws HttpProblem 429 or 503 if as many runs are open as there may be */
async function requireRoom(
  db: ServerTransaction,
  now: number,
  { perCaller, inAll }: Policy["runs"],
  caller: string,
): Promise<void> {
  const open = openReservations(db, now);
  const count = async (query: typeof open) => (await query.execute()).length;
  if (perCaller !== undefined) {
    const own = await count(open.where("reservations.caller", "=", caller));
    if (own >= perCaller) throw crowded(429, "the caller has", perCaller);
  }
  if (inAll !== undefined && (await count(open)) >= inAll)
    throw crowded(503, "the server has", inAll);
}

function crowded(status: 429 | 503, whose: string, most: number): HttpProblem {
  return new HttpProblem({
    status,
    problem: `${whose} ${most} runs that are running or queued, which is the limit`,
    hint: "Try again when one has finished",
    retryAfter: RETRY_SECONDS,
  });
}

/**
 * Charges what a run has used, in place of what was set aside for it, whose day the queries themselves look up: they may
 * be one statement.
 *
 * @returns queries, to be executed with those that end the run
 */
function charge(db: ServerTransaction, use: RunUse): Query[] {
  const { runId, caller, graph, library, modelCalls: model_calls, tokens, usd = 0, at } = use;
  const { cachedTokens: cached_tokens = 0 } = use;
  const reserved = db.selectFrom("reservations").select("day").where("run_id", "=", runId);
  const day = sql<string>`coalesce(${reserved}, ${dayOf(at)})`;
  const used = { model_calls, tokens, cached_tokens, usd };
  return [
    addedToGraph(db, { caller, day, graph, library, runs: 1, ...used }),
    db.deleteFrom("reservations").where("run_id", "=", runId),
  ];
}

function usedUp(budgets: DayBudget, today: Spending, now: number): HttpProblem {
  const left = (["runs", "tokens", "usd"] as const).flatMap((what) => {
    const whole = budgets[what];
    if (whole === undefined) return [];
    const rest = Math.max(0, whole - today[what]);
    return what === "usd" ? [`$${rest.toFixed(4)} of $${whole}`] : [`${rest} of ${whole} ${what}`];
  });
  const end = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  return new HttpProblem({
    status: 402,
    problem: `the day's budget is used up: ${left.join(", ")} left`,
    hint: `A new day begins at ${new Date(end).toISOString().slice(0, 16)}Z`,
    retryAfter: Math.ceil((end - now) / 1000),
  });
}
