import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { TaskResult } from "../shared/stageInputs.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { changeCurrentTask, currentTask, plannedTasks } from "../../state/taskTree.js";
import type { Task } from "../../state/tasks.js";
import { askResult } from "../shared/askResult.js";

/**
 * Asks a model for the result of the innermost task from those of its parts (Tulip Agent: DfsTulip). No
 * result is none, whatever the model says; in the reference it counted as success. Where the model's replies cannot be
 * used, or a result holds values from nowhere though the model was told, the results of the parts are the result.
 */
export async function aggregate(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { taskTree } = state;
  const task = currentTask(taskTree);
  // Routers lead here with a task only.
  if (!taskTree || !task) return {};
  const results = plannedTasks(taskTree, task).map(({ text, result }) => ({ task: text, result }));
  const instead = { taskTree: changeCurrentTask(taskTree, resultOfParts(results)) };
  const asked = await askResult({
    state,
    config,
    stage: "aggregate",
    task: task.text,
    results,
    instead,
  });
  if ("update" in asked) return asked.update;
  const { result, solved, isDoubtful, usage } = asked;
  const told = isDoubtful ? resultOfParts(results).result : result;
  const status = solved && told ? ("done" as const) : ("failed" as const);
  const update = { status, result: told };
  return { taskTree: changeCurrentTask(taskTree, update), repair: null, usage };
}

function resultOfParts(parts: readonly TaskResult[]): Pick<Task, "status" | "result"> {
  const lines = parts
    .filter(({ result }) => result)
    .map(({ task, result }) => `${task}: ${result}`);
  return { status: lines.length > 0 ? "done" : "failed", result: lines.join("\n") };
}
