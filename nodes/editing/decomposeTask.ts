import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { decomposePrompt } from "../finding/decomposePrompt.js";
import { readContext } from "../../state/context.js";
import { openCallsOf } from "../../state/controls.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { DECOMPOSE_TASK } from "../../tools/control.js";
import { askModel } from "../shared/askModel.js";
import { readSubtasks } from "../finding/readSubtasks.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { situation } from "../shared/situation.js";
import { toolAnswer } from "../shared/toolAnswer.js";

const NOT_SPLIT = "The task could not be split. Go on with the task as a whole.";

const taskArguments = z.object({ task: z.string().trim().min(1) });

/**
 * Answers the model's own call of `decompose_task`, in a context of its own: the subtasks come back as the
 * result of the call (Tulip Agent: AutoTulip).
 */
export async function decomposeTask(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const [call] = openCallsOf(state, DECOMPOSE_TASK);
  // Routers lead here with such a call only.
  if (!call) return {};
  const given = taskArguments.safeParse(call.args);
  if (!given.success) {
    const text = `${call.name} needs task, a text that is not empty.`;
    return { messages: [toolAnswer(call, { text, failed: true })] };
  }
  const context = readContext(config);
  const input = {
    style: "plain" as const,
    ...situation({ state, context }),
    task: given.data.task,
    depth: 0,
  };
  const prompt = decomposePrompt(input, problemAt(state, "decomposeTask"));
  const asked = await askModel(state, { prompt, context, config }, "decomposeTask");
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const read = readSubtasks(reply.text);
  if ("problem" in read) {
    const instead = { messages: [toolAnswer(call, { text: NOT_SPLIT, failed: true })] };
    return repairOrEnd({ state, stage: "decomposeTask", ...read, reply, usage, instead });
  }
  const text = subtasksText(read.texts);
  return { messages: [toolAnswer(call, { text })], repair: null, usage };
}

function subtasksText(texts: readonly string[]): string {
  if (texts.length <= 1) return "The task is a single step and cannot be split further.";
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}
