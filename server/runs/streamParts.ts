import { type AIMessageChunk, type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import type { StreamEvent } from "@langchain/core/tracers/log_stream";
import type { AgentGraph } from "../../graphs/compile.js";
import type { RunOrder, StreamMode } from "./runRow.js";

interface StreamPart {
  event: string;
  data: unknown;
}

type GraphInput = Parameters<AgentGraph["stream"]>[0];
type GraphOptions = NonNullable<Parameters<AgentGraph["stream"]>[1]>;
type GraphMode = Exclude<StreamMode, "events" | "messages-tuple">;

/** What LangGraph streams: where in the subgraphs, in which mode, what. */
type Chunk = [namespace: string[], mode: GraphMode, data: unknown];

/**
 * Runs a graph and yields the events that a client has asked for.
 *
 * @param run.order its `stream_mode` and `subgraphs` say which
 */
export async function* streamParts(run: {
  graph: AgentGraph;
  input: GraphInput;
  options: GraphOptions & { runId: string };
  order: Pick<RunOrder, "stream_mode" | "subgraphs">;
}): AsyncGenerator<StreamPart> {
  const { graph, input, order } = run;
  const modes = new Set(order.stream_mode);
  const streamMode = graphModes(modes);
  const options = { ...run.options, streamMode, subgraphs: order.subgraphs };
  const messages = messageParts();
  if (!modes.has("events")) {
    for await (const chunk of await graph.stream(input, options))
      yield* partsOf(chunkOf(chunk, order.subgraphs), modes, messages);
    return;
  }
  for await (const event of graph.streamEvents(input, {
    ...options,
    version: "v2",
  }) as AsyncIterable<StreamEvent>) {
    if (event.tags?.includes("langsmith:hidden")) continue;
    if (event.event === "on_chain_stream" && event.run_id === options.runId) {
      const chunk = chunkOf(event.data.chunk, order.subgraphs);
      yield* partsOf(chunk, modes, messages);
    } else {
      yield { event: "events", data: event };
    }
  }
}

function graphModes(modes: ReadonlySet<StreamMode>): GraphMode[] {
  const asked = [...modes].map((mode) => (mode === "messages-tuple" ? "messages" : mode));
  const wanted = new Set(asked.filter((mode) => mode !== "events"));
  // Complete messages are taken from the state.
  if (modes.has("messages")) wanted.add("values");
  return [...wanted];
}

function chunkOf(chunk: unknown, hasNamespace: boolean): Chunk {
  return hasNamespace ? (chunk as Chunk) : [[], ...(chunk as [GraphMode, unknown])];
}

function* partsOf(
  [namespace, mode, data]: Chunk,
  modes: ReadonlySet<StreamMode>,
  messages: ReturnType<typeof messageParts>,
): Generator<StreamPart> {
  const named = (name: string) => [name, ...namespace].join("|");
  if (mode === "messages") {
    if (modes.has("messages-tuple")) yield { event: named("messages"), data };
    if (modes.has("messages")) yield* messages.partial(data as MessageTuple);
    return;
  }
  if (modes.has(mode)) yield { event: named(mode), data: readable(mode, data) };
  if (mode === "values" && modes.has("messages")) yield* messages.complete(data);
}

type MessageTuple = [BaseMessage, Record<string, unknown>];

/** Messages as they grow, and when they are complete. */
function messageParts() {
  const growing = new Map<string, AIMessageChunk>();
  const complete = new Set<string>();
  return {
    *partial([message, metadata]: MessageTuple): Generator<StreamPart> {
      const { id } = message;
      // A project's graph may have a copy of LangChain of its own.
      if (id === undefined || !("concat" in message) || message.type !== "ai") return;
      const chunk = message as AIMessageChunk;
      const before = growing.get(id);
      if (before === undefined) yield { event: "messages/metadata", data: { [id]: { metadata } } };
      const grown = before ? before.concat(chunk) : chunk;
      growing.set(id, grown);
      yield { event: "messages/partial", data: [grown] };
    },
    *complete(values: unknown): Generator<StreamPart> {
      const found: unknown = Object(values).messages;
      const all = Array.isArray(found) ? found : [];
      const fresh = all.filter(
        (one): one is BaseMessage =>
          isBaseMessage(one) && one.id !== undefined && !complete.has(one.id),
      );
      for (const { id } of fresh) complete.add(String(id));
      if (fresh.length > 0) yield { event: "messages/complete", data: fresh };
    },
  };
}

/** Data of a stream in the API's terms, without this process's internals. */
function readable(mode: GraphMode, data: unknown): unknown {
  if (mode === "checkpoints") {
    const { values, metadata, next } = Object(data);
    return { values, metadata, next };
  }
  if (mode === "tasks") return readableTask(data);
  if (mode !== "debug") return data;
  const { type, payload, ...rest } = Object(data);
  const read = type === "checkpoint" ? readableCheckpoint(payload) : readableTask(payload);
  return { ...rest, type, payload: read };
}

function readableTask(task: unknown): unknown {
  const { state, ...rest } = Object(task);
  const checkpoint = placeOf(state);
  return checkpoint ? { ...rest, checkpoint } : rest;
}

function readableCheckpoint(payload: unknown): unknown {
  const { config, parentConfig, tasks, ...rest } = Object(payload);
  return {
    ...rest,
    config: withoutInternals(config),
    parent_config: withoutInternals(parentConfig),
    checkpoint: placeOf(config),
    parent_checkpoint: placeOf(parentConfig),
    tasks: (tasks as unknown[]).map(readableTask),
  };
}

function withoutInternals(config: unknown): unknown {
  if (typeof config !== "object" || config === null) return config;
  const { configurable, callbacks: _callbacks, ...rest } = config as Record<string, unknown>;
  const open = Object.entries(Object(configurable)).filter(([key]) => !key.startsWith("__"));
  return { ...rest, configurable: Object.fromEntries(open) };
}

/** The checkpoint that a config names, in the API's form; null if none. */
export function placeOf(config: unknown): Record<string, unknown> | null {
  const { configurable } = Object(config) as { configurable?: Record<string, unknown> };
  if (typeof configurable?.["thread_id"] !== "string") return null;
  const { thread_id, checkpoint_id, checkpoint_ns, checkpoint_map } = configurable;
  return {
    thread_id,
    checkpoint_id: checkpoint_id ?? null,
    checkpoint_ns: checkpoint_ns || "",
    checkpoint_map: checkpoint_map ?? null,
  };
}
