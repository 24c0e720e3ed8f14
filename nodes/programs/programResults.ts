import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { LONGEST_OUTCOMES, beginning } from "../../common/bounds.js";
import { splitConversation } from "../../state/history.js";
import type { GraphState } from "../../state/state.js";
import { PROGRAM_CALL } from "./leaveProgram.js";

/**
 * The conversation to show a model that continues from a program. The program's results are cut to fit, because the
 * model did not ask for them; they stay with their calls, as results of tools.
 */
export function withShortResults(messages: readonly BaseMessage[]): BaseMessage[] {
  const most = longestResult(messages);
  return messages.map((message) => {
    if (!isPlanned(message) || message.text.length <= most) return message;
    const { id, tool_call_id, name, status, text } = message;
    const shown = beginning(text, most);
    const note = `… [cut: the first ${shown.length} of ${text.length} characters are shown; a look-up is shown whole where the same call is made again]`;
    return new ToolMessage({ id, tool_call_id, name, status, content: `${shown}${note}` });
  });
}

/** The full result behind a cut one of a program's call in this run; undefined for any other call. */
export function resultBehind(state: GraphState, id: string): string | undefined {
  const { since } = splitConversation(state);
  const most = longestResult(since);
  const message = since.filter(isPlanned).find(({ tool_call_id }) => tool_call_id === id);
  return message && message.text.length > most ? message.text : undefined;
}

function isPlanned(message: BaseMessage): message is ToolMessage {
  return ToolMessage.isInstance(message) && message.tool_call_id.startsWith(PROGRAM_CALL);
}

/** How much of each result is shown, so that all fit. */
function longestResult(messages: readonly BaseMessage[]): number {
  const lengths = messages.filter(isPlanned).map(({ text }) => text.length);
  let left = LONGEST_OUTCOMES;
  for (const [at, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}
