import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphState } from "../state/state.js";

/** The thread that calls are known by; a run without a checkpointer is its own thread. */
export function threadOf(options: {
  state: Pick<GraphState, "run">;
  config: LangGraphRunnableConfig;
}): string {
  const thread: unknown = options.config.configurable?.["thread_id"];
  return typeof thread === "string" ? thread : options.state.run.id;
}

/** Where the config of a run names its hold on the thread; what begins like this stays out of metadata. */
export const HOLD_KEY = "__thread_hold";

/** Token of the run's hold on its thread; none where the run has no thread. */
export function holdOf({ configurable }: LangGraphRunnableConfig): string | undefined {
  const hold: unknown = configurable?.[HOLD_KEY];
  return typeof hold === "string" ? hold : undefined;
}
