import { readSettings } from "../../state/settings.js";
import {
  addPlan,
  currentTask,
  earlierResults,
  failedPlans,
  plannedTasks,
} from "../../state/taskTree.js";
import { type DecomposeInput, decomposeQuestion } from "../finding/decompose.js";
import { askFor } from "../kit/question.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import { taskAtWork, taskLine } from "./taskAtWork.js";

/**
 * Asks a model to split the innermost task, differently if earlier plans failed (Tulip Agent: DfsTulip). A task
 * that is not split stays as it is.
 */
export function planTask() {
  return askingStage({ lines }, async (state, config) => {
    const { tree, task } = taskAtWork(state, "planTask");
    const settings = readSettings(config);
    const input: DecomposeInput = {
      style: "tree",
      ...runBasics(state, settings),
      task: task.text,
      depth: task.level,
      toolNames: task.hints,
      earlierResults: earlierResults(tree, task),
      failedPlans: failedPlans(tree, task),
    };
    const instead = { taskTree: addPlan(tree, []) };
    const asked = { state, settings, config, input, instead, at: "planTask" };
    const answer = await askFor(decomposeQuestion, asked);
    if ("end" in answer) return answer.end;
    return { taskTree: addPlan(tree, answer.value), ...answer.asked };
  });
}

function lines({ change: { taskTree }, before }: StageChange): Line[] {
  const task = currentTask(taskTree ?? null);
  if (!taskTree || !task) return [];
  const plansBefore = before.taskTree?.tasks.find(({ id }) => id === task.id)?.plans.length ?? 0;
  if (task.plans.length === plansBefore) return [`${task.id} is not split`];
  return plannedTasks(taskTree, task).map(taskLine);
}
