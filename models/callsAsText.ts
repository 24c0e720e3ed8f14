import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { resultText, textCallsText, writtenCalls } from "./callsAsTextPrompt.js";
import type { ModelRequest } from "./ask.js";
import { statusOf } from "./failures.js";

/** How a model is asked for calls: in the provider's protocol, or in plain text. */
type Way = "native" | "text";

/** What this process has learnt about models, by name and endpoint. */
const ways = new Map<string, Way>();

/** How to ask for calls now; `toolCalls: auto` depends on what the model has done before. */
export function wayOfCalls({ context, tools = [] }: ModelRequest, model: string): Way {
  if (tools.length === 0) return "native";
  return context.toolCalls === "auto" ? (ways.get(model) ?? "native") : context.toolCalls;
}

/** Remembers how a model calls tools. Once it has called natively, a call as text does not change that. */
export function rememberWay(model: string, { way, isCertain }: { way: Way; isCertain: boolean }) {
  if (isCertain || !ways.has(model)) ways.set(model, way);
}

/** HTTP statuses of endpoints that do not take tools. */
const REFUSING = [400, 404, 422, 500, 501];

const NO_TOOLS =
  /(?=.*\b(tools?|tool_choice|tool.?call\w*|functions?)\b)(?=.*(not? (\w+ )*support|n't support|unsupported|requires?|not (enabled|allowed|permitted|available)|unknown|unrecognized|extra (fields|inputs)|unexpected))/is;

/** Whether an endpoint refused a question because it has tools; a faulty tool does not count. */
export function refusesTools(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  const isAboutOne = /schema|properties|\bname\b/i.test(error.message);
  return (
    status !== undefined && REFUSING.includes(status) && NO_TOOLS.test(error.message) && !isAboutOne
  );
}

/**
 * The same question for a model without tools: the system prompt describes them and how to call them, and calls
 * and results become texts. Consecutive messages of one side are joined, because many small models require
 * that.
 */
export function withCallsAsText<Q extends ModelRequest>(question: Q): Q {
  const { prompt, tools = [], toolChoice } = question;
  const told = textCallsText({ tools, toolChoice });
  const [first, ...others] = prompt.messages;
  const isSystem = first !== undefined && SystemMessage.isInstance(first);
  const system = new SystemMessage(isSystem ? `${first.text}\n\n${told}` : told);
  const rest = (isSystem ? others : prompt.messages).map((message) =>
    asText(message, prompt.messages),
  );
  const messages = [system, ...merged(rest)];
  return { ...question, prompt: { ...prompt, messages }, tools: [], toolChoice: undefined };
}

function asText(message: BaseMessage, all: readonly BaseMessage[]): BaseMessage {
  if (ToolMessage.isInstance(message)) {
    const name = message.name ?? nameOfCall(message.tool_call_id, all);
    const failed = message.status === "error";
    return new HumanMessage(resultText({ name, text: message.text, failed }));
  }
  if (!AIMessage.isInstance(message) || !message.tool_calls?.length) return message;
  const calls = writtenCalls(message.tool_calls);
  return new AIMessage([message.text, calls].filter(Boolean).join("\n"));
}

function nameOfCall(id: string, all: readonly BaseMessage[]): string {
  const calls = all.flatMap((message) =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [],
  );
  return calls.find((call) => call.id === id)?.name ?? "the call";
}

function merged(messages: readonly BaseMessage[]): BaseMessage[] {
  const all: BaseMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    const isMore = HumanMessage.isInstance(message) && last && HumanMessage.isInstance(last);
    if (isMore) all.splice(-1, 1, new HumanMessage(`${last.text}\n\n${message.text}`));
    else all.push(message);
  }
  return all;
}
