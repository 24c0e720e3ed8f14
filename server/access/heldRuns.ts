import type { Store } from "../../storage/database.js";
import type { ServerTables } from "../schema.js";
import { dayOf } from "./budgets.js";
import { type Caller, hasScope, ownedBy, seesAll } from "./caller.js";

/** Runs that wait for the next day's budget, of those that a caller sees. */
export async function heldRuns(options: {
  data: Store<ServerTables>;
  caller: Caller;
  /** Only this one. */
  runId?: string;
}) {
  const { data, caller, runId } = options;
  const now = Math.floor(await data.now());
  return await data.db
    .selectFrom("runs")
    .innerJoin("reservations", "reservations.run_id", "runs.run_id")
    .leftJoin("keys", "keys.key_id", "runs.caller")
    .selectAll("runs")
    .select("keys.name as key_name")
    .where("runs.status", "=", "pending")
    .where("runs.due_at", ">", now)
    .where("reservations.day", ">", dayOf(now))
    .where(ownedBy(caller, "runs.owner"))
    .$if(runId !== undefined, (query) => query.where("runs.run_id", "=", String(runId)))
    .orderBy("runs.created_at")
    .execute();
}

/**
 * Whether a caller may let a run begin that waits for a budget: not its own, because a budget that one could lift
 * oneself would be none.
 */
export function mayRelease(caller: Caller, run: { caller: string }): boolean {
  return hasScope(caller, "approve") && !isOwn(caller, run);
}

/** Whether a run was asked for by whoever wants to release it, and is held for that. */
export function isOwn(caller: Caller, run: { caller: string }): boolean {
  return run.caller === caller.id && !seesAll(caller);
}
