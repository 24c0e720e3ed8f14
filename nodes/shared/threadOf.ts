import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { GraphState } from "../../state/state.js";
import { HOLD_KEY } from "../../tools/runtime/journal/threadHolds.js";

/** The thread that calls are recorded under; a run without a checkpointer is its own thread. */
export function threadOf(options: {
  state: Pick<GraphState, "run">;
  config: LangGraphRunnableConfig;
}): string {
  const thread: unknown = options.config.configurable?.["thread_id"];
  return typeof thread === "string" ? thread : options.state.run.id;
}

/** Whether the run can be paused to ask a person: LangGraph keeps it meanwhile only if it has a checkpointer. */
export function canAsk({ configurable }: LangGraphRunnableConfig): boolean {
  return configurable?.[CHECKPOINTER_KEY] !== undefined;
}

/** Under which LangGraph hands its checkpointer on. */
const CHECKPOINTER_KEY = "__pregel_checkpointer";

/** Token of the run's hold on its thread, if it has a thread. */
export function holdOf({ configurable }: LangGraphRunnableConfig): string | undefined {
  const hold: unknown = configurable?.[HOLD_KEY];
  return typeof hold === "string" ? hold : undefined;
}
