import { oneLine } from "../common/errors.js";
import type { Task, TaskTree } from "../state/state.js";
import { currentTask, followedPlan, plannedTasks } from "../state/taskTree.js";
import type { StageChange } from "./searchLines.js";
import { dim, shorten } from "./terminal.js";

/** Most characters of a result, or of a reason, that are shown. */
const RESULT_LENGTH = 160;

const MARKS: Record<Task["status"], string> = {
  open: "▸",
  done: "✓",
  failed: "✗",
  skipped: "–",
};

/** Tasks that have come to their end or were begun, and the whole tree once its work is done. */
export function taskAgendaLines({ change: { taskTree }, before }: StageChange): string[] {
  if (!taskTree) return [];
  if (taskTree.step === "done") return treeLines(taskTree);
  const known = new Map(before.taskTree?.tasks.map((task) => [task.id, task]));
  const ended = taskTree.tasks.filter(
    ({ id, status }) => status !== "open" && known.get(id)?.status === "open",
  );
  const current = currentTask(taskTree);
  const isNew = before.taskTree?.agenda.includes(current?.id ?? "") !== true;
  return [
    ...ended.map(taskLine),
    ...(current && isNew ? [taskLine(current)] : []),
    ...(taskTree.step === "replan" ? [`${current?.id}: another plan`] : []),
    ...(taskTree.step === "create" ? [`${current?.id}: no tool was found, making one`] : []),
  ];
}

/** The plan that was made for a task. */
export function planTaskLines({ change: { taskTree }, before }: StageChange): string[] {
  const task = currentTask(taskTree ?? null);
  if (!taskTree || !task) return [];
  const plansBefore = before.taskTree?.tasks.find(({ id }) => id === task.id)?.plans.length ?? 0;
  if (task.plans.length === plansBefore) return [`${task.id} is not split`];
  return plannedTasks(taskTree, task).map(taskLine);
}

/** The task in other words, where the model had any. */
export function paraphraseLines({ change: { taskTree } }: StageChange): string[] {
  const task = currentTask(taskTree ?? null);
  if (!task) return [];
  return [
    task.wordings.includes(task.text)
      ? `${task.id}: no other words`
      : `${task.id} in other words: ${oneLine(task.text)}`,
  ];
}

/** What the results of a plan have come to. */
export function aggregateLines({ change: { taskTree } }: StageChange): string[] {
  const task = currentTask(taskTree ?? null);
  return task ? [taskLine(task)] : [];
}

/** A task tree drawn with lines; tasks of plans that were given up are dimmed. */
export function treeLines(tree: TaskTree): string[] {
  return tree.tasks
    .filter(({ parent }) => parent === null)
    .flatMap((task) => [taskLine(task), ...branchLines(tree, task)]);
}

function branchLines(tree: TaskTree, task: Task): string[] {
  const planned = task.plans.flat();
  const followed = followedPlan(tree, task);
  return planned.flatMap((id, index) => {
    const subtask = tree.tasks.find((each) => each.id === id);
    if (!subtask) return [];
    const isLast = index === planned.length - 1;
    const lines = [
      `${isLast ? "└─" : "├─"} ${taskLine(subtask)}`,
      ...branchLines(tree, subtask).map((line) => `${isLast ? "  " : "│ "} ${line}`),
    ];
    return followed.includes(id) ? lines : lines.map(dim);
  });
}

function taskLine({ id, text, status, result }: Task): string {
  const told = result ? shorten({ text: oneLine(result), width: RESULT_LENGTH }) : "";
  const outcome = status === "done" ? ` = ${told}` : told && `: ${told}`;
  return `${MARKS[status]} ${id} ${oneLine(text)}${outcome}`;
}
