import { readSettings } from "../../state/settings.js";
import {
  addPlan,
  currentTask,
  earlierResults,
  failedPlans,
  plannedTasks,
  changeCurrentTask,
} from "../../state/taskTree.js";
import { type DecomposeInput, decomposeQuestion } from "../finding/decompose.js";
import { askFor } from "../kit/question.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage, stage } from "../kit/stage.js";
import { taskAtWork, taskLine } from "./taskAtWork.js";
import { addUsage } from "../../state/state.js";
import { runWorkspace } from "../../home/workspace.js";
import {
  embeddingRefusal,
  searchFor,
  searchLines,
  textsFor,
  toolsOf,
} from "../policy/searchFor.js";

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

/**
 * Searches with the words of the innermost task (Tulip Agent: DfsTulip). The planner is told the nearest `topK` tools,
 * however far; those near enough may solve the task. One search serves both; the published method runs it twice.
 */
export function searchTask() {
  return stage({ ends: true, lines: searchLines }, async (state, config) => {
    const { tree, task } = taskAtWork(state, "searchTask");
    const settings = readSettings(config, state);
    const refusal = embeddingRefusal(state, settings, textsFor([task.text]));
    if (refusal) return refusal;
    const library = await runWorkspace().library(settings);
    const queue = [{ phrase: task.text, subtask: task.id, depth: task.level }];
    const { searches, missed, used } = await searchFor(
      { state, settings, library },
      { queue, purpose: "phrase" },
    );
    const found = toolsOf(searches);
    const earlier = state.earlierTools.filter((id) => library.get(id) !== undefined);
    return {
      taskTree: changeCurrentTask(tree, {
        hints: [...found, ...missed]
          .slice(0, settings.topK)
          .flatMap((id) => library.get(id)?.name ?? []),
        tools: [...new Set([...found, ...earlier])],
      }),
      searches: [...state.searches, ...searches],
      usage: addUsage(state.usage, used),
    };
  });
}
