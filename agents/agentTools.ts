import { randomUUID } from "node:crypto";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { withoutRootChoices } from "../common/schemas/rootChoices.js";
import type { CallOutcome } from "../tools/runtime/calls/callOutcome.js";
import type { ToolRecord } from "../tools/tool.js";
import type { Toolbox } from "./toolbox.js";

/** A found tool, with the name that the model is shown. */
export interface NamedTool {
  name: string;
  record: ToolRecord;
}

/** A tool as the model is shown it; calls go through {@link runnableTool}. */
export function shownTool({ name, record: { description, parameters } }: NamedTool) {
  return langChainTool(() => "", { name, description, schema: withoutRootChoices(parameters) });
}

/** The thread and the id of a call in the journal. */
export interface CallPlace {
  threadId: string;
  callId: string;
}

/**
 * The place of a call in an agent's run. Some providers reuse ids of calls, so the id of the message with the call is
 * part of it. Without a checkpointer, a run is a conversation of its own, identified by its first message.
 */
export function placeOf(options: {
  messages: readonly BaseMessage[];
  configurable: Record<string, unknown> | undefined;
  toolCallId: string | undefined;
}): CallPlace {
  const { messages, configurable, toolCallId = randomUUID() } = options;
  const thread = configurable?.["thread_id"];
  const reply = messages.findLast(({ type }) => type === "ai");
  return {
    threadId: typeof thread === "string" ? thread : (messages[0]?.id ?? randomUUID()),
    callId: reply?.id === undefined ? toolCallId : `${reply.id}/${toolCallId}`,
  };
}

/** A tool that is called through the runtime, which checks arguments with messages that a model can use. */
export function runnableTool(
  options: { toolbox: Toolbox; toolCallId: string | undefined } & NamedTool & CallPlace,
) {
  const { toolbox, name, record, threadId, callId, toolCallId } = options;
  return langChainTool(
    async (args: Record<string, unknown>, { signal }) => {
      const call = { tool: record, args, threadId, callId };
      const outcome = await toolbox.call({ ...call, ...(signal ? { signal } : {}) });
      return outcomeMessage({ name, toolCallId, outcome });
    },
    { name, description: record.description, schema: ANY_ARGUMENTS },
  );
}

const ANY_ARGUMENTS = { type: "object", properties: {}, additionalProperties: true } as const;

/** What the model is told about a call, with its result as data for traces. */
export function outcomeMessage(options: {
  name: string;
  toolCallId: string | undefined;
  outcome: CallOutcome;
}): ToolMessage {
  const { name, toolCallId = "", outcome } = options;
  const { tool, status, result, resultText, ms, cost, replayed } = outcome;
  return new ToolMessage({
    name,
    tool_call_id: toolCallId,
    content: resultText,
    status: status === "done" ? "success" : "error",
    artifact: { tool, status, ms, cost, replayed, ...(result === undefined ? {} : { result }) },
  });
}
