import { setTimeout as sleep } from "node:timers/promises";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCache } from "@langchain/langgraph-checkpoint";
import { IterableReadableStream } from "@langchain/core/utils/stream";
import {
  type BaseCheckpointSaver,
  CompiledStateGraph,
  type StateGraph,
  getConfig,
  isCommand,
} from "@langchain/langgraph";
import { MOST_MODEL_CALLS, MOST_PLAN_CALLS } from "../state/settings.js";
import {
  type GraphState,
  type Input,
  type Output,
  State,
  type StateUpdate,
} from "../state/state.js";
import { HOLD_KEY, ThreadHeld, type ThreadHold } from "../tools/calls/journal/threadHolds.js";
import {
  ASKS_KEY,
  RUN_KEY,
  WORKSPACE_KEY,
  type Workspace,
  workspaceIn,
} from "../home/workspace.js";
import { checkedValues, requireInput } from "./requireInput.js";

/**
 * Most steps of a run. LangGraph's default of 25 would end legitimate runs. This limit is never reached,
 * because limits on model calls, plan calls and seconds stop a run long before: no cycle takes more than seven
 * steps per model call, or three per plan call.
 */
const RECURSION_LIMIT = 7 * MOST_MODEL_CALLS + 3 * MOST_PLAN_CALLS + 50;

/** A wiring, or any other StateGraph over the same channels. */
export interface Compilable {
  compile: (options: Omit<CompileOptions, "workspace">) => unknown;
}

/**
 * A compiled graph. The type hides the nodes, which callers need not know, and types the settings loosely,
 * since LangGraph's own type would require every one of them.
 */
export type AgentGraph = ReturnType<
  StateGraph<typeof State, GraphState, StateUpdate, string, typeof Input, typeof Output>["compile"]
>;

export interface CompileOptions {
  name: string;
  /** @default none: LangGraph's servers bring their own */
  checkpointer?: BaseCheckpointSaver;
  /** Where updates of rows with a `cachePolicy` are kept. @default none */
  cache?: BaseCache;
  /** What its runs use: libraries, the tool call journal, experience. @default the workspace of `TULIPGRAPH_HOME` */
  workspace?: Workspace;
}

/** Compiles a wiring with a step limit that runs never reach; each run holds its thread. */
export function compileGraph(wiring: Compilable, options: CompileOptions): AgentGraph {
  const { workspace, ...how } = options;
  const graph = wiring.compile(how) as ConstructorParameters<typeof HeldGraph>[0];
  const held = new HeldGraph({ ...graph });
  const configurable = workspace ? { [WORKSPACE_KEY]: workspace } : {};
  return (held as unknown as AgentGraph).withConfig({
    recursionLimit: RECURSION_LIMIT,
    configurable,
  });
}

/**
 * How long a run waits for its thread's previous run, in milliseconds: a cancelled run still tidies up after
 * its server counts it as ended.
 */
const PATIENCE_MS = 10_000;

/** How often it checks meanwhile, in milliseconds. */
const POLL_MS = 50;

type Graph = CompiledStateGraph<unknown, unknown>;

/**
 * A compiled graph whose runs hold their thread from first step to last, however they end and whoever starts
 * them: the command line, a server or a program. A run waiting for a person counts as ended.
 *
 * Every way to run a graph goes through `stream`. A run inside another graph's run is part of it.
 */
class HeldGraph extends CompiledStateGraph<unknown, unknown> {
  override async bulkUpdateState(
    ...[config, supersteps]: Parameters<Graph["bulkUpdateState"]>
  ): ReturnType<Graph["bulkUpdateState"]> {
    const given: Configurable = { ...this.config?.configurable, ...config.configurable };
    const { thread_id: threadId } = given;
    // What was approved was the state as it was.
    if (typeof threadId === "string")
      await workspaceIn(given).runtime.journal.endApprovals(threadId);
    const checkedSteps = supersteps.map(({ updates }) => ({
      updates: updates.map(({ values, ...update }) => ({
        ...update,
        values: checkedValues(values, this.channels),
      })),
    }));
    return await super.bulkUpdateState(config, checkedSteps);
  }

  /** LangGraph's type tells chunks by mode; to hold a thread they are passed on whatever they are. */
  override async stream(...given: never[]): Promise<never> {
    const [input, options] = given as unknown as StreamArguments;
    return (await this.held(input, options)) as never;
  }

