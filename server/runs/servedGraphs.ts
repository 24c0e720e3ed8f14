import {
  type BaseCheckpointSaver,
  type CheckpointTuple,
  INTERRUPT,
  type PendingWrite,
  RESUME,
} from "@langchain/langgraph-checkpoint";
import { type AgentGraph, compileGraph, holdThreads } from "../../graphs/compile.js";
import { namedGraph } from "../../graphs/openGraph.js";
import { findGraph } from "../../graphs/ownGraphs.js";
import { type GraphFactory, loadProjectGraph, projectGraph } from "../../graphs/projects.js";
import type { Workspace } from "../../home/workspace.js";

/** The graphs that a server runs, over the checkpoints of its workspace. */
export type ServedGraphs = ReturnType<typeof openGraphs>;

/** Opens the graphs of a workspace. */
export function openGraphs(workspace: Workspace) {
  const loaded = new Map<string, ReturnType<typeof load>>();
  let saver: BaseCheckpointSaver | undefined;
  const turn = inTurns();
  const theSaver = (): BaseCheckpointSaver =>
    (saver ??= markingRuns(workspace.checkpoints().saver, turn));
  return {
    /** Waits until a run may begin; its steps wait likewise. */
    turn,
    saver: theSaver,
    /**
     * Loads a graph on first use.
     *
     * @param config that a project's function makes the graph for
     * @throws UnknownName
     */
    open: async (name: string, config: object = { configurable: {} }) => {
      const id = findGraph(name);
      const checkpointer = theSaver();
      const known = loaded.get(id) ?? load(id, checkpointer, workspace);
      loaded.set(id, known);
      const graph = await known;
      if (typeof graph !== "function") return graph;
      return holdThreads(await graph(config), { checkpointer, workspace });
    },
  };
}

async function load(
  id: string,
  checkpointer: BaseCheckpointSaver,
  workspace: Workspace,
): Promise<AgentGraph | GraphFactory> {
  const project = projectGraph(id);
  if (project) {
    const graph = await loadProjectGraph(project);
    return typeof graph === "function" ? graph : holdThreads(graph, { checkpointer, workspace });
  }
  const { wiring } = await namedGraph(id);
  return compileGraph(wiring, { name: id, checkpointer, workspace });
}

/**
 * Lets those who wait go on in their order, one in each turn of the event loop. SQLite answers at once, so without this
 * all runs whose models have answered would take all their next steps in a single turn; and as a turn accepts one new
 * connection, new callers would wait for seconds.
 */
export function inTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((go) => {
      if (waiting.push(go) === 1) setImmediate(next);
    });
}

/** The parts of a run's config that are copied into the metadata of its checkpoints. */
const MARKS = ["run_id", "run_attempt", "graph_id", "assistant_id"] as const;

/** Key of what the client says about a run, in its `configurable`: histories can be filtered by that, too. */
export const METADATA_KEY = "__tulipgraph_run_metadata";

/**
 * The same saver, which marks each checkpoint with its run: a process that takes over sees how far it is, and histories
 * can be filtered.
 */
function markingRuns(inner: BaseCheckpointSaver, turn: () => Promise<void>): BaseCheckpointSaver {
  const saver = Object.create(inner) as BaseCheckpointSaver;
  saver.put = async (config, checkpoint, metadata, newVersions) => {
    const configurable: Record<string, unknown> = config.configurable ?? {};
    const marks = MARKS.filter((mark) => typeof configurable[mark] === "string");
    const marked = Object.fromEntries(marks.map((mark) => [mark, configurable[mark]]));
    const all = {
      ...Object(configurable[METADATA_KEY]),
      ...metadata,
      ...marked,
    } as typeof metadata;
    const saved = await inner.put(config, checkpoint, all, newVersions);
    // An input is saved with the checkpoint after it.
    if (metadata.source !== "input") await turn();
    return saved;
  };
  // LangGraph binds it to the saver of a subgraph, which has none, when that subgraph's state is changed by hand.
  saver.getNextVersion = inner.getNextVersion.bind(inner);
  return saver;
}

/** The status of a thread that nobody works on, by what its state has left to do. */
export function restOf({ next }: { next: readonly string[] }): "idle" | "interrupted" {
  return next.length > 0 ? "interrupted" : "idle";
}

/** The run that saved the last checkpoint of a thread, and which of its attempts that was, if it is known. */
export async function lastRunOf(saver: BaseCheckpointSaver, threadId: string) {
  const latest = await saver.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: "" } });
  const { run_id, run_attempt }: Record<string, unknown> = { ...latest?.metadata };
  return {
    runId: typeof run_id === "string" ? run_id : undefined,
    attempt: typeof run_attempt === "string" ? Number(run_attempt) : 0,
  };
}

/**
 * Copies the checkpoints of a thread to another one, without the decisions that were made on it. With the same thread as
 * the target, removes those left out.
 *
 * @param options.isLeftOut decides by a checkpoint, whose metadata come first
 */
export async function copyCheckpoints(options: {
  saver: BaseCheckpointSaver;
  from: string;
  to: string;
  isLeftOut?: (metadata: Record<string, unknown>, tuple: CheckpointTuple) => boolean;
  /** Decides by their channel which pending writes are kept; default: what waits for a decision. */
  isKept?: (channel: string) => boolean;
}): Promise<void> {
  const { saver, from, to, isLeftOut = () => false } = options;
  const newestFirst: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: { thread_id: from } }))
    newestFirst.push(tuple);
  const stays = newestFirst
    .toReversed()
    .filter((tuple) => !isLeftOut({ ...tuple.metadata }, tuple));
  if (from === to) {
    const isDecided = newestFirst[0]?.pendingWrites?.some(([, channel]) => channel === RESUME);
    if (stays.length === newestFirst.length && !isDecided) return;
    await saver.deleteThread(from);
  }
  for (const tuple of stays) {
    // At the last of those that stay, what was left out had begun its work.
    const isEnd = from === to && tuple === stays.at(-1);
    const isKept =
      options.isKept ?? ((channel: string) => (isEnd ? channel === INTERRUPT : channel !== RESUME));
    await putTuple({ saver, tuple, threadId: to, isKept });
  }
}

/** Stores a checkpoint that was read from a saver in a thread, with the pending writes that are kept. */
async function putTuple(options: {
  saver: BaseCheckpointSaver;
  tuple: CheckpointTuple;
  threadId: string;
  isKept: (channel: string) => boolean;
}): Promise<void> {
  const { saver, tuple, threadId, isKept } = options;
  const { checkpoint, config, parentConfig, metadata } = tuple;
  const pendingWrites = (tuple.pendingWrites ?? []).filter(([, channel]) => isKept(channel));
  const checkpoint_ns = String(config.configurable?.["checkpoint_ns"] ?? "");
  const parent = parentConfig?.configurable?.["checkpoint_id"] as string | undefined;
  const place = { thread_id: threadId, checkpoint_ns, checkpoint_id: parent };
  const source = metadata ?? { source: "fork" as const, step: -1, parents: {} };
  const stored = await saver.put(
    { configurable: place },
    checkpoint,
    source,
    checkpoint.channel_versions,
  );
  for (const task of new Set(pendingWrites.map(([id]) => id))) {
    const own = pendingWrites.filter(([id]) => id === task);
    const writes = own.map(([, channel, value]): PendingWrite => [channel, value]);
    await saver.putWrites(stored, writes, task);
  }
}
