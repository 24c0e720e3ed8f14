import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { LONGEST_OUTCOMES, clipped } from "../../common/bounds.js";
import type { GraphState } from "../../state/state.js";
import type { StandingCall } from "../../tools/runtime/journal/standingCalls.js";
import { threadOf } from "../shared/runBasics.js";
import { runWorkspace } from "../workspace/workspace.js";

/** What the model is told of the writes of rolled-back runs; nothing once the conversation has it. */
export async function standingText(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<BaseMessage[]> {
  const { journal } = runWorkspace().runtime;
  const calls = await journal.standingCalls(threadOf(state, config));
  const told = new Set(state.messages.map(({ id }) => id));
  const untold = calls.filter((call) => !told.has(idOf(call)));
  return untold.map((call) => new AIMessage({ id: idOf(call), content: textOf(call) }));
}

function idOf({ ref }: StandingCall): string {
  return `standing_${ref}`;
}

function textOf({ tool, args, status, result }: StandingCall): string {
  const call = clipped(`${tool} ${JSON.stringify(args)}`, LONGEST_OUTCOMES);
  if (status !== "done")
    return `A run of this conversation was rolled back. It had called ${call}, and nobody knows whether that was done.`;
  const gave = result === null ? "" : `, which gave ${clipped(result, LONGEST_OUTCOMES)}`;
  return `A run of this conversation was rolled back, but what it had done stands: ${call}${gave}.`;
}
