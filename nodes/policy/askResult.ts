import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../../models/chat/reply.js";
import { readSettings } from "../../state/settings.js";
import type { GraphState, StateUpdate, Usage } from "../../state/state.js";
import { doubtsAbout, doubtsText, knownTo } from "./grounding.js";
import { earlierTurnsText, numberedResults } from "../kit/promptTexts.js";
import { askFor, formQuestion } from "../kit/question.js";
import { problemAt, repairOrEnd } from "../kit/askModel.js";
import { replyForm } from "../kit/replyForm.js";
import { truth } from "../../common/schemas/truth.js";
import { runBasics } from "../kit/runBasics.js";
import type { RunBasics } from "../kit/stageInputs.js";
import type { TaskResult } from "../../state/taskTree.js";

export interface AggregateInput extends RunBasics {
  task: string;
  results: TaskResult[];
}

/** Some models write JSON booleans as strings, or omit them. */
const looseResult = z.object({ result: z.string(), solved: truth.default(true) });

/**
 * Asks for the result of a task from the results of its subtasks (Tulip Agent: DfsTulip). The reference counted
 * an empty reply as success; here the reply itself says whether the task is solved.
 */
const aggregateQuestion = formQuestion({
  stage: "aggregate",
  form: replyForm(
    z.object({
      result: z.string().trim().describe("The result of the task, or what is missing for it"),
      solved: z.boolean().describe("Whether the results give all that the task asks for"),
    }),
    { mended: (text) => looseResult.safeParse(jsonObject(text)).data },
  ),
  instructions: () => [
    "Give the result of a task from the results of its subtasks.",
    "Use only these results, with their values unchanged; do not calculate, assume, or add what you know. Answer every part, name each value with its unit, and leave out intermediate results. If anything asked for is missing, set solved to false and say in result what it is.",
  ],
  task: ({ request, earlierTurns, task, results }: AggregateInput) => [
    earlierTurnsText(earlierTurns),
    request !== task && `The request as a whole: ${request}`,
    `Task: ${task}`,
    ["Results of its subtasks:", ...numberedResults(results)].join("\n"),
  ],
  byRules: async (input) =>
    (await import("../../models/offline/replies.js")).replyToAggregate(input),
});

/** A task's result in the model's words. */
interface WordedResult {
  result: string;
  solved: boolean;
  /** It still contains unsupported values after the model was told. */
  isDoubtful: boolean;
  usage: Usage;
}

/**
 * Asks for the result of a task in words from given results only: the model sees no tools. If it states values
 * that no result supports, it is asked again once.
 *
 * @param options.stage of the node that asks, under which it asks again
 * @param options.instead the update after too many unusable replies
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
  const settings = readSettings(config);
  // Asking again under a name of its own limits it to once.
  const ungrounded = `${stage} values`;
  const input: AggregateInput = { ...runBasics(state, settings), task, results };
  const problem = problemAt(state, ungrounded);
  const question = { state, settings, config, input, instead, at: stage, problem };
  const answer = await askFor(aggregateQuestion, question);
  if ("end" in answer) return { update: answer.end };
  const { value, reply, asked } = answer;
  const { usage } = asked;
  const doubts = doubtsAbout(value.result, knownTo(state, settings));
  if (doubts.length > 0 && state.repair?.stage !== ungrounded) {
    const doubt = doubtsText(doubts, "Leave out what they do not give.");
    return { update: repairOrEnd({ state, stage: ungrounded, problem: doubt, reply, usage }) };
  }
  return { ...value, isDoubtful: doubts.length > 0, usage };
}
