import { z } from "zod";
import { oneLine } from "../../common/errors.js";
import { readSettings } from "../../state/settings.js";
import {
  changeCurrentTask,
  currentTask,
  earlierResults,
  type TaskResult,
} from "../../state/taskTree.js";
import { askFor, formQuestion } from "../kit/question.js";
import { replyForm } from "../kit/replyForm.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import type { RunBasics } from "../kit/stageInputs.js";
import { earlierResultsText, listed } from "../kit/promptTexts.js";
import { taskAtWork } from "./taskAtWork.js";

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
  return askingStage({ lines }, async (state, config) => {
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

function lines({ change: { taskTree } }: StageChange): Line[] {
  const task = currentTask(taskTree ?? null);
  if (!task) return [];
  return [
    task.wordings.includes(task.text)
      ? `${task.id}: no other words`
      : `${task.id} in other words: ${oneLine(task.text)}`,
  ];
}
