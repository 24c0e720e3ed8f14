import type { Task } from "../../state/state.js";
import {
  changeCurrentTask,
  currentTask,
  plannedTasks,
  type TaskResult,
} from "../../state/taskTree.js";
import { askResult } from "../policy/askResult.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import { taskAtWork, taskLine } from "./taskAtWork.js";

/**
 * Asks a model for the innermost task's result from those of its parts (Tulip Agent: DfsTulip). An empty result
 * never counts as success, as it did in the reference. If replies stay unusable, or the result still has
 * unsupported values after the model was told, the parts' results are used instead.
 */
export function aggregate() {
  return askingStage({ lines }, async (state, config) => {
    const { tree, task } = taskAtWork(state, "aggregate");
    const results = plannedTasks(tree, task).map(({ text, result }) => ({ task: text, result }));
    const instead = { taskTree: changeCurrentTask(tree, resultOfParts(results)) };
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
    const taskTree = changeCurrentTask(tree, { status, result: told });
    return { taskTree, repair: null, usage };
  });
}

function resultOfParts(parts: readonly TaskResult[]): Pick<Task, "status" | "result"> {
  const lines = parts
    .filter(({ result }) => result)
    .map(({ task, result }) => `${task}: ${result}`);
  return { status: lines.length > 0 ? "done" : "failed", result: lines.join("\n") };
}

function lines({ change: { taskTree } }: StageChange): Line[] {
  const task = currentTask(taskTree ?? null);
  return task ? [taskLine(task)] : [];
}
