import { oneLine } from "../../common/errors.js";
import { clipped } from "../../common/text.js";
import type { GraphState, Task, TaskTree } from "../../state/state.js";
import { currentTask } from "../../state/taskTree.js";
import { needed } from "../kit/stage.js";

/** The tree of a run and its innermost task, for a stage that works on it. @throws WiringFault if there is none */
export function taskAtWork(
  { taskTree }: GraphState,
  stage: string,
): { tree: TaskTree; task: Task } {
  const tree = needed(taskTree, { stage, what: "a tree of tasks" });
  return { tree, task: needed(currentTask(tree), { stage, what: "a task" }) };
}

const RESULT_LENGTH = 160;

const MARKS: Record<Task["status"], string> = { open: "▸", done: "✓", failed: "✗", skipped: "–" };

export function taskLine({ id, text, status, result }: Task): string {
  const told = clipped(oneLine(result), RESULT_LENGTH);
  const outcome = status === "done" ? ` = ${told}` : told && `: ${told}`;
  return `${MARKS[status]} ${id} ${oneLine(text)}${outcome}`;
}
