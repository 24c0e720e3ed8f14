import { randomUUID } from "node:crypto";
import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { GraphState, Ledger, StateUpdate } from "../../state/state.js";
import { isNoAnswer } from "./emptyAnswer.js";
import { stopOf } from "./finish.js";
import type { ReadReply } from "./groundReply.js";
import { shortLedger, type ToolOffer } from "../shared/offeredTools.js";

/** What a reply to `act` means: calls to execute, the answer, or undefined if nothing is usable. */
export function readReply(options: {
  reply: AIMessage;
  state: GraphState;
  /** Whether tools were bound; if not, calls are unusable. */
  bound: boolean;
  ending: "stop" | "finish";
  scope: "run" | "task";
  offer: ToolOffer;
}): ReadReply | undefined {
  const { reply, state, bound, ending, scope, offer } = options;
  const message = withUsableCalls(reply, state);
  // Where an answer ends a branch or a task, the agenda reads it from the message.
  const endsRun = ending === "stop" && scope === "run";
  if (!bound || !message.tool_calls?.length) {
    return readText(reply, { endsRun, bound });
  }
  const answer = endsRun ? readStop(message.tool_calls, shortLedger({ state, offer })) : {};
  return { message, update: { messages: [message], ...answer } };
}

const CUT_SHORT =
  "Stopped by the limit of a reply's length (maxOutputTokens) before the request was answered.";

/** What surrounds data in a reply. */
const ENCLOSING = /^\s*(?:```\w*|<\w+>)\s*/;

/** The answer of a reply without calls; if cut short by maxOutputTokens it is not a solution, and data is not words. */
function readText(
  reply: AIMessage,
  { endsRun, bound }: { endsRun: boolean; bound: boolean },
): ReadReply | undefined {
  const answer = reply.text.trim();
  if (!answer) return undefined;
  const { id, content, usage_metadata, response_metadata } = reply;
  const message = new AIMessage({ id, content, usage_metadata, response_metadata });
  const cut = response_metadata["finish_reason"] === "length";
  if (cut && bound && isNoAnswer(answer.replace(ENCLOSING, ""), { inWords: true })) {
    return { message, update: { status: "limit", answer: CUT_SHORT } };
  }
  if (!endsRun && !cut) return { message, update: { messages: [message] } };
  // Without tools nothing can have been done.
  const said = bound ? ("solved" as const) : ("answered" as const);
  const status = cut ? ("limit" as const) : said;
  return { message, update: { messages: [message], status, answer } };
}

/** The answer, if the reply is a single valid call of `stop`. */
function readStop(calls: ToolCall[], ledger: Ledger | undefined): StateUpdate {
  const stop = stopOf(calls);
  if (!stop) return {};
  const { solved, no_tool_needed: noToolNeeded, message: answer } = stop;
  if (solved) return { status: noToolNeeded ? "answered" : "solved", answer };
  return ledger ? { status: "budget", answer, ledger } : { status: "unsolved", answer };
}

/**
 * The reply with calls fit for a valid history. Each gets an id of its own, since some endpoints give none or
 * repeat one, and the journal identifies calls by it. Calls with unreadable arguments are kept without them, to
 * be answered with what was wrong.
 */
function withUsableCalls(reply: AIMessage, { messages, tree, calls: made }: GraphState): AIMessage {
  const said = messages.flatMap((message) =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [],
  );
  // Other branches of a search, and other tasks, are not in the conversation; their calls are journaled.
  const elsewhere = [...made, ...(tree?.nodes.flatMap(({ calls }) => calls) ?? [])];
  const taken = new Set<string | undefined>([...said, ...elsewhere].map(({ id }) => id));
  const usableId = (id: string | undefined) => {
    const usable = id && !taken.has(id) ? id : `call_${randomUUID()}`;
    taken.add(usable);
    return usable;
  };
  const valid = (reply.tool_calls ?? []).map((call) => ({ ...call, id: usableId(call.id) }));
  const invalid = (reply.invalid_tool_calls ?? []).map((call) => ({
    ...call,
    id: usableId(call.id),
  }));
  const emptied = invalid.map(({ id, name }) => ({
    id,
    name: name ?? "",
    args: {},
    type: "tool_call" as const,
  }));
  return new AIMessage({
    id: reply.id,
    content: reply.content,
    response_metadata: reply.response_metadata,
    usage_metadata: reply.usage_metadata,
    tool_calls: [...valid, ...emptied],
    invalid_tool_calls: invalid,
  });
}
