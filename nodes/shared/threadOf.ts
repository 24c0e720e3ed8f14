import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphState } from "../../state/state.js";
import { HOLD_KEY } from "../../tools/runtime/threadHolds.js";

/** The thread that calls are recorded under; a run without a checkpointer is its own thread. */
export function threadOf(options: {
  state: Pick<GraphState, "run">;
  config: LangGraphRunnableConfig;
}): string {
  const thread: unknown = options.config.configurable?.["thread_id"];
  return typeof thread === "string" ? thread : options.state.run.id;
}

/** Token of the run's hold on its thread, if it has a thread. */
export function holdOf({ configurable }: LangGraphRunnableConfig): string | undefined {
  const hold: unknown = configurable?.[HOLD_KEY];
  return typeof hold === "string" ? hold : undefined;
}
