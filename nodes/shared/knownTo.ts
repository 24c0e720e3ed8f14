import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { parseJson } from "../../common/jsonInText.js";
import { type Known, knownIn } from "../../plans/grounding/sources.js";
import { wholeResult } from "./wholeResult.js";
import type { Settings } from "../../state/settings.js";
import { splitConversation } from "../../state/history.js";
import type { GraphState } from "../../state/state.js";
import { runBasics } from "./runBasics.js";

/**
 * What an answer may take its values from: what was said, what tools told the model in this run and earlier
 * ones of the thread, and the calls with their full results.
 */
export function knownTo({ state, settings }: { state: GraphState; settings: Settings }): Known {
  const { request, background, earlierTurns } = runBasics({ state, settings });
  const { calls, edits } = state;
  const { earlier, since } = splitConversation(state);
  const told = [...earlier, ...since].filter((message) => ToolMessage.isInstance(message));
  const asked = earlier.filter((message) => AIMessage.isInstance(message));
  return knownIn({
    texts: [
      request,
      background ?? "",
      settings.instructions ?? "",
      ...earlierTurns.map(({ text }) => text),
      ...told.map(({ text }) => text),
      ...calls.flatMap(({ tool, error }) => [tool, error ?? ""]),
      ...edits.map(({ tool, reason }) => `${tool} ${reason ?? ""}`),
    ],
    values: [
      ...asked.flatMap(({ tool_calls: made = [] }) => made.map(({ args }) => args)),
      ...told.map(({ text }) => parseJson(text)),
      // A refused call says nothing about the world, and its arguments may be made up.
      ...calls.flatMap((call) => (call.refused ? [] : [call.args, wholeResult(call)])),
    ],
  });
}
