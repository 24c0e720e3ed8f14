import { isDeepStrictEqual } from "node:util";
import { AIMessage } from "@langchain/core/messages";
import { z } from "zod";
import { FINISH, STOP } from "../../tools/control.js";
import { truth } from "../../common/schemas/truth.js";
import { thoughtBeside } from "../../models/chat/unfinished.js";
import { randomUUID } from "node:crypto";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { GraphState, Ledger, StateUpdate } from "../../state/state.js";
import { shortLedger, type ToolOffer } from "../policy/toolOffer.js";

/** What `act` read from a reply, and the reply as in the history. */
export interface ReadReply {
  message: AIMessage;
  update: StateUpdate;
}

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
  if (!bound || !message.tool_calls?.length) return readText(reply, { endsRun, bound });
  const answer = endsRun ? readStop(message.tool_calls, shortLedger(state, offer)) : {};
  return { message, update: { messages: [message], ...answer } };
}

/** The calls of a reply; if they only repeat those of the last one before a `stop`, that alone: their results are known. */
function ownCalls({ tool_calls: calls = [] }: AIMessage, { messages }: GraphState): ToolCall[] {
  const ends = calls.filter(({ name }) => name === STOP.name);
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  const known = last?.tool_calls ?? [];
  const isKnown = ({ name, args }: ToolCall) =>
    known.some((one) => one.name === name && isDeepStrictEqual(one.args, args));
  const others = calls.filter((call) => !ends.includes(call));
  return ends.length === 1 && others.length > 0 && others.every(isKnown) ? ends : calls;
}

/** The answer of a reply without calls. */
function readText(
  reply: AIMessage,
  { endsRun, bound }: { endsRun: boolean; bound: boolean },
): ReadReply | undefined {
  const answer = reply.text.trim();
  if (!answer) return undefined;
  const { id, content, usage_metadata, response_metadata } = reply;
  const message = new AIMessage({ id, content, usage_metadata, response_metadata });
  if (!endsRun) return { message, update: { messages: [message] } };
  // Without tools nothing can have been done.
  const status = bound ? ("solved" as const) : ("answered" as const);
  return { message, update: { messages: [message], status, answer } };
}

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
function withUsableCalls(reply: AIMessage, state: GraphState): AIMessage {
  const { messages, tree, calls: made } = state;
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
  const valid = ownCalls(reply, state).map((call) => ({ ...call, id: usableId(call.id) }));
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
    // Some providers want the thoughts before a call back with its result.
    additional_kwargs: thoughtBeside(reply.additional_kwargs),
    response_metadata: reply.response_metadata,
    usage_metadata: reply.usage_metadata,
    tool_calls: [...valid, ...emptied],
    invalid_tool_calls: invalid,
  });
}

/** The stage under which an answer is asked for again, which limits that to once. */
export const ANSWER_STAGE = "answer";

/** How a branch of a step search ends: with an answer, or giving up to try another way. */
interface BranchEnd {
  end: "answer" | "gaveUp";
  said: string;
  solved: boolean;
  /** Whether the model says that the request takes no tool. */
  noToolNeeded?: boolean;
}

const finishArguments = z.discriminatedUnion("return_type", [
  z.object({
    return_type: z.literal("give_answer"),
    final_answer: z.string().trim().min(1),
    solved: truth.default(true),
    no_tool_needed: truth.default(false),
  }),
  z.object({
    return_type: z.literal("give_up_and_restart"),
    final_answer: z.string().trim().default(""),
  }),
]);

/**
 * How a reply ends its branch: with a single valid call of `finish`, or with text and no calls, which is an
 * answer. Undefined for a reply with calls to execute.
 */
export function branchEnd(reply: Pick<AIMessage, "text" | "tool_calls">): BranchEnd | undefined {
  const [only, ...others] = reply.tool_calls ?? [];
  if (!only) return { end: "answer", said: reply.text.trim(), solved: true };
  if (others.length > 0 || only.name !== FINISH.name) return undefined;
  const finish = finishArguments.safeParse(only.args);
  if (!finish.success) return undefined;
  const { data } = finish;
  const said = data.final_answer;
  return data.return_type === "give_answer"
    ? { end: "answer", said, solved: data.solved, noToolNeeded: data.no_tool_needed }
    : { end: "gaveUp", said, solved: false };
}

const stopArguments = z.object({
  message: z.string().trim().min(1),
  solved: truth.default(true),
  no_tool_needed: truth.default(false),
});

/** How a reply ends its task: with `stop` alone, or with words alone as its result. */
export function taskEnd(
  reply: Pick<AIMessage, "text" | "tool_calls">,
): z.infer<typeof stopArguments> | undefined {
  const calls = reply.tool_calls ?? [];
  if (calls.length > 0) return stopOf(calls);
  return { solved: true, message: reply.text.trim(), no_tool_needed: false };
}

/** The arguments if the calls are a single valid `stop`; otherwise undefined. */
export function stopOf(
  calls: readonly Pick<ToolCall, "name" | "args">[],
): z.infer<typeof stopArguments> | undefined {
  const [only, ...others] = calls;
  if (others.length > 0 || only?.name !== STOP.name) return undefined;
  return stopArguments.safeParse(only.args).data;
}
