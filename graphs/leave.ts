import { Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { END, InvalidUpdateError, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphState } from "../state/state.js";

/** Where a stage can lead, and which way a state takes; no route if there is only one way. */
export interface Ways {
  ends: string[];
  route?: (state: GraphState, config: LangGraphRunnableConfig) => string;
}

/** A compiled graph, as far as leaving its stages goes. */
export interface Leavable {
  nodes: Record<string, { writers: Runnable[] }>;
  /** The channels of its state. */
  streamChannels: string[];
}

/** What LangGraph hands to a stage's writers. */
interface Writing {
  __pregel_send: (writes: [channel: string, value: unknown][]) => void;
  __pregel_read: (channels: readonly string[], isAfterWrites: true) => GraphState;
}

/**
 * Writes what a stage has changed, and where it leads. LangGraph does this with runnables for the update, for commands, for
 * the condition and for its edge, each with a config, callbacks and a trace of its own, which take as long as the rest of
 * a step.
 */
class Leave extends Runnable<Record<string, unknown> | null> {
  lc_namespace = ["tulipgraph"];

  constructor(
    private readonly ways: Ways,
    private readonly channels: readonly string[],
  ) {
    super();
  }

  override async invoke(update: Record<string, unknown> | null, config: RunnableConfig = {}) {
    if (typeof update !== "object" || Array.isArray(update))
      throw new InvalidUpdateError("an update is an object with channels");
    const { __pregel_send: send, __pregel_read: read } = config.configurable as Writing;
    send(Object.entries(update ?? {}).filter(([channel]) => this.channels.includes(channel)));
    const { route, ends } = this.ways;
    const next = route ? route(read(this.channels, true), config) : ends[0];
    if (next !== END) send([[`branch:to:${next}`, null]]);
    return update;
  }
}

/** Lets stages be left in one go. */
export function leaveAtOnce(graph: Leavable, ways: ReadonlyMap<string, Ways>): Leavable {
  for (const [name, way] of ways) {
    const node = graph.nodes[name];
    if (node) node.writers = [new Leave(way, graph.streamChannels)];
  }
  return graph;
}
