import { MOST_PARAPHRASES } from "../../state/settings.js";
import type { Task, TaskStep, TaskTree } from "../../state/state.js";
import { changeCurrentTask, currentTask, failedPlans, plannedTasks } from "../../state/taskTree.js";

const DEEPEST = 3;

const MOST_REPLANS = 1;

/**
 * Decides what a task tree needs next, once the innermost task holds the outcome of its last step: the
 * published recursion (Tulip Agent: DfsTulip) as an explicit agenda, so any checkpoint can be continued.
 * Differences from the reference: only library hits decide on misses (otherwise tasks were never paraphrased
 * and tools never made), and a task whose tools the model finds unfit counts as missed; tasks after a failed
 * one are skipped; a task on the last level is not split, since its parts could not be solved; results that do
 * not yield the task's result count as a failed plan.
 */
export function advanceTask(tree: TaskTree): TaskTree {
  const task = currentTask(tree);
  if (!task) return at(tree, "done");
  switch (tree.step) {
    case "search":
      if (task.level >= DEEPEST) return at(tree, unsplit(task));
      return at(tree, task.plans.length > 0 ? "replan" : "decompose");
    case "decompose":
    case "replan":
      return followPlan(tree, task) ?? at(tree, unsplit(task));
    case "paraphrase":
      // The same words would find the same.
      return at(tree, task.wordings.includes(task.text) ? "create" : "search");
    case "create":
      return task.created ? at(tree, "solve") : leave(withTriedPlans(tree, task));
    case "solve":
      if (foundUnfit(task)) {
        // What the model said about the tools stays as the reason, in case none can be made.
        const open: Partial<Task> = { status: "open", tools: [] };
        return at(changeCurrentTask(tree, open), unsplit({ ...task, tools: [] }));
      }
      return leave(task.status === "failed" ? withTriedPlans(tree, task) : tree);
    case "aggregate":
      return task.status === "failed" ? tryAgain(tree, task) : leave(tree);
    default:
      return tree;
  }
}

/** Near tools count as unfit if none was even tried. */
function foundUnfit({ status, calls, tools, created }: Task): boolean {
  return status === "failed" && calls.length === 0 && tools.length > 0 && !created;
}

function at(tree: TaskTree, step: TaskStep): TaskTree {
  return { ...tree, step };
}

/** What serves an unsplit task: its tools, a rewording, or finally a tool of its own. */
function unsplit({ tools, wordings }: Pick<Task, "tools" | "wordings">): TaskStep {
  if (tools.length > 0) return "solve";
  return wordings.length < MOST_PARAPHRASES ? "paraphrase" : "create";
}

function followPlan(tree: TaskTree, task: Task): TaskTree | undefined {
  const next = plannedTasks(tree, task).find(({ status }) => status === "open");
  return next && { ...tree, agenda: [...tree.agenda, next.id], step: "search" };
}

function leave(tree: TaskTree): TaskTree {
  let left = tree;
  while (true) {
    const task = currentTask(left);
    left = { ...left, agenda: left.agenda.slice(0, -1) };
    const parent = currentTask(left);
    if (!parent) return at(left, "done");
    if (task?.status === "done") return followPlan(left, parent) ?? at(left, "aggregate");
    left = skipRest(left, parent);
    if (mayReplan(parent)) return at(left, "search");
    left = withTriedPlans(left, parent);
  }
}

/** A plan's results were not enough: make another plan, or the task has failed. */
function tryAgain(tree: TaskTree, task: Task): TaskTree {
  if (!mayReplan(task)) return leave(withTriedPlans(tree, task));
  return at(changeCurrentTask(tree, { status: "open", result: "" }), "search");
}

function mayReplan({ plans }: Task): boolean {
  return plans.length <= MOST_REPLANS;
}

/** Tasks after a failed one in a plan would have nothing to build on. */
function skipRest(tree: TaskTree, task: Task): TaskTree {
  const rest = new Set(
    plannedTasks(tree, task)
      .filter(({ status }) => status === "open")
      .map(({ id }) => id),
  );
  const tasks = tree.tasks.map((each) =>
    rest.has(each.id) ? { ...each, status: "skipped" as const } : each,
  );
  return { ...tree, tasks };
}

function withTriedPlans(tree: TaskTree, task: Task): TaskTree {
  const why = task.result || `No plan for “${task.text}” succeeded.`;
  const plans = failedPlans(tree, task).map(
    ({ subtasks, reason }, index) => `Plan ${index + 1} (${subtasks.join("; ")}): ${reason}`,
  );
  return changeCurrentTask(tree, { status: "failed", result: [why, ...plans].join(" ") });
}
