import { Hono } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment, Server } from "../server.js";
import { type Caller, hasScope, ownedBy, seesAll } from "./caller.js";
import { dayOf } from "./spending.js";

/** `POST /runs/RUN/release` lets a run begin that waits for the next day's budget. */
export function releaseRoute({ data, access }: Pick<Server, "data" | "access">): Hono<Environment> {
  const app = new Hono<Environment>();
  app.post("/runs/:run_id/release", async (context) => {
    const runId = context.req.param("run_id");
    const caller = context.get("caller");
    const [waiting] = await waitingRuns({ data, caller, runId });
    if (!waiting) {
      throw new HttpProblem({ status: 404, problem: `no run ${runId} waits for a budget` });
    }
    if (!mayRelease(caller, waiting)) {
      throw new HttpProblem({
        status: 403,
        problem: "a caller cannot release its own run",
        hint: "Another key of the same owner with the scope approve can, or one with admin",
      });
    }
    await access.release(runId);
    const now = Math.floor(await data.now());
    await data.db.updateTable("runs").set({ due_at: now }).where("run_id", "=", runId).execute();
    return context.json({ run_id: runId });
  });
  return app;
}

/** The runs a caller sees that wait for the next day's budget. */
export async function waitingRuns(options: {
  data: Server["data"];
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
 * Whether a caller may let a run begin that waits for a budget. Its own it may not: a budget that its user can lift is
 * no budget.
 */
export function mayRelease(caller: Caller, run: { caller: string }): boolean {
  return hasScope(caller, "approve") && (run.caller !== caller.id || seesAll(caller));
}
