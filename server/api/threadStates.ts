import type { StateSnapshot } from "@langchain/langgraph";
import type { Hono } from "hono";
import { z } from "zod";
import { ownProgram } from "../../state/program.js";
import { oneLine } from "../../common/errors.js";
import type { GraphState } from "../../state/state.js";
import { projectGraph } from "../../graphs/projects.js";
import { requireScope } from "../access/caller.js";
import { notFound, requireIdle } from "../problem.js";
import type { ThreadRow } from "../runs/runRow.js";
import { restOf } from "../runs/servedGraphs.js";
import { placeOf } from "../runs/streamParts.js";
import type { Environment } from "../server.js";
import { type Request, answerJson, errorOf, parsed, refused, select } from "./requests.js";
import { body, checkpointForm, flag, jsonObject, pathId, query, texts } from "./taking.js";
import type { Runs } from "../runs/runs.js";

/** A thread's state at a checkpoint, as clients see it. */
export interface StateAnswer {
  values: unknown;
  next: string[];
  tasks: {
    id: string;
    name: string;
    error: string | null;
    interrupts: unknown[];
    path: unknown;
    checkpoint: unknown;
    state: StateAnswer | null;
    result: unknown;
  }[];
  metadata: unknown;
  created_at: string | null;
  checkpoint: Record<string, unknown> | null;
  parent_checkpoint: Record<string, unknown> | null;
}

/** Names a checkpoint; without a `checkpoint_id`, the latest. */
type CheckpointName = Partial<z.output<typeof checkpointForm>>;

type Served = { runs: Runs };

const NO_STATE: StateAnswer = {
  values: {},
  next: [],
  tasks: [],
  metadata: null,
  created_at: null,
  checkpoint: null,
  parent_checkpoint: null,
};

/** The state of a thread, empty before its first run. */
export async function readState(options: {
  server: Served;
  row: ThreadRow;
  checkpoint?: CheckpointName;
  subgraphs?: boolean;
}): Promise<StateAnswer> {
  const { server, row, checkpoint, subgraphs } = options;
  const graph = await graphOf(options);
  if (graph === undefined) return NO_STATE;
  const place = { configurable: { ...checkpoint, thread_id: row.thread_id } };
  if (checkpoint?.checkpoint_id !== undefined) {
    const found = await server.runs.graphs.saver().getTuple(place);
    if (found === undefined)
      throw notFound(
        `thread ${row.thread_id} has no checkpoint ${checkpoint.checkpoint_id}`,
        "POST /threads/{thread_id}/history lists them",
      );
  }
  return answerOf(await graph.getState(place, { subgraphs }));
}

/** The states of a thread, newest first. */
export async function readHistory(options: {
  server: Served;
  row: ThreadRow;
  limit: number;
  before?: CheckpointName;
  metadata?: Record<string, unknown>;
  checkpoint?: CheckpointName;
}): Promise<StateAnswer[]> {
  const { row, limit, before, metadata, checkpoint } = options;
  const graph = await graphOf(options);
  if (graph === undefined) return [];
  const states: StateAnswer[] = [];
  const place = { configurable: { checkpoint_ns: "", ...checkpoint, thread_id: row.thread_id } };
  const history = graph.getStateHistory(place, {
    limit,
    before: before && { configurable: { ...before } },
    filter: metadata,
  });
  for await (const state of history) states.push(answerOf(state));
  return states;
}

/** @throws HttpProblem 422 for a thread whose state has no schema yet */
export function requireGraph({ thread_id, metadata }: ThreadRow): void {
  if (typeof parsed(metadata)["graph_id"] === "string") return;
  throw refused(
    `thread ${thread_id} has no graph yet, so its state has no schema`,
    'Create it with metadata {"graph_id": …}, or run a graph on it first',
  );
}

