import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../../models/reply.js";
import type { Prompt, SummarizeInput } from "../shared/stageInputs.js";
import { summarizePrompt } from "./summarizePrompt.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { type Context, readContext } from "../../state/context.js";
import type { Call, GraphState, StateUpdate } from "../../state/state.js";
import { askModel } from "../shared/askModel.js";
import { doubtsAbout, doubtsText } from "../acting/grounded.js";
import { knownTo } from "../shared/knownTo.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { resultsInWords } from "../shared/results.js";
import { situation } from "../shared/situation.js";

/** A prompt of as many characters is not sent, as published (BTP). */
const TOO_LONG = 25_000;

const answerReply = z.object({ answer: z.string().trim().min(1) });

/**
 * Writes what the calls of a search over steps have found, where no branch of it came to an answer (as
 * published, BTP also replaces the answers of branches, unseen). How the run has ended stays as it is. What
 * the search has said stays, and the results with it, where there is too much to write from, no usable
 * reply, or, when the model was told so once, still one with values that come from nowhere.
 */
export async function summarize(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const context = readContext(config);
  const input = await summarizeInput({ state, context });
  const prompt = summarizePrompt(input, problemAt(state, "summarize"));
  if (input.findings.length === 0) return {};
  if (lengthOf(prompt) >= TOO_LONG) return withoutSummary(state);
  const asked = await askModel(state, { prompt, context, config });
  // A limit or a refusal comes too late to change how the run has ended; what it used still counts.
  if ("end" in asked) {
    const { usage } = asked.end;
    return { ...withoutSummary(state), ...(usage ? { usage } : {}) };
  }
  const { reply, usage } = asked;
  const answer = answerReply.safeParse(jsonObject(reply.text)).data?.answer;
  if (!answer) return { ...withoutSummary(state), usage };
  const doubts = doubtsAbout(answer, knownTo({ state, context }));
  if (doubts.length === 0) return { answer, repair: null, usage };
  if (problemAt(state, "summarize")) return { ...withoutSummary(state), usage };
  const problem = doubtsText(doubts, "Leave out what they do not give.");
  return repairOrEnd({ state, stage: "summarize", problem, reply, usage });
}

/** A search without an answer still gives what its calls have found. */
function withoutSummary(state: GraphState): StateUpdate {
  const answer = [state.answer, resultsInWords(state)].filter(Boolean).join(" ");
  return { answer, repair: null };
}

function lengthOf({ messages }: Prompt): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}

async function summarizeInput(options: {
  state: GraphState;
  context: Context;
}): Promise<SummarizeInput> {
  const { state, context } = options;
  const executed = state.calls.filter(({ refused }) => !refused);
  const library = await runWorkspace().library(context);
  return {
    ...situation({ state, context }),
    draft: state.answer,
    findings: [...new Set(executed.map(({ tool }) => tool))].map((id) => {
      // A tool that was removed while the run was under way is known by its id alone.
      const { name, description } = library.get(id) ?? { name: id, description: "" };
      const calls = executed.filter(({ tool }) => tool === id);
      return { tool: { name, description }, calls: calls.map((call) => found(call, state)) };
    }),
  };
}

/** A result that is too long for the record is told as far as the agent was told it. */
function found(
  call: Call,
  { tree }: GraphState,
): SummarizeInput["findings"][number]["calls"][number] {
  const { id, args, result, resultRef, error } = call;
  if (error !== undefined) return { args, error };
  if (resultRef === undefined || result !== undefined) return { args, result };
  const told = tree?.nodes.flatMap(({ calls }) => calls).find((made) => made.id === id);
  return { args, result: told?.observation };
}
