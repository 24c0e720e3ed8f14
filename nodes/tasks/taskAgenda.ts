import { RemoveMessage } from "@langchain/core/messages";
import { runWorkspace } from "../../home/workspace.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { openCalls, callsOfTask } from "../../state/calls.js";
import { splitConversation } from "../../state/history.js";
import type { GraphState, StateUpdate, Task, TaskTree } from "../../state/state.js";
import { changeCurrentTask, currentTask, plantTree, rootTask } from "../../state/taskTree.js";
import { advanceTask } from "./advanceTask.js";
import { taskEnd } from "../acting/readReply.js";
import { groundedAnswer, knownTo } from "../policy/grounding.js";
import { isWorkDone } from "../acting/groundReply.js";
import { offeredTools } from "../policy/offeredTools.js";
import { shortLedger } from "../policy/toolOffer.js";
import { type Line, type StageChange, stage } from "../kit/stage.js";
import { taskLine } from "./taskAtWork.js";

/**
 * Steers the work on a task tree (Tulip Agent: DfsTulip): plants it, records the outcome of each step, and
 * decides what the innermost task needs next or how the run ends. A task's calls and observations are private:
 * once it is over they leave the conversation, which keeps the request and the answer. The record of the calls
 * stays.
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
  if (last && (last.outcome === "done" || last.outcome === "reused")) {
    return { created: last.tool, tools: [last.tool] };
  }
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
