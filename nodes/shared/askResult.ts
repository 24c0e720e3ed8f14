import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../../models/reply.js";
import { aggregatePrompt } from "./aggregatePrompt.js";
import type { TaskResult } from "./stageInputs.js";
import { readContext } from "../../state/context.js";
import type { GraphState, StateUpdate, Usage } from "../../state/state.js";
import { askModel } from "./askModel.js";
import { doubtsAbout, doubtsText } from "../acting/grounded.js";
import { knownTo } from "./knownTo.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { situation } from "./situation.js";

/** Some models write the truth values of JSON as texts. */
const resultReply = z.object({
  result: z.string().trim(),
  solved: z.union([z.boolean(), z.stringbool()]).default(true),
});

const UNUSABLE =
  'Your last reply was no JSON object with the keys "result", a text, and "solved", true or false. Reply with that alone.';

/** A task's result in words, as the model gave it. */
export interface WordedResult {
  result: string;
  /** Whether the model says that nothing is missing. */
  solved: boolean;
  /** It holds what comes from nowhere, and did so after the model was told. */
  isDoubtful: boolean;
  usage: Usage;
}

/**
 * Asks for the result of a task in words, from some results alone: the model sees no tools. What it supposes, and no result
 * gives, is asked about once.
 *
 * @param options.stage of the node that asks, under which a reply is asked for again
 * @param options.instead what becomes of the state after too many unusable replies
 */
export async function askResult(options: {
  state: GraphState;
  config: LangGraphRunnableConfig;
  stage: string;
  task: string;
  results: TaskResult[];
  instead: StateUpdate;
}): Promise<WordedResult | { update: StateUpdate }> {
  const { state, config, stage, task, results, instead } = options;
  const context = readContext(config);
  // Under this name a result is asked for again, so that it is asked for again once.
  const ungrounded = `${stage} values`;
  const prompt = aggregatePrompt(
    { ...situation({ state, context }), task, results },
    problemAt(state, stage) ?? problemAt(state, ungrounded),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return { update: asked.end };
  const { reply, usage } = asked;
  const { data } = resultReply.safeParse(jsonObject(reply.text));
  if (!data)
    return { update: repairOrEnd({ state, stage, problem: UNUSABLE, reply, usage, instead }) };
  const doubts = doubtsAbout(data.result, knownTo({ state, context }));
  if (doubts.length > 0 && state.repair?.stage !== ungrounded) {
    const problem = doubtsText(doubts, "Leave out what they do not give.");
    return { update: repairOrEnd({ state, stage: ungrounded, problem, reply, usage }) };
  }
  return { ...data, isDoubtful: doubts.length > 0, usage };
}
