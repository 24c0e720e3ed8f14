import type { StateSnapshot } from "@langchain/langgraph";
import { HttpProblem } from "../problem.js";
import { commandOf } from "../runs/execute.js";
import type { RunCommand, ThreadRow } from "../runs/runRow.js";
import { placeOf } from "../runs/streamParts.js";
import type { Server } from "../server.js";
import { errorOf } from "./json.js";
import { parsed, refused } from "./requests.js";

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
interface CheckpointName {
  checkpoint_id?: string;
  checkpoint_ns?: string;
  checkpoint_map?: unknown;
}

type Served = Pick<Server, "runs">;

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
    if (found === undefined) throw checkpointUnknown(row, checkpoint.checkpoint_id);
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

/** A change made to a thread's state by hand, as if by a node. */
interface StateUpdate {
  values?: unknown;
  command?: RunCommand;
  as_node?: string;
}

/**
 * Changes the state of a thread in steps, each with one or more updates.
 *
 * @returns the checkpoint that holds the new state
 * @throws HttpProblem 422 if the thread has no graph or an update does not fit it
 */
export async function updateState(options: {
  server: Served;
  row: ThreadRow;
  steps: readonly (readonly StateUpdate[])[];
  checkpoint?: CheckpointName;
}): Promise<Record<string, unknown>> {
  const { row, steps, checkpoint } = options;
  const graph = await graphOf(options);
  if (graph === undefined) {
    throw refused(
      `thread ${row.thread_id} has no graph yet, so its state has no schema`,
      'Create it with metadata {"graph_id": …}, or run a graph on it first',
    );
  }
  const place = { configurable: { checkpoint_ns: "", ...checkpoint, thread_id: row.thread_id } };
  const updates = steps.map((step) => ({
    updates: step.map(({ values, command, as_node: asNode }) => ({
      values: (command ? commandOf(command) : values) as Record<string, unknown>,
      asNode,
    })),
  }));
  try {
    const { configurable } = await graph.bulkUpdateState(place, updates);
    return { ...configurable };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "InvalidUpdateError") throw error;
    throw refused(`the state cannot be changed like this: ${error.message}`);
  }
}

async function graphOf({ server, row }: { server: Served; row: ThreadRow }) {
  const { graph_id } = parsed(row.metadata);
  return typeof graph_id === "string" ? await server.runs.graphs.open(graph_id) : undefined;
}

function checkpointUnknown({ thread_id }: ThreadRow, id: string): HttpProblem {
  return new HttpProblem({
    status: 404,
    problem: `thread ${thread_id} has no checkpoint ${id}`,
    hint: "POST /threads/{thread_id}/history lists them",
  });
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
