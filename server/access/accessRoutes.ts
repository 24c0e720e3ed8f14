import { Hono } from "hono";
import { HttpProblem } from "../problem.js";
import type { Environment, Server } from "../server.js";
import type { Caller } from "./caller.js";
import { heldRuns, isOwn } from "./heldRuns.js";

/** `POST /runs/RUN/release` lets a run begin that waits for the next day's budget. */
export function accessRoutes(server: Pick<Server, "data" | "access">): Hono<Environment> {
  const app = new Hono<Environment>();
  app.post("/runs/:run_id/release", async (context) => {
    const runId = context.req.param("run_id");
    await releaseRun({ server, caller: context.get("caller"), runId });
    return context.json({ run_id: runId });
  });
  return app;
}

/**
 * Lets a run begin that waits for the next day's budget.
 *
 * @throws HttpProblem 404 for a run that the caller does not see or that does not wait, 403 for the caller's own: a
 * budget that one could lift oneself would be none
 */
async function releaseRun(options: {
  server: Pick<Server, "data" | "access">;
  caller: Caller;
  runId: string;
}): Promise<void> {
  const { server, caller, runId } = options;
  const { data, access } = server;
  const [held] = await heldRuns({ data, caller, runId });
  if (!held) {
    throw new HttpProblem({ status: 404, problem: `no run ${runId} waits for a budget` });
  }
  if (isOwn(caller, held)) {
    throw new HttpProblem({
      status: 403,
      problem: "a caller's own run is released by somebody else",
      hint: "Another key of the same owner with the scope approve may, or one with admin",
    });
  }
  await access.release(runId);
  const now = Math.floor(await data.now());
  await data.db.updateTable("runs").set({ due_at: now }).where("run_id", "=", runId).execute();
}
