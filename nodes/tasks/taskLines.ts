import { oneLine } from "../../common/errors.js";
import type { Task, TaskTree } from "../../state/state.js";
import { followedPlan } from "../../state/taskTree.js";
import type { Line } from "../shared/stage.js";

/** Most characters shown of a result or reason. */
const RESULT_LENGTH = 160;

const MARKS: Record<Task["status"], string> = {
  open: "▸",
  done: "✓",
  failed: "✗",
  skipped: "–",
};

/** A task with its outcome. */
export function taskLine({ id, text, status, result }: Task): string {
  const whole = oneLine(result);
  const told = whole.length > RESULT_LENGTH ? `${whole.slice(0, RESULT_LENGTH - 1)}…` : whole;
  const outcome = status === "done" ? ` = ${told}` : told && `: ${told}`;
  return `${MARKS[status]} ${id} ${oneLine(text)}${outcome}`;
}

/** A task tree drawn with lines; tasks of abandoned plans may be skipped. */
export function treeLines(tree: TaskTree): Line[] {
  return tree.tasks
    .filter(({ parent }) => parent === null)
    .flatMap((task) => [taskLine(task), ...branchLines({ tree, task, lead: "", isLeft: false })]);
}

/** @param branch.isLeft the task belongs to an abandoned plan */
function branchLines(branch: {
  tree: TaskTree;
  task: Task;
  lead: string;
  isLeft: boolean;
}): Line[] {
  const { tree, task, lead } = branch;
  const planned = task.plans.flat();
  const followed = followedPlan(tree, task);
  return planned.flatMap((id, index) => {
    const subtask = tree.tasks.find((each) => each.id === id);
    if (!subtask) return [];
    const isLast = index === planned.length - 1;
    const isLeft = branch.isLeft || !followed.includes(id);
    const line = `${lead}${isLast ? "└─" : "├─"} ${taskLine(subtask)}`;
    const below = { tree, task: subtask, lead: `${lead}${isLast ? "  " : "│ "} `, isLeft };
    return [isLeft ? [{ aside: line }] : line, ...branchLines(below)];
  });
}
