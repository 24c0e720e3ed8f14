import {
  AIMessage,
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { LONGEST_MESSAGE } from "../common/bounds.js";
import { shortened } from "../common/text.js";

/** What has a conversation, as a state has. */
type Conversed = { messages: readonly BaseMessage[] };

/** A turn of the conversation before the current request, as text. */
export interface EarlierTurn {
  role: "user" | "assistant";
  text: string;
  /** What a prompt said of a request, to the end of that; the next prompts of the thread begin with it. */
  told?: string;
}

/** Key of what a prompt said, in the message with the request. */
export const PROMPT = "prompt";

/** What the first prompt for a request said of it; undefined if it is not kept. */
export function toldOf({ additional_kwargs: { [PROMPT]: told } }: BaseMessage): string | undefined {
  return typeof told === "string" ? told : undefined;
}

/** The current request, with something that is kept beside it: models are not sent it as it is. */
export function withKept(state: Conversed, key: string, kept: unknown): HumanMessage | undefined {
  const request = splitConversation(state).earlier.at(-1);
  if (!request || !HumanMessage.isInstance(request)) return undefined;
  const { id, content, additional_kwargs } = request;
  return new HumanMessage({
    id,
    content,
    additional_kwargs: { ...additional_kwargs, [key]: kept },
  });
}

const INTERRUPTED = "Error: the run was interrupted before this call was answered.";

/**
 * Makes a conversation usable again after an interrupted run or a refused request: providers reject a history
 * with unanswered calls, and an overlong message would be reread every turn. Empty if nothing needs mending.
 *
 * @param standing what the model is to know before it reads the last message of a human
 */
export function mendedHistory(
  messages: readonly BaseMessage[],
  standing: readonly BaseMessage[] = [],
): BaseMessage[] {
  const answered = new Set(
    messages.flatMap((message) => (ToolMessage.isInstance(message) ? message.tool_call_id : [])),
  );
  const last = messages.findLast((message) => message.type === "human");
  const mended = messages.flatMap((message) => [
    ...(message === last ? standing : []),
    withinBounds(message),
    ...missingAnswers(message, answered),
  ]);
  const isWhole = mended.length === messages.length;
  if (isWhole && mended.every((message, at) => message === messages[at])) return [];
  return [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...mended];
}

/** A message, cut to its beginning if too long; the operator's messages have no limit. */
function withinBounds(message: BaseMessage): BaseMessage {
  const { id, text } = message;
  if (text.length <= LONGEST_MESSAGE) return message;
  const content = shortened(text, LONGEST_MESSAGE / 2);
  if (HumanMessage.isInstance(message)) return new HumanMessage({ id, content });
  if (AIMessage.isInstance(message)) {
    const { tool_calls, invalid_tool_calls } = message;
    return new AIMessage({ id, content, tool_calls, invalid_tool_calls });
  }
  if (!ToolMessage.isInstance(message)) return message;
  const { tool_call_id, name, status } = message;
  return new ToolMessage({ id, content, tool_call_id, name, status });
}

function missingAnswers(message: BaseMessage, answered: ReadonlySet<string>): ToolMessage[] {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls
    .filter(({ id }) => !answered.has(id ?? ""))
    .map(
      ({ id, name }) =>
        new ToolMessage({ tool_call_id: id ?? "", name, content: INTERRUPTED, status: "error" }),
    );
}

/** The conversation up to and including the current request, and what this run added to it. */
export function splitConversation({ messages }: Conversed): {
  earlier: BaseMessage[];
  since: BaseMessage[];
} {
  const request = messages.findLastIndex((message) => message.type === "human");
  return { earlier: messages.slice(0, request + 1), since: messages.slice(request + 1) };
}

/** What was said before the current request, without calls and observations. */
export function earlierTurns(state: Conversed): EarlierTurn[] {
  const { earlier } = splitConversation(state);
  return earlier.slice(0, -1).flatMap((message): EarlierTurn[] => {
    const told = toldOf(message);
    if (message.type === "human")
      return [{ role: "user", text: message.text, ...(told && { told }) }];
    const said = AIMessage.isInstance(message) && !message.tool_calls?.length && message.text;
    return said ? [{ role: "assistant", text: said }] : [];
  });
}

/** What a model is told in place of a picture. */
export const UNSEEN_PICTURE = "(There is a picture here that you cannot see. Tell the user so.)";

/** The pictures of the current request, in whatever form they came. */
export function picturesIn(state: Conversed): ContentBlock[] {
  const content = splitConversation(state).earlier.at(-1)?.content;
  const parts = typeof content === "string" ? [] : (content ?? []);
  return parts.filter(({ type }) => type.startsWith("image"));
}
