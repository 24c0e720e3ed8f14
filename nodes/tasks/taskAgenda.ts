import { RemoveMessage } from "@langchain/core/messages";
import { runWorkspace } from "../../home/workspace.js";
import { callsOfTask, openCalls } from "../../state/calls.js";
import { splitConversation } from "../../state/history.js";
import { MOST_PARAPHRASES, readSettings, type Settings } from "../../state/settings.js";
import type { GraphState, StateUpdate, Task, TaskStep, TaskTree } from "../../state/state.js";
import {
  changeCurrentTask,
  currentTask,
  failedPlans,
  plannedTasks,
  plantTree,
  rootTask,
} from "../../state/taskTree.js";
import { isWorkDone } from "../acting/groundReply.js";
import { taskEnd } from "../acting/readReply.js";
import { type Line, stage, type StageChange } from "../kit/stage.js";
import { groundedAnswer, knownTo } from "../policy/grounding.js";
import { offeredTools } from "../policy/offeredTools.js";
import { shortLedger } from "../policy/toolOffer.js";
import { taskLine } from "./taskAtWork.js";

const DEEPEST = 3;

const MOST_REPLANS = 1;

/**
 * Steers the work on a task tree (Tulip Agent: DfsTulip): plants it, records the outcome of each step, and decides what
 * the innermost task needs next or how the run ends. A task's calls and observations are private: once it is over they
 * leave the conversation, which keeps the request and the answer. The record of the calls stays.
 */
export function taskAgenda() {
  return stage({ ends: true, lines }, async (state, config): Promise<StateUpdate> => {
    if (!state.taskTree) return { taskTree: plantTree(state.run.request) };
    const settings = readSettings(config, state);
    const taskTree = advanceTask(await takeIn(state, settings, state.taskTree));
    return {
      taskTree,
      messages: splitConversation(state).since.map(({ id = "" }) => new RemoveMessage({ id })),
      ...(await preparations(state, settings, taskTree)),
    };
  });
}

/** Records the outcome of a step done by other stages; tree stages update the tree themselves. */
async function takeIn(state: GraphState, settings: Settings, tree: TaskTree): Promise<TaskTree> {
  const task = currentTask(tree);
  if (tree.step === "solve") return changeCurrentTask(tree, await solution(state, settings));
  if (tree.step === "create" && task) return changeCurrentTask(tree, ownTool(state, task));
  return tree;
}

async function solution(state: GraphState, settings: Settings): Promise<Partial<Task>> {
  const { reply } = openCalls(state);
  const end = taskEnd(reply);
  // Tools that the budget does not allow were never a choice, and no others are wanted.
  const { offered } = await offeredTools(state, settings);
  const calls = callsOfTask(state);
  const inWords = !reply.tool_calls?.length;
  const isHasty = inWords && offered.size > 0 && !isWorkDone(state, calls);
  const { answer, solved } = groundedAnswer({
    state,
    calls,
    answer: end?.message ?? "",
    known: knownTo(state, settings),
    claimed: end?.solved === true && !isHasty,
    inWords,
  });
  return {
    ...(offered.size === 0 ? { tools: [] } : {}),
    status: solved ? "done" : "failed",
    result: answer,
    ...(end?.no_tool_needed ? { noToolNeeded: true } : {}),
    calls: calls.map(({ id }) => id),
  };
}

/** A task has failed if no tool could be made for it either. */
function ownTool({ edits }: GraphState, { text, result }: Task): Partial<Task> {
  const last = edits.at(-1);
  if (last && (last.outcome === "done" || last.outcome === "reused"))
    return { created: last.tool, tools: [last.tool] };
  const why = last?.reason ? `: ${last.reason}` : "";
  return {
    status: "failed",
    result: `${result || `No tool was found for “${text}”.`} None could be made${why}`,
  };
}

/** What the other channels must hold for the tree's next step. */
async function preparations(
  state: GraphState,
  settings: Settings,
  taskTree: TaskTree,
): Promise<StateUpdate> {
  const { step } = taskTree;
  const task = currentTask(taskTree);
  if (step === "done") return await ending(state, settings, taskTree);
  if (step === "solve") return { toolIds: task?.tools ?? [] };
  if (step !== "create") return {};
  // A tool that is written may call those that are nearest to the task, though none does it alone.
  const near = new Set(task?.hints);
  const library = await runWorkspace().library(settings);
  const callable = library.list().filter(({ name }) => near.has(name));
  return { toolIds: callable.map(({ id }) => id) };
}

async function ending(
  state: GraphState,
  settings: Settings,
  taskTree: TaskTree,
): Promise<StateUpdate> {
  const root = rootTask(taskTree);
  const answer = root?.result ?? "";
  if (root?.status === "done") return { status: root.noToolNeeded ? "answered" : "solved", answer };
  const ledger = shortLedger(state, await offeredTools(state, settings));
  return ledger ? { status: "budget", answer, ledger } : { status: "unsolved", answer };
}

function lines({ change: { taskTree }, before }: StageChange): Line[] {
  if (!taskTree) return [];
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
