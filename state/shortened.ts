import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { several, shortened as cutText } from "../common/text.js";
import { estimateTokens } from "../common/tokens.js";
import type { EarlierTurn } from "./history.js";

/** A conversation: up to and including the open request, and what the run has added to it. */
interface Conversation {
  earlier: readonly BaseMessage[];
  since: readonly BaseMessage[];
}

/** Tokens that a provider adds around a message. */
const TOKENS_AROUND = 4;

/** Characters that are left of a result. */
const RESULT_SHOWN = 200;

/** Estimated tokens of messages; pictures do not count. */
export function tokensOf(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, message) => {
    const calls = AIMessage.isInstance(message) ? JSON.stringify(message.tool_calls ?? []) : "";
    return sum + estimateTokens([message.text, calls]) + TOKENS_AROUND;
  }, 0);
}

/**
 * A conversation within a number of tokens, as far as that is possible. Results of earlier turns are cut first, oldest
 * first; then whole turns are left out, oldest first; then results of the run are cut, except those of its last calls. The
 * open request stays, and so does each result whose call stays.
 */
export function shortenedConversation({ earlier, since }: Conversation, most: number) {
  const turns = earlier.slice(0, -1);
  const request = earlier.slice(-1);
  const left = most - tokensOf(request) - tokensOf(since);
  const kept = keptTurns(turns, left);
  const lastCalls = since.findLastIndex((message) => AIMessage.isInstance(message));
  const results = since.slice(0, Math.max(0, lastCalls));
  const cut = withCutResults(results, tokensOf(results) + left - tokensOf(kept.messages));
  return {
    earlier: [...kept.messages, ...request],
    since: [...cut, ...since.slice(results.length)],
    shortened: kept.shortened + differing(results, cut),
  };
}

/** Earlier turns within a number of tokens: whole turns are left out, oldest first. */
export function shortenedTurns(
  turns: readonly EarlierTurn[],
  most: number,
): { turns: EarlierTurn[]; shortened: number } {
  const messages = turns.map(({ role, text }) =>
    role === "user" ? new HumanMessage(text) : new AIMessage(text),
  );
  const kept = keptTurns(messages, most);
  const texts = kept.messages.map((message): EarlierTurn => {
    const role = message.type === "human" ? "user" : "assistant";
    return { role, text: message.text };
  });
  return { turns: texts, shortened: kept.shortened };
}

function keptTurns(turns: readonly BaseMessage[], most: number) {
  const cut = withCutResults(turns, most);
  if (tokensOf(cut) <= most) return { messages: cut, shortened: differing(turns, cut) };
  // LangChain's `trimMessages` copies and counts all messages for each one that it leaves out: 13 s for 2,000.
  let left = most - tokensOf([note(cut.length)]);
  const first = cut.findLastIndex((message) => (left -= tokensOf([message])) < 0) + 1;
  // A turn begins with what the user says, so that no result is kept without its call.
  const start = cut.findIndex(({ type }, at) => at >= first && type === "human");
  const count = start === -1 ? cut.length : start;
  const messages = cut.slice(count);
  const shortened = count + differing(turns.slice(count), messages);
  return { messages: [note(count), ...messages], shortened };
}

function note(count: number): HumanMessage {
  return new HumanMessage(
    `(${several(count, "earlier message")} left out here for lack of space.)`,
  );
}

/** Messages with their oldest results cut until the whole is short enough. */
function withCutResults(messages: readonly BaseMessage[], most: number): BaseMessage[] {
  let excess = tokensOf(messages) - most;
  return messages.map((message) => {
    if (excess <= 0 || !ToolMessage.isInstance(message)) return message;
    if (message.text.length <= 2 * RESULT_SHOWN) return message;
    const { id, tool_call_id, name, status } = message;
    const content = cutText(message.text, RESULT_SHOWN);
    const short = new ToolMessage({ id, content, tool_call_id, name, status });
    excess -= tokensOf([message]) - tokensOf([short]);
    return short;
  });
}

function differing(before: readonly BaseMessage[], after: readonly BaseMessage[]): number {
  return before.filter((message, at) => message !== after[at]).length;
}
