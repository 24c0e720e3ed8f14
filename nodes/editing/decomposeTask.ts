import { z } from "zod";
import { readSettings } from "../../state/settings.js";
import { openCallsOf } from "../../state/calls.js";
import { DECOMPOSE_TASK } from "../../tools/control.js";
import { type DecomposeInput, decomposeQuestion } from "../finding/decompose.js";
import { needed, askingStage } from "../kit/stage.js";
import { askFor } from "../kit/question.js";
import { runBasics } from "../kit/runBasics.js";
import { answerLines, toolAnswer } from "../policy/callTexts.js";

const taskArguments = z.object({ task: z.string().trim().min(1) });

/**
 * Answers the model's own call of `decompose_task` in a separate context: the subtasks are the call's result
 * (Tulip Agent: AutoTulip).
 */
export function decomposeTask() {
  return askingStage(
    { lines: ({ change }) => answerLines(change.messages) },
    async (state, config) => {
      const [open] = openCallsOf(state, DECOMPOSE_TASK);
      const call = needed(open, {
        stage: "decomposeTask",
        what: `a call of ${DECOMPOSE_TASK.name}`,
      });
      const given = taskArguments.safeParse(call.args);
      if (!given.success) {
        const text = `${call.name} needs task, a text that is not empty.`;
        return { messages: [toolAnswer(call, { text, failed: true })] };
      }
      const settings = readSettings(config);
      const input: DecomposeInput = {
        style: "plain",
        ...runBasics(state, settings),
        task: given.data.task,
        depth: 0,
      };
      const text = "The task could not be split. Go on with the task as a whole.";
      const instead = { messages: [toolAnswer(call, { text, failed: true })] };
      const asked = { state, settings, config, input, instead, at: "decomposeTask" };
      const answer = await askFor(decomposeQuestion, asked);
      if ("end" in answer) return answer.end;
      return {
        messages: [toolAnswer(call, { text: subtasksText(answer.value) })],
        ...answer.asked,
      };
    },
  );
}

function subtasksText(texts: readonly string[]): string {
  if (texts.length <= 1) return "The task is a single step and cannot be split further.";
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}
