import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../../models/reply.js";
import { readContext } from "../../state/context.js";
import type { GraphState, StateUpdate, Usage } from "../../state/state.js";
import { doubtsAbout, doubtsText } from "../acting/grounded.js";
import { earlierTurnsText } from "./conversationText.js";
import { askFor, formQuestion } from "./question.js";
import { knownTo } from "./knownTo.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { replyForm } from "./replyForm.js";
import { runBasics } from "./runBasics.js";
import type { RunBasics, TaskResult } from "./stageInputs.js";
import { numberedResults } from "./taskResults.js";

/** What is known when a model is asked for a task's result from those of its parts. */
export interface AggregateInput extends RunBasics {
  task: string;
  results: TaskResult[];
}

declare module "./stageInputs.js" {
  interface StageInputs {
    aggregate: AggregateInput;
  }
}

/** Some models write the truth values of JSON as texts, or leave them out. */
const looseResult = z.object({
  result: z.string(),
  solved: z.union([z.boolean(), z.stringbool()]).default(true),
});

/**
 * Asks for the result of a task from the results of its subtasks (Tulip Agent: DfsTulip). The reference
 * took an empty reply for a success; here the reply says itself whether the task is solved.
 */
export const aggregateQuestion = formQuestion({
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
    (await import("../../models/offline/summary.js")).replyToAggregate(input),
});

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
 * Asks for the result of a task in words, from some results alone: the model sees no tools. What it supposes, and
 * no result gives, is asked about once.
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
  const input: AggregateInput = { ...runBasics({ state, context }), task, results };
  const problem = problemAt(state, ungrounded);
  const question = { state, context, config, input, instead, at: stage, problem };
  const answer = await askFor(aggregateQuestion, question);
  if ("end" in answer) return { update: answer.end };
  const { value, reply, asked } = answer;
  const { usage } = asked;
  const doubts = doubtsAbout(value.result, knownTo({ state, context }));
  if (doubts.length > 0 && state.repair?.stage !== ungrounded) {
    const doubt = doubtsText(doubts, "Leave out what they do not give.");
    return { update: repairOrEnd({ state, stage: ungrounded, problem: doubt, reply, usage }) };
  }
  return { ...value, isDoubtful: doubts.length > 0, usage };
}
