import { Hono } from "hono";
import { z } from "zod";
import { threadWrites, undoTarget, type Write } from "../../nodes/programs/undoTarget.js";
import { DEFAULT_GRAPH } from "../../graphs/index.js";
import { conflict, requireIdle } from "../problem.js";
import type { Environment } from "../server.js";
import { orderOf } from "../runs/runRow.js";
import { type Served, createRun, runAnswer } from "./createRun.js";
import { runForm } from "./runForm.js";
import { type Request } from "./requests.js";
import { jsonObject, body } from "./taking.js";
import { findThread, lastRun } from "./threadRows.js";

/** What is to be taken back, and the settings of the run that does; by default, those of the thread's last run. */
const undoForm = z.object({
  run: z.string().optional(),
  step: z.number().int().positive().optional(),
  context: jsonObject.optional(),
});

/** What a thread has changed, and a run that takes it back. */
export function undoRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/threads/:thread_id/changes", async (context) => {
    const { writes } = await changesOf(server, context);
    return context.json(writes.map(shown));
  });
  app.post("/threads/:thread_id/undo", body(undoForm), async (context) => {
    const { context: given, ...undo } = context.req.valid("json");
    const { writes, threadId, settings } = await changesOf(server, context, given);
    const target = undoTarget(writes, undo);
    if ("problem" in target) {
      const problem = `thread ${threadId}: ${target.problem}`;
      throw conflict(problem, target.hint);
    }
    const input = { request: "Undo what was changed.", undo };
    const form = runForm.parse({ assistant_id: DEFAULT_GRAPH, input, context: settings });
    const run = await createRun({ server, context, form, threadId, isStreamed: true });
    return context.json(runAnswer(run));
  });
  return app;
}

async function changesOf(server: Served, context: Request, given: Record<string, unknown> = {}) {
  const thread = await findThread(server.data, context);
  requireIdle(thread);
  const { thread_id: threadId } = thread;
  const last = await lastRun(server.data, threadId);
  const settings: Record<string, unknown> = { ...(last && orderOf(last).context), ...given };
  const writes = await threadWrites(server.workspace, { id: threadId, settings });
  return { threadId, settings, writes };
}

function shown({ number, run, tool, args, isUnknown, isUndone }: Write) {
  return { number, run, tool, args, isUnknown, isUndone };
}
