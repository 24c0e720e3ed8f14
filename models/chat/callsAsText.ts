import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ModelRequest } from "../prompt.js";
import { statusOf } from "./failures.js";
import { toolLines } from "./toolLines.js";

/** How a model is asked for calls: in the provider's protocol, or in plain text. */
type Way = "native" | "text";

/** What this process has learnt about models, by name and endpoint. */
const ways = new Map<string, Way>();

/** How to ask for calls now, which depends on what the model has done before. */
export function wayOfCalls({ tools = [] }: ModelRequest, model: string): Way {
  return tools.length === 0 ? "native" : (ways.get(model) ?? "native");
}

/** Remembers how a model calls tools. After a native call, a call written as text does not change that. */
export function rememberWay(model: string, way: Way, isCertain: boolean): void {
  if (isCertain || !ways.has(model)) ways.set(model, way);
}

/** HTTP statuses of endpoints that do not take tools. */
const REFUSING = [400, 404, 422, 500, 501];

const NO_TOOLS =
  /(?=.*\b(tools?|tool_choice|tool.?call\w*|functions?)\b)(?=.*(not? (\w+ )*support|n't support|unsupported|requires?|not (enabled|allowed|permitted|available)|unknown|unrecognized|extra (fields|inputs)|unexpected))/is;

/** Whether an endpoint refused a question because it has tools, not because one of them is faulty. */
export function refusesTools(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  const isFaultyTool = /schema|properties|\bname\b/i.test(error.message);
  return (
    status !== undefined &&
    REFUSING.includes(status) &&
    NO_TOOLS.test(error.message) &&
    !isFaultyTool
  );
}

/**
 * The same question for a model without tools: the system prompt describes them and how to call them, and calls and
 * results become texts. Consecutive messages of one side are joined, because many small models require that.
 */
export function withCallsAsText<Q extends ModelRequest>(question: Q): Q {
  const { prompt, tools = [], toolChoice } = question;
  const told = [
    `Tools:\n${toolLines(tools)}`,
    `To call a tool, reply with the call as JSON: {"name": "tool", "arguments": {"argument": value}}. For several calls at once, reply with a JSON list of such objects. You are told the results afterwards.`,
    wanted(toolChoice),
  ].join("\n\n");
  const [first, ...others] = prompt.messages;
  const isSystem = first !== undefined && SystemMessage.isInstance(first);
  const system = new SystemMessage(isSystem ? `${first.text}\n\n${told}` : told);
  const rest = isSystem ? others : prompt.messages;
  const messages = [system, ...merged(rest.map((message) => asText(message, prompt.messages)))];
  return { ...question, prompt: { ...prompt, messages }, tools: [], toolChoice: undefined };
}

function asText(message: BaseMessage, all: readonly BaseMessage[]): BaseMessage {
  if (ToolMessage.isInstance(message)) {
    const name = message.name ?? nameOfCall(message.tool_call_id, all);
    const told = message.status === "error" ? `${name} failed` : `Result of ${name}`;
    return new HumanMessage(`${told}: ${message.text}`);
  }
  if (!AIMessage.isInstance(message) || !message.tool_calls?.length) return message;
  const written = message.tool_calls.map(({ name, args }) => ({ name, arguments: args }));
  const calls = JSON.stringify(written.length === 1 ? written[0] : written);
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

function wanted(toolChoice: string | undefined): string {
  if (toolChoice === undefined) return "If no tool is needed, reply in plain text.";
  if (toolChoice === "any") return "Reply with a call, or a list of calls, and nothing else.";
  return `Reply with one call of ${toolChoice} and nothing else.`;
}
