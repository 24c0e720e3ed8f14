import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../models/reply.js";
import type { Prompt, SummarizeInput } from "../prompts/stages.js";
import { summarizePrompt } from "../prompts/summarize.js";
import { openResources } from "../resources/resources.js";
import { type Context, readContext } from "../state/context.js";
import type { Call, GraphState, StateUpdate } from "../state/state.js";
import { askModel } from "./askModel.js";
import { resultsInWords } from "./results.js";
import { shortLedger } from "./shortfall.js";
import { situation } from "./situation.js";
import { toolsAtHand } from "./toolsAtHand.js";

/** A prompt of as many characters is not sent, as published (BTP). */
const TOO_LONG = 25_000;

/** Some models write the truth values of JSON as texts; a reply without one leaves the status as it is. */
const answerReply = z.object({
  answer: z.string().trim().min(1),
  complete: z.union([z.boolean(), z.stringbool()]).default(true),
});

/**
 * Writes the final answer from all that the calls of a search over steps have found, whatever the
 * search ended with (BTP). A run that took itself for solved is not, where the answer leaves out a part of
 * the request. The answer of the search stays where there is nothing to write from, too much of it, or no
 * usable reply.
 */
export async function summarize(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const context = readContext(config);
  const input = await summarizeInput({ state, context });
  const prompt = summarizePrompt(input);
  if (input.findings.length === 0) return {};
  if (lengthOf(prompt) >= TOO_LONG) return withoutSummary(state);
  const asked = await askModel(state, { prompt, context, config });
  // A limit or a refusal comes too late to change how the run has ended; what it used still counts.
  if ("end" in asked) {
    const { usage } = asked.end;
    return { ...withoutSummary(state), ...(usage ? { usage } : {}) };
  }
  const { reply, usage } = asked;
  const { data } = answerReply.safeParse(jsonObject(reply.text));
  if (!data) return { ...withoutSummary(state), usage };
  const { answer, complete } = data;
  return { answer, usage, ...(complete ? {} : await unanswered(state, context)) };
}

/**
 * How a run ends that took itself for solved, and whose answer leaves out a part of the request. (As
 * published, nobody asks: an answer counts as solved until it is judged from outside.)
 */
async function unanswered(state: GraphState, context: Context): Promise<StateUpdate> {
  if (state.status !== "solved") return {};
  const ledger = shortLedger({ state, atHand: await toolsAtHand({ state, context }) });
  return ledger ? { status: "budget", ledger } : { status: "unsolved" };
}

/** A search without an answer still gives what its calls have found. */
function withoutSummary(state: GraphState): StateUpdate {
  if (state.status === "solved") return {};
  return { answer: [state.answer, resultsInWords(state)].filter(Boolean).join(" ") };
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
  const library = await openResources().library(context);
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
