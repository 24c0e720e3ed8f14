import type { Hono } from "hono";
import { z } from "zod";
import type { ThreadRow } from "../runs/runRow.js";
import type { Environment, Server } from "../server.js";
import {
  type Request,
  answerJson,
  flag,
  jsonObject,
  pathId,
  readBody,
  readQuery,
} from "./requests.js";
import { checkpointForm } from "./runForms.js";
import { requireIdle } from "./threadRows.js";
import { readHistory, readState, updateState } from "./threadStates.js";

const checkpoint = checkpointForm.extend({ thread_id: z.string().optional() });

const history = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(10),
  before: z.union([z.string(), checkpoint]).optional(),
  metadata: jsonObject.optional(),
  checkpoint: checkpoint.optional(),
});

const stateUpdate = z.object({
  values: z.union([jsonObject, z.array(jsonObject)]).optional(),
  as_node: z.string().optional(),
  checkpoint_id: z.string().optional(),
  checkpoint: checkpoint.optional(),
});

/** The states of a thread: read, changed by hand, and their history. */
export function stateRoutes(options: {
  app: Hono<Environment>;
  server: Pick<Server, "runs">;
  find: (context: Request) => Promise<ThreadRow>;
}): void {
  const { app, server, find } = options;
  const query = z.object({ subgraphs: flag });
  app.get("/threads/:thread_id/state", async (context) => {
    const { subgraphs } = readQuery(context, query);
    const state = await readState({ server, row: await find(context), subgraphs });
    return answerJson(context, state);
  });
  app.get("/threads/:thread_id/state/:checkpoint_id", async (context) => {
    const { subgraphs } = readQuery(context, query);
    const named = { checkpoint_id: pathId(context, "checkpoint_id") };
    const row = await find(context);
    return answerJson(context, await readState({ server, row, checkpoint: named, subgraphs }));
  });
  app.post("/threads/:thread_id/state/checkpoint", async (context) => {
    const form = z.object({ checkpoint: checkpoint.optional(), subgraphs: z.boolean().optional() });
    const wanted = await readBody(context, form);
    const state = await readState({ server, row: await find(context), ...wanted });
    return answerJson(context, state);
  });
  app.post("/threads/:thread_id/state", async (context) => {
    const {
      values = null,
      as_node,
      checkpoint_id,
      ...wanted
    } = await readBody(context, stateUpdate);
    const row = await find(context);
    requireIdle(row);
    const place = { ...wanted.checkpoint, ...(checkpoint_id ? { checkpoint_id } : {}) };
    const steps = [[{ values, as_node }]];
    const saved = await updateState({ server, row, steps, checkpoint: place });
    return context.json({ checkpoint: saved, configurable: saved });
  });
  const answerHistory = async (context: Request, wanted: z.output<typeof history>) => {
    const { before, ...rest } = wanted;
    const named = typeof before === "string" ? { checkpoint_id: before } : before;
    const states = await readHistory({ server, row: await find(context), ...rest, before: named });
    return answerJson(context, states);
  };
  app.get("/threads/:thread_id/history", async (context) =>
    answerHistory(context, readQuery(context, history.pick({ limit: true, before: true }))),
  );
  app.post("/threads/:thread_id/history", async (context) =>
    answerHistory(context, await readBody(context, history)),
  );
}
