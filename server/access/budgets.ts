import { HttpProblem } from "../problem.js";
import type { ServerStore, ServerTransaction } from "../schema.js";
import {
  DAY_MS,
  NOTHING,
  type Spending,
  addedToGraph,
  dayOf,
  lockCounts,
  usedOn,
} from "./spending.js";
import type { Policy } from "./policy.js";
import { openRuns } from "../runs/runRow.js";
import type { Use } from "../runs/runUse.js";

/** What a run has used, reported when it ends. */
type RunUse = Partial<Use> &
  Pick<Use, "modelCalls" | "tokens"> & {
    caller: string;
    graph: string;
    library: string;
    /** When it was queued, in milliseconds since 1970: the budget of that day is used. */
    at: number;
  };

/** What a run may use of its caller's day: dollars and tokens, each where the operator's file has a budget in it. */
interface Grant {
  usd?: number;
  tokens?: number;
}

/**
 * Sets aside what a run may use, in the transaction that queues it: its row says so until it ends.
 *
 * @throws HttpProblem 402 if the day's budget is used up, 429 if the caller has too many runs, 503 if all callers together
 * have
 */
export type Reserve = (db: ServerTransaction, now: number) => Promise<Grant>;

type DayBudget = NonNullable<Policy["budgets"]>;

/** Share of a day's budget that is set aside for a run, whose use nobody knows in advance. */
const SHARE = 0.1;

/** The smallest amount worth a run, in dollars; anything less is left over from rounding. */
const SMALLEST_USD = 1e-6;

/** `Retry-After` when too many runs are open. */
const RETRY_SECONDS = 5;

/** Under which the runs of all callers are counted; no caller has this name. */
const ALL = "*";

/**
 * Opens the budgets of an operator's file: what callers use in a day, kept in the database, so that all processes of a
 * server count together. Without any, runs are only counted when they are charged.
 */
export function openBudgets(
  data: ServerStore,
  { budgets, runs }: Pick<Policy, "budgets" | "runs">,
) {
  const { perCaller, inAll } = runs;
  const isBounded = budgets !== undefined || perCaller !== undefined || inAll !== undefined;
  /** @param usd that the run may spend by its own budget @returns undefined where nothing is bounded */
  const reserve = (caller: string, usd?: number): Reserve | undefined => {
    if (!isBounded) return undefined;
    return async (db, now) => {
      // Always locked in this order, so that no two transactions wait for each other.
      if (inAll !== undefined) await lockCounts(data, db, ALL);
      await lockCounts(data, db, caller);
      await requireRoom(db, runs, caller);
      const today = (await usedOn(db, now, caller)).get(caller) ?? NOTHING;
      if (budgets && !hasLeft(budgets, today)) throw usedUp(budgets, today, now);
      // What the run asks for, or else a share of the day, but no more than is left.
      const part = (what: "tokens" | "usd", asked?: number) => {
        const whole = budgets?.[what];
        return whole === undefined
          ? undefined
          : Math.min(asked ?? whole * SHARE, whole - today[what]);
      };
      const tokens = part("tokens");
      return { usd: part("usd", usd), tokens: tokens === undefined ? tokens : Math.ceil(tokens) };
    };
  };
  return { reserve, charge };
}

function hasLeft({ runs, tokens, usd }: DayBudget, today: Spending): boolean {
  if (runs !== undefined && today.runs >= runs) return false;
  if (tokens !== undefined && today.tokens >= tokens) return false;
  return usd === undefined || usd - today.usd >= SMALLEST_USD;
}

/** @throws HttpProblem 429 or 503 if as many runs are open as there may be */
async function requireRoom(
  db: ServerTransaction,
  { perCaller, inAll }: Policy["runs"],
  caller: string,
): Promise<void> {
  const open = openRuns(db).select(({ fn }) => fn.countAll<number>().as("count"));
  const count = async (query: typeof open) => (await query.executeTakeFirstOrThrow()).count;
  if (perCaller !== undefined && (await count(open.where("caller", "=", caller))) >= perCaller)
    throw crowded(429, "the caller has", perCaller);
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

/** @returns a query that charges what a run has used, to be executed with those that end the run */
function charge(db: ServerTransaction, use: RunUse) {
  const { caller, graph, library, modelCalls: model_calls, tokens, usd = 0, at } = use;
  const { cachedTokens: cached_tokens = 0 } = use;
  const used = { runs: 1, model_calls, tokens, cached_tokens, usd };
  return addedToGraph(db, { caller, day: dayOf(at), graph, library, ...used });
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
