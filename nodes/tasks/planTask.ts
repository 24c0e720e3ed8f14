import { readSettings } from "../../state/settings.js";
import {
  addPlan,
  currentTask,
  earlierResults,
  failedPlans,
  plannedTasks,
  changeCurrentTask,
  type TaskResult,
} from "../../state/taskTree.js";
import { type DecomposeInput, decomposeQuestion } from "../finding/decompose.js";
import { askFor, formQuestion } from "../kit/question.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage, stage } from "../kit/stage.js";
import { taskAtWork, taskLine } from "./taskAtWork.js";
import { addUsage, type Task } from "../../state/state.js";
import { runWorkspace } from "../../home/workspace.js";
import {
  embeddingRefusal,
  searchFor,
  searchLines,
  textsFor,
  toolsOf,
} from "../policy/searchFor.js";
import { z } from "zod";
import { oneLine } from "../../common/errors.js";
import { replyForm } from "../kit/replyForm.js";
import type { RunBasics } from "../kit/stageInputs.js";
import { earlierResultsText, listed } from "../kit/promptTexts.js";
import { askResult } from "../policy/askResult.js";

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

export interface ParaphraseInput extends RunBasics {
  task: string;
  /** Wordings that found nothing, including the current one. */
  tried: string[];
  /** Why none of the found tools fits; empty if none was found. */
  missing: string;
  earlierResults: TaskResult[];
}

/** Asks for a rewording of a task (Tulip Agent: DfsTulip). */
const paraphraseQuestion = formQuestion({
  stage: "paraphrase",
  form: replyForm(
    z.object({ task: z.string().trim().min(1).describe("The same task in other words") }),
  ),
  instructions: () => [
    "A search of a tool library by meaning found no tool for a task. Reword the task so that another search may find one.",
    "Keep the meaning and every value, unit, name and reference to an earlier result. Use plain, general words such as a tool's description would: name the operation first, then what it acts on. Try another verb, the usual term for a rare one, or the operation behind an everyday phrase. Do not do the task or split it.",
  ],
  task: ({ request, task, tried, missing, earlierResults }: ParaphraseInput) => [
    request !== task && `The request as a whole: ${request}`,
    earlierResultsText(earlierResults),
    `Task: ${task}`,
    missing && `Tools were found, but none fits: ${missing}`,
    tried.length > 0 && listed("Do not use these wordings; they found nothing:", tried),
  ],
});

/**
 * Asks a model to reword the innermost task, which found no tool; old wordings are kept (Tulip Agent:
 * DfsTulip). A model without other words, or with unusable replies, leaves the wording as it is.
 */
export function paraphrase() {
  return askingStage({ lines: linesOfParaphrase }, async (state, config) => {
    const { tree, task } = taskAtWork(state, "paraphrase");
    const settings = readSettings(config);
    const wordings = [...task.wordings, task.text];
    const input: ParaphraseInput = {
      ...runBasics(state, settings),
      task: task.text,
      tried: wordings,
      missing: task.result,
      earlierResults: earlierResults(tree, task),
    };
    const instead = { taskTree: changeCurrentTask(tree, { wordings }) };
    const answer = await askFor(paraphraseQuestion, { state, settings, config, input, instead });
    if ("end" in answer) return answer.end;
    const { task: text } = answer.value;
    return { taskTree: changeCurrentTask(tree, { wordings, text }), ...answer.asked };
  });
}

function linesOfParaphrase({ change: { taskTree } }: StageChange): Line[] {
  const task = currentTask(taskTree ?? null);
  if (!task) return [];
  return [
    task.wordings.includes(task.text)
      ? `${task.id}: no other words`
      : `${task.id} in other words: ${oneLine(task.text)}`,
  ];
}

/**
 * Asks a model for the innermost task's result from those of its parts (Tulip Agent: DfsTulip). An empty result
 * never counts as success, as it did in the reference. If replies stay unusable, or the result still has
 * unsupported values after the model was told, the parts' results are used instead.
 */
export function aggregate() {
  return askingStage({ lines: linesOfAggregate }, async (state, config) => {
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

function linesOfAggregate({ change: { taskTree } }: StageChange): Line[] {
  const task = currentTask(taskTree ?? null);
  return task ? [taskLine(task)] : [];
}
