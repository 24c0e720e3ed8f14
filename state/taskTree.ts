import { z } from "zod";
import { clipped } from "../common/text.js";

export interface TaskResult {
  task: string;
  result: string;
}

/** A node of a task tree (Tulip Agent: DfsTulip). */
const taskSchema = z.object({
  /** "1" for the request, "1.2" for the second task of its first plan, "1.2'" … in a later one. */
  id: z.string(),
  text: z.string(),
  parent: z.string().nullable(),
  /** 0 for the request. */
  level: z.number().int(),
  /** Ids of the tasks of each of its plans, in order; the last plan is the current one. */
  plans: z.array(z.array(z.string())),
  wordings: z.array(z.string()),
  /** Names of the nearest tools, whatever their distance. */
  hints: z.array(z.string()),
  /** Ids of tools near enough to solve it. */
  tools: z.array(z.string()),
  /** Id of the tool made for it; empty for none. */
  created: z.string(),
  /** Ids of the calls made for it. */
  calls: z.array(z.string()),
  status: z.enum(["open", "done", "failed", "skipped"]),
  result: z.string(),
  /** Whether the model says that it takes no tool. */
  noToolNeeded: z.boolean().optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** The next step for the current task; `done` when the whole tree is. */
const taskStepSchema = z.enum([
  "search",
  "decompose",
  "replan",
  "solve",
  "paraphrase",
  "create",
  "aggregate",
  "done",
]);
export type TaskStep = z.infer<typeof taskStepSchema>;

/** A task tree, worked through depth first with an explicit agenda. */
export const taskTreeSchema = z.object({
  tasks: z.array(taskSchema),
  /** Ids of the tasks in progress, innermost last. */
  agenda: z.array(z.string()),
  /** What the innermost task needs next. */
  step: taskStepSchema,
});
export type TaskTree = z.infer<typeof taskTreeSchema>;

/** A tree with one open task, the request. */
export function plantTree(request: string): TaskTree {
  const root = openTask({ id: "1", text: request, parent: null, level: 0 });
  return { tasks: [root], agenda: [root.id], step: "search" };
}

/** The innermost task in progress; undefined if there is no tree or it is done. */
export function currentTask(tree: TaskTree | null): Task | undefined {
  const id = tree?.agenda.at(-1);
  return tree?.tasks.find((task) => task.id === id);
}

export function rootTask({ tasks }: TaskTree): Task | undefined {
  return tasks.find(({ parent }) => parent === null);
}

export function changeCurrentTask(tree: TaskTree, change: Partial<Task>): TaskTree {
  const current = tree.agenda.at(-1);
  return {
    ...tree,
    tasks: tree.tasks.map((task) => (task.id === current ? { ...task, ...change } : task)),
  };
}

/** The tree with a plan for its innermost task. A plan of fewer than two tasks is ignored, as published. */
export function addPlan(tree: TaskTree, texts: readonly string[]): TaskTree {
  const task = currentTask(tree);
  if (!task || texts.length < 2) return tree;
  const again = "'".repeat(task.plans.length);
  const planned = texts.map((text, index) =>
    openTask({
      id: `${task.id}.${index + 1}${again}`,
      text,
      parent: task.id,
      level: task.level + 1,
    }),
  );
  const plans = [...task.plans, planned.map(({ id }) => id)];
  const changed = changeCurrentTask(tree, { plans });
  return { ...changed, tasks: [...changed.tasks, ...planned] };
}

/** The tasks of the current plan, in order; empty if there is no plan. */
export function plannedTasks(tree: TaskTree, task: Task): Task[] {
  return tasksOf(tree, task.plans.at(-1) ?? []);
}

export interface FailedPlan {
  subtasks: string[];
  reason: string;
}

/** The plans of a task whose plans have all failed, and why each did. */
export function failedPlans(tree: TaskTree, task: Task): FailedPlan[] {
  return task.plans.map((plan) => {
    const tasks = tasksOf(tree, plan);
    const failed = tasks.find(({ status }) => status === "failed");
    return {
      subtasks: tasks.map(({ text }) => text),
      reason: failed
        ? `“${failed.text}” failed: ${clipped(failed.result, REASON_LENGTH)}`
        : NOTHING_FOLLOWED,
    };
  });
}

const NOTHING_FOLLOWED = "the results of its tasks do not yield the result of the task";

/** Reasons quote those of the tasks below and must not grow with each level. */
const REASON_LENGTH = 400;

/** What a model is told of the current task and the results of earlier ones. */
export function taskAtHand({
  taskTree,
}: {
  taskTree: TaskTree | null;
}): { text: string; earlierResults: TaskResult[] } | undefined {
  const task = currentTask(taskTree);
  if (!taskTree || !task) return undefined;
  return { text: task.text, earlierResults: earlierResults(taskTree, task) };
}

/**
 * Results of the tasks before a task, oldest first: those before its parent task, and so on up, and those
 * before it in its plan (Tulip Agent: DfsTulip). Tasks of failed plans are left out.
 */
export function earlierResults(tree: TaskTree, task: Task): TaskResult[] {
  const parent = tree.tasks.find(({ id }) => id === task.parent);
  if (!parent) return [];
  const plan = parent.plans.find((ids) => ids.includes(task.id)) ?? [];
  const before = tasksOf(tree, plan.slice(0, plan.indexOf(task.id)));
  return [
    ...earlierResults(tree, parent),
    ...before
      .filter(({ status }) => status === "done")
      .map(({ text, result }) => ({ task: text, result })),
  ];
}

function tasksOf({ tasks }: TaskTree, ids: readonly string[]): Task[] {
  return ids.flatMap((id) => tasks.find((task) => task.id === id) ?? []);
}

function openTask(options: Pick<Task, "id" | "text" | "parent" | "level">): Task {
  return {
    ...options,
    plans: [],
    wordings: [],
    hints: [],
    tools: [],
    created: "",
    calls: [],
    status: "open",
    result: "",
  };
}
