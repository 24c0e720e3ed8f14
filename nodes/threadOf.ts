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
