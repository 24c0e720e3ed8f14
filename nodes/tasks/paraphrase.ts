import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../../models/reply.js";
import { paraphrasePrompt } from "./paraphrasePrompt.js";
import { readContext } from "../../state/context.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { changeCurrentTask, currentTask, earlierResults } from "../../state/taskTree.js";
import { askModel } from "../shared/askModel.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { situation } from "../shared/situation.js";

const paraphraseReply = z.object({ task: z.string().trim().min(1) });

const UNUSABLE =
  'Your last reply was no JSON object with the key "task" and the task in other words. Reply with that alone.';

/**
 * Asks a model for other words for the innermost task, for which no tool was found; the old ones are kept
 * (Tulip Agent: DfsTulip). A model that has no other words gives the same again, and so does
 * one whose replies cannot be used.
 */
export async function paraphrase(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { taskTree } = state;
  const task = currentTask(taskTree);
  // Routers lead here with a task only.
  if (!taskTree || !task) return {};
  const context = readContext(config);
  const wordings = [...task.wordings, task.text];
  const prompt = paraphrasePrompt(
    {
      ...situation({ state, context }),
      task: task.text,
      tried: wordings,
      missing: task.result,
      earlierResults: earlierResults(taskTree, task),
    },
    problemAt(state, "paraphrase"),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const { data } = paraphraseReply.safeParse(jsonObject(reply.text));
  if (!data) {
    const instead = { taskTree: changeCurrentTask(taskTree, { wordings }) };
    return repairOrEnd({ state, stage: "paraphrase", problem: UNUSABLE, reply, usage, instead });
  }
  const { task: text } = data;
  return { taskTree: changeCurrentTask(taskTree, { wordings, text }), repair: null, usage };
}