/** Gives a new thread the states that updates make, one after the other. @throws HttpProblem 422 */
export async function putSupersteps(options: {
  server: Served;
  row: ThreadRow;
  supersteps: readonly { updates: readonly { values?: unknown; as_node?: string }[] }[];
}): Promise<void> {
  const { row, supersteps } = options;
  const graph = await graphOf(options);
  const steps = supersteps.map(({ updates }) => ({
    updates: updates.map(({ values, as_node: asNode }) => ({
      values: values as Record<string, unknown>,
      asNode,
    })),
  }));
  await changed(async () => graph?.bulkUpdateState(placeOfThread(row), steps));
}

/** Runs a change of a state. @throws HttpProblem 422 if the values do not fit the graph's schema */
async function changed<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    const { name, message } = Object(error) as Error;
    if (!UNFIT.includes(name)) throw error;
    throw refused(`the state cannot be changed like this: ${oneLine(message)}`);
  }
}

/** By their names, because a project's graph may have a copy of LangGraph and Zod of its own. */
const UNFIT =
  "InvalidSetting UnknownName InvalidUpdateError ZodError $ZodError MESSAGE_COERCION_FAILURE".split(
    " ",
  );

function placeOfThread({ thread_id }: ThreadRow, checkpoint: CheckpointName = {}) {
  return { configurable: { checkpoint_ns: "", ...checkpoint, thread_id } };
}

/**
 * Changes the state of a thread by hand, as if by a node. A program can be given by its `code` alone.
 *
 * @returns the checkpoint that holds the new state
 * @throws HttpProblem 422 if the thread has no graph or the update does not fit it
 */
async function updateState(options: {
  server: Served;
  row: ThreadRow;
  values: unknown;
  asNode: string | undefined;
  checkpoint: CheckpointName;
}): Promise<Record<string, unknown>> {
  const { server, row, values, asNode, checkpoint } = options;
  requireGraph(row);
  const graph = await graphOf(options);
  if (graph === undefined) throw new Error("a graph is named, but was not opened");
  const place = placeOfThread(row, checkpoint);
  const update = await updateOf(values, () => graph.getState(place));
  const { configurable } = await changed(() => graph.updateState(place, update, asNode));
  // One by which an interrupted thread ends, such as by the node `__end__`, leaves nothing to do.
  const status = restOf(await graph.getState(placeOfThread(row)));
  await server.runs.settle(row.thread_id, status);
  return { ...configurable };
}

const ownCode = z.looseObject({ program: z.strictObject({ code: z.string() }) });

/** What is changed. A program by its code alone is one that nobody has checked or followed yet. */
async function updateOf(values: unknown, read: () => Promise<StateSnapshot>): Promise<unknown> {
  const { data } = ownCode.safeParse(values);
  if (!data) return values;
  const { program } = (await read()).values as Partial<GraphState>;
  if (!program) throw refused("this state has no program that another one could replace");
  return { ...data, program: ownProgram(data.program.code, program) };
}

async function graphOf({ server, row }: { server: Served; row: ThreadRow }) {
  const { graph_id } = parsed(row.metadata);
  if (typeof graph_id !== "string") return undefined;
  return await server.runs.graphs.open(graph_id, { configurable: {}, ...parsed(row.config) });
}

function answerOf(state: StateSnapshot): StateAnswer {
  const { values, next, tasks, metadata, createdAt, config, parentConfig } = state;
  return {
    values,
    next: [...next],
    tasks: tasks.map((task) => ({
      id: task.id,
      name: task.name,
      error: task.error === undefined ? null : errorOf(task.error).message,
      interrupts: task.interrupts ?? [],
      path: task.path,
      checkpoint:
        task.state && "configurable" in task.state ? (task.state.configurable ?? null) : null,
      state: task.state && "values" in task.state ? answerOf(task.state) : null,
      result: task.result ?? null,
    })),
    metadata: metadata ?? null,
    created_at: createdAt ? new Date(createdAt).toISOString() : null,
    checkpoint: placeOf(config),
    parent_checkpoint: placeOf(parentConfig),
  };
}

