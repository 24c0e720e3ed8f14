import type { CallbackManagerForChainRun } from "@langchain/core/callbacks/manager";
import { Runnable, type RunnableConfig, patchConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import {
  END,
  InvalidUpdateError,
  type LangGraphRunnableConfig,
  isCommand,
} from "@langchain/langgraph";
import type { Stage } from "../nodes/shared/stage.js";
import type { GraphState } from "../state/state.js";

/** Where a stage can lead, and which way a state takes; no route if there is only one way. */
export interface Ways {
  ends: string[];
  route?: (state: GraphState, config: LangGraphRunnableConfig) => string;
}

/** A compiled graph, as far as its steps go. */
export interface Stepping {
  nodes: Record<string, { writers: Runnable[]; getNode: () => Runnable }>;
  /** The channels of its state. */
  streamChannels: string[];
}

/** What LangGraph hands to a step. */
interface Writing {
  __pregel_send: (writes: [channel: string, value: unknown][]) => void;
  __pregel_read: (channels: readonly string[], isAfterWrites: true) => GraphState;
}

type Update = Record<string, unknown> | null;

/** Writes what a stage has changed, and where it leads. */
class Leave extends Runnable<Update, Update> {
  lc_namespace = ["tulipgraph"];

  constructor(
    private readonly ways: Ways,
    private readonly channels: readonly string[],
  ) {
    super();
  }

  override async invoke(update: Update, config: RunnableConfig = {}): Promise<Update> {
    this.leave(update, config);
    return update;
  }

  leave(update: Update, config: RunnableConfig): void {
    if (typeof update !== "object" || Array.isArray(update) || isCommand(update))
      throw new InvalidUpdateError(
        "a stage gives an object with channels, and leads where its row says; no list and no command",
      );
    const { __pregel_send: send, __pregel_read: read } = config.configurable as Writing;
    send(Object.entries(update ?? {}).filter(([channel]) => this.channels.includes(channel)));
    const { route, ends } = this.ways;
    const next = route ? route(read(this.channels, true), config) : ends[0];
    if (next !== END) send([[`branch:to:${next}`, null]]);
  }
}

/** Does the work of a stage and leaves it. */
class Step extends Runnable<GraphState, Update> {
  lc_namespace = ["tulipgraph"];

  constructor(
    private readonly run: Stage,
    private readonly way: Leave,
  ) {
    super();
  }

  override async invoke(state: GraphState, config?: RunnableConfig): Promise<Update> {
    return await this._callWithConfig(
      (_state, given, manager) => this.work(state, given, manager),
      state,
      config,
    );
  }

  private async work(
    state: GraphState,
    given?: RunnableConfig,
    manager?: CallbackManagerForChainRun,
  ): Promise<Update> {
    const config = patchConfig(given, { callbacks: manager?.getChild() });
    const run = async () => this.run(state, config);
    const update = ((await AsyncLocalStorageProviderSingleton.runWithConfig(config, run)) ??
      null) as Update;
    config.signal?.throwIfAborted();
    this.way.leave(update, config);
    return update;
  }
}

/**
 * Makes each step of a graph one runnable. LangGraph's own is a sequence of six, for the stage, its update, commands, the
 * condition and its edge, each with a config, callbacks and a trace of its own, which take longer than most stages.
 */
export function stepAtOnce(
  graph: Stepping,
  ways: ReadonlyMap<string, Ways>,
  runs: ReadonlyMap<string, Stage>,
): Stepping {
  for (const [name, way] of ways) {
    const node = graph.nodes[name];
    const leave = new Leave(way, graph.streamChannels);
    const run = runs.get(name);
    if (node) node.writers = [leave];
    if (node && run) node.getNode = () => new Step(run, leave);
  }
  return graph;
}