  private async held(...[input, options]: StreamArguments): Promise<AsyncIterable<unknown>> {
    // Within a node of another graph, the surrounding config alone may tell of that graph's run.
    const around = (getConfig() as RunnableConfig | undefined)?.configurable;
    const given = { ...this.config?.configurable, ...around, ...options?.configurable };
    const { thread_id: threadId, checkpoint_ns: outer, [HOLD_KEY]: held } = given;
    const configurable: Configurable = { [RUN_KEY]: {}, ...given };
    if (!outer) configurable[ASKS_KEY] = Boolean(this.checkpointer);
    if (typeof threadId !== "string" || outer)
      return await super.stream(input, { ...options, configurable });
    const goesOn = input == null || isCommand(input);
    if (!goesOn) requireInput(input, this.channels);
    const begin = async (
      token: unknown,
      signal = options?.signal,
    ): Promise<AsyncIterable<unknown>> => {
      const own = { ...options, signal, configurable: { ...configurable, [HOLD_KEY]: token } };
      if (!goesOn || !this.checkpointer) return await super.stream(input, own);
      // Most runs begin.
      const { goingOn } = await import("./goingOn.js");
      const begun = await goingOn(this, input, own);
      return await super.stream(begun.input as typeof input, begun.options);
    };
    if (held) return await begin(held);
    return await whileHeld({
      threadId,
      workspace: workspaceIn(given),
      signal: options?.signal,
      begin,
    });
  }
}

/** Begins a run that holds its thread until its stream has ended. @throws ThreadHeld */
async function whileHeld(run: {
  threadId: string;
  workspace: Workspace;
  signal?: AbortSignal;
  begin: (hold: unknown, signal: AbortSignal) => Promise<AsyncIterable<unknown>>;
}): Promise<AsyncIterable<unknown>> {
  const hold = await holdSoon(run.threadId, run.workspace);
  try {
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, ...(run.signal ? [run.signal] : [])]);
    const steps = await run.begin(hold.token, signal);
    return streamOf(
      readAhead(steps, () => hold.release()),
      () => left.abort(),
    );
  } catch (error) {
    await hold.release();
    throw error;
  }
}

const prepared = new WeakSet();

/**
 * Has the runs of a graph that somebody else has compiled hold their threads, and save their checkpoints with ours. It is
 * changed itself: LangGraph gives no other way to replace a graph's checkpoints, and its own server does the same.
 */
export function holdThreads(
  graph: AgentGraph,
  { checkpointer, workspace }: { checkpointer: BaseCheckpointSaver; workspace: Workspace },
): AgentGraph {
  if (prepared.has(graph)) return graph;
  prepared.add(graph);
  const plain = graph.stream.bind(graph) as (
    ...given: StreamArguments
  ) => Promise<AsyncIterable<unknown>>;
  const stream = async (...[input, options]: StreamArguments) => {
    const around = (getConfig() as RunnableConfig | undefined)?.configurable;
    const { thread_id: threadId, checkpoint_ns: outer } = { ...around, ...options?.configurable };
    if (typeof threadId !== "string" || outer) return await plain(input, options);
    const begin = async (hold: unknown, signal: AbortSignal) => {
      const configurable = { ...options?.configurable, [HOLD_KEY]: hold };
      return await plain(input, { ...options, signal, configurable });
    };
    return await whileHeld({ threadId, workspace, signal: options?.signal, begin });
  };
  return Object.assign(graph, { checkpointer, stream });
}

type StreamArguments = Parameters<Graph["stream"]>;
type Configurable = Record<string, unknown>;

/**
 * Reads a run's stream to its end even if its reader has left: LangGraph continues such a run, but nothing
 * would read the stream to its end.
 */
async function* readAhead<Chunk>(steps: AsyncIterable<Chunk>, onEnd: () => Promise<void>) {
  const chunks: Chunk[] = [];
  const reading: Reading = { isOver: false, isLeft: false };
  const readAll = async () => {
    try {
      for await (const chunk of steps) {
        if (!reading.isLeft) chunks.push(chunk);
        reading.wake?.();
      }
    } finally {
      await onEnd();
    }
  };
  const end = (failure?: { error: unknown }) => {
    Object.assign(reading, { isOver: true, failure });
    reading.wake?.();
  };
  readAll().then(
    () => end(),
    (error: unknown) => end({ error }),
  );
  try {
    while (!reading.isOver || chunks.length > 0) {
      const chunk = chunks.shift();
      if (chunk === undefined) await new Promise<void>((wake) => Object.assign(reading, { wake }));
      else yield chunk;
    }
  } finally {
    reading.isLeft = true;
  }
  // Only after earlier chunks.
  if (reading.failure) throw reading.failure.error;
}

/** A stream that ends its source when its reader leaves. */
function streamOf<Chunk>(chunks: AsyncGenerator<Chunk>, onLeft: () => void) {
  return new IterableReadableStream<Chunk>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      onLeft();
      await chunks.return(undefined);
    },
  });
}

/** How far a stream is read ahead of its reader. */
interface Reading {
  isOver: boolean;
  /** Its reader has left. */
  isLeft: boolean;
  failure?: { error: unknown };
  /** Wakes a reader that waits. */
  wake?: () => void;
}

async function holdSoon(threadId: string, { runtime }: Workspace): Promise<ThreadHold> {
  const { journal } = runtime;
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (true) {
    try {
      return await journal.hold(threadId);
    } catch (error) {
      // Nothing here could have cancelled another process's run.
      const mayEndSoon = error instanceof ThreadHeld && error.details.owner.isThisProcess;
      if (!mayEndSoon || Date.now() > giveUpAt) throw error;
    }
    await sleep(POLL_MS);
  }
}