const checkpoint = checkpointForm.extend({ thread_id: z.string().optional() });

const selected = z.array(z.string()).optional();

/** Only what was asked for of a state: its fields, or `values.<key>` for one key of its values. */
function selectState(state: StateAnswer, fields: readonly string[] | undefined): object {
  if (fields === undefined) return state;
  const keys = fields.flatMap((field) =>
    field.startsWith("values.") ? field.slice("values.".length) : [],
  );
  const shown = select(state, fields);
  if (fields.includes("values") || keys.length === 0) return shown;
  return { ...shown, values: select(Object(state.values) as object, keys) };
}

const history = z.object({
  select: selected,
  limit: z.coerce.number().int().min(1).max(1_000).default(10),
  before: z.union([z.string(), checkpoint]).optional(),
  metadata: jsonObject.optional(),
  checkpoint: checkpoint.optional(),
});

const atCheckpoint = z.object({
  checkpoint: checkpoint.optional(),
  subgraphs: z.boolean().optional(),
  select: selected,
});

const stateUpdate = z.object({
  values: z.union([jsonObject, z.array(jsonObject)]).optional(),
  as_node: z.string().optional(),
  checkpoint_id: z.string().optional(),
  checkpoint: checkpoint.optional(),
});

/** The states of a thread: read, changed by hand, and their history. */
export function stateRoutes(
  app: Hono<Environment>,
  server: Served,
  find: (context: Request) => Promise<ThreadRow>,
): void {
  const shown = z.object({ subgraphs: flag, select: texts });
  app.get("/threads/:thread_id/state", query(shown), async (context) => {
    const { subgraphs, select: fields } = context.req.valid("query");
    const state = await readState({ server, row: await find(context), subgraphs });
    return answerJson(context, selectState(state, fields));
  });
  app.get("/threads/:thread_id/state/:checkpoint_id", query(shown), async (context) => {
    const { subgraphs, select: fields } = context.req.valid("query");
    const named = { checkpoint_id: pathId(context, "checkpoint_id") };
    const row = await find(context);
    const state = await readState({ server, row, checkpoint: named, subgraphs });
    return answerJson(context, selectState(state, fields));
  });
  app.post("/threads/:thread_id/state/checkpoint", body(atCheckpoint), async (context) => {
    const { select: fields, ...wanted } = context.req.valid("json");
    const state = await readState({ server, row: await find(context), ...wanted });
    return answerJson(context, selectState(state, fields));
  });
  app.post("/threads/:thread_id/state", body(stateUpdate), async (context) => {
    const { as_node: asNode, checkpoint_id, ...wanted } = context.req.valid("json");
    const { values = null } = wanted;
    const row = await find(context);
    requireIdle(row);
    const place = { ...wanted.checkpoint, ...(checkpoint_id ? { checkpoint_id } : {}) };
    // As for keys, whose scopes are looked at before.
    if (!projectGraph(String(parsed(row.metadata)["graph_id"])))
      requireScope(context.get("caller"), "admin");
    const saved = await updateState({ server, row, values, asNode, checkpoint: place });
    return context.json({ checkpoint: saved, configurable: saved });
  });
  const answerHistory = async (context: Request, wanted: z.output<typeof history>) => {
    const { before, select: fields, ...rest } = wanted;
    const named = typeof before === "string" ? { checkpoint_id: before } : before;
    const states = await readHistory({ server, row: await find(context), ...rest, before: named });
    return answerJson(
      context,
      states.map((state) => selectState(state, fields)),
    );
  };
  const { limit } = history.shape;
  const listed = query(z.object({ limit, before: z.string().optional(), select: texts }));
  app.get("/threads/:thread_id/history", listed, async (context) =>
    answerHistory(context, context.req.valid("query")),
  );
  app.post("/threads/:thread_id/history", body(history), async (context) =>
    answerHistory(context, context.req.valid("json")),
  );
}
