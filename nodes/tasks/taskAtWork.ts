import type { GraphState, Task, TaskTree } from "../../state/state.js";
import { currentTask } from "../../state/taskTree.js";
import { needed } from "../shared/needed.js";

/**
 * The tree of a run and its innermost task, for a stage that works on it.
 *
 * @throws WiringFault if there is none
 */
export function taskAtWork(
  { taskTree }: GraphState,
  stage: string,
): { tree: TaskTree; task: Task } {
  const tree = needed(taskTree, { stage, what: "a tree of tasks" });
  return { tree, task: needed(currentTask(tree), { stage, what: "a task" }) };
}
