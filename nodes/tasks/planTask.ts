import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { decomposePrompt } from "../finding/decomposePrompt.js";
import { readContext } from "../../state/context.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { addPlan, currentTask, earlierResults, failedPlans } from "../../state/taskTree.js";
import { askModel } from "../shared/askModel.js";
import { readSubtasks } from "../finding/readSubtasks.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { situation } from "../shared/situation.js";

/**
 * Asks a model to split the innermost task, or to split it in another way where its plans have failed
 * (Tulip Agent: DfsTulip). A task that is not split stays as it is.
 */
export async function planTask(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { taskTree } = state;
  const task = currentTask(taskTree);
  // Routers lead here with a task only.
  if (!taskTree || !task) return {};
  const context = readContext(config);
  const input = {
    style: "tree" as const,
    ...situation({ state, context }),
    task: task.text,
    depth: task.level,
    toolNames: task.hints,
    earlierResults: earlierResults(taskTree, task),
    failedPlans: failedPlans(taskTree, task),
  };
  const prompt = decomposePrompt(input, problemAt(state, "planTask"));
  const asked = await askModel(state, { prompt, context, config }, "planTask");
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const read = readSubtasks(reply.text);
  if ("problem" in read) {
    const instead = { taskTree: addPlan(taskTree, []) };
    return repairOrEnd({ state, stage: "planTask", ...read, reply, usage, instead });
  }
  return { taskTree: addPlan(taskTree, read.texts), repair: null, usage };
}
