import { randomUUID } from "node:crypto";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { z } from "zod";
import { InvalidSetting } from "../common/errors.js";
import { issueText } from "../common/schemas/issueText.js";
import { whyUnfinished } from "../models/chat/unfinished.js";
import type { CallOutcome } from "../tools/calls/engine/callOutcome.js";
import type { Found, Toolbox, ToolboxCall } from "./toolbox.js";

const QUERIES =
  "An action in a few words each, such as: send an e-mail; or the name of a tool or a group";
const LIMIT = "Most tools for each query";

/** What `find_tools` takes, wherever it is offered. */
export const findArguments = z.object({
  queries: z.array(z.string().trim().min(1)).min(1).describe(QUERIES),
  limit: z.number().int().min(1).max(50).optional().describe(LIMIT),
});

/** The same in as few words as a model needs: it is sent with every question. */
export const FIND_SCHEMA = {
  type: "object",
  properties: {
    queries: { type: "array", items: { type: "string" }, description: QUERIES },
    limit: { type: "integer", description: LIMIT },
  },
  required: ["queries"],
} as const;

/** @throws InvalidSetting for invalid arguments of `find_tools` */
export function readFind(given: unknown): z.infer<typeof findArguments> {
  const read = findArguments.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InvalidSetting({
    setting: issue?.path.join(".") || FIND_TOOLS,
    problem: issueText(read.error, given),
    hint: 'Give queries, a list of texts: { "queries": ["send an e-mail"] }',
  });
}

/** The description of a search tool: what it does, and which library it searches. */
export function described(what: string, { about }: Pick<Toolbox, "about">): string {
  return [what, about].filter(Boolean).join(" ");
}

/** The description of `find_tools` where found tools are called by their names. */
export function searchDescription(toolbox: Pick<Toolbox, "about">): string {
  return described(
    "Search for tools by what is to be done. Those found can be called from then on.",
    toolbox,
  );
}

/** What `call_tool` takes, wherever it is offered. */
export const callArguments = z.object({
  tool: z.string().min(1).describe("As find_tools has named it"),
  arguments: z.record(z.string(), z.unknown()).default({}).describe("As its parameters say"),
});

/**
 * The answer to a query: the tools that it finds, the functions of the group that it names, or what to search for
 * instead. A tool's texts may only say what it is about, so that is what to name.
 *
 * @param tools what the caller says of the tools found
 */
export function foundText({ query, unsure, members, more }: Omit<Found, "tools">, tools: string) {
  if (members) {
    const rest = members.length - MOST_MEMBERS;
    const cut = rest > 0 ? ` and ${rest} more, which a search in words finds` : "";
    const named = members.slice(0, MOST_MEMBERS).join(", ");
    return `${query} has ${named}${cut}. Search for those you want by name before you call them.`;
  }
  if (!tools)
    return `${query}: nothing was found; rephrase it, or name only the subject, such as: calendar`;
  const others = more && ` (${more})`;
  return `${query}${unsure ? " (unsure, only the closest matches)" : ""}: ${tools}${others}`;
}

/** Functions of a group that are named. */
const MOST_MEMBERS = 200;

export const FIND_TOOLS = "find_tools";

/** What an agent passes to its tools besides the arguments. */
export interface AgentRuntime {
  toolCallId?: string;
  configurable?: Record<string, unknown>;
  state?: { messages?: BaseMessage[]; _foundTools?: string[] };
  signal?: AbortSignal;
}

/** The thread and the id of a call in the journal, and its run. */
type CallPlace = Pick<ToolboxCall, "threadId" | "callId" | "configurable">;

/**
 * The place of a call in an agent's run. Some providers reuse ids of calls, so the id of the message with the call is
 * part of it. Without a checkpointer, a run is a conversation of its own, identified by its first message.
 */
export function placeOf(runtime: AgentRuntime): CallPlace {
  const { state, configurable, toolCallId = randomUUID() } = runtime;
  const { messages = [] } = state ?? {};
  const thread = configurable?.["thread_id"];
  const reply = messages.findLast(({ type }) => type === "ai");
  return {
    configurable,
    threadId: typeof thread === "string" ? thread : (messages[0]?.id ?? randomUUID()),
    callId: reply?.id === undefined ? toolCallId : `${reply.id}/${toolCallId}`,
  };
}

/** What the model is told if its reply with the call is not whole, so that the call may not be what it meant. */
export function refusedAsCut(name: string, runtime: AgentRuntime): ToolMessage | undefined {
  const { state, toolCallId = "" } = runtime;
  const reply = state?.messages?.findLast((message) => AIMessage.isInstance(message));
  if (!reply || !whyUnfinished(reply)) return undefined;
  const content = `Your reply with this call was cut off before its end, so ${name} was not called. Send the call again, in a shorter reply.`;
  return new ToolMessage({ name, tool_call_id: toolCallId, status: "error", content });
}

/** What the model is told about a call, with its result as data for traces. */
export function outcomeMessage(name: string, outcome: CallOutcome, toolCallId = ""): ToolMessage {
  const { tool, status, result, resultText, ms, cost, replayed } = outcome;
  return new ToolMessage({
    name,
    tool_call_id: toolCallId,
    content: resultText,
    status: status === "done" ? "success" : "error",
    artifact: { tool, status, ms, cost, replayed, ...(result === undefined ? {} : { result }) },
  });
}
