import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { jsonOrNothing } from "../../common/jsonInText.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { type NamedTool, signaturesOf } from "./namedTools.js";

/*
 * Found tools as calls of one fixed tool: `call_tool({ name, arguments })`. The list of tools that a provider is sent never
 * changes, so the beginning of a prompt stays in its cache. In the agent's own messages the calls have the tools' own
 * names, so that approvals, other middleware and traces see what is called.
 */

type ToolCall = NonNullable<AIMessage["tool_calls"]>[number];

/** A reply of the model as the agent has it. */
export function withOwnCalls(
  reply: AIMessage,
  options: {
    caller: string;
    /** The tool that a call of this name and these arguments may be made of, by the name that the agent has for it. */
    toolOf: (name: string, args: Record<string, unknown>) => string | undefined;
  },
): AIMessage {
  return withCalls(reply, (call) => {
    if (call.name !== options.caller) return call;
    const { name: said, args } = namedCall(call.args);
    const name = options.toolOf(said, args);
    return name === undefined ? call : { ...call, name, args };
  });
}

/** What a conversation has found. */
interface CalledTools {
  /** The name of the fixed tool. */
  caller: string;
  isFound: (name: string) => boolean;
  /** What was found for a message of the user, before the model was asked. */
  foundFor: (message: BaseMessage) => NamedTool[];
  /** What a result of `find_tools` was the first to find. */
  loadedBy: (message: ToolMessage) => NamedTool[];
}

/** What the fixed tool does. */
export function callerText(told: string): string {
  return told
    ? `Call a tool that was found, or one of these:\n${told}`
    : "Call a found tool, whose signature you have seen in this conversation.";
}

export const CALL_TOOL = "call_tool";

/** The name of the fixed tool: one of the agent's own may have the usual one. */
export function callerNameOf(own: readonly string[]): string {
  return own.includes(CALL_TOOL) ? "call_found_tool" : CALL_TOOL;
}

export const CALL_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, arguments: { type: "object" } },
  required: ["name", "arguments"],
} as const;

/** Messages as the model has them: signatures stand where tools were found. */
export function asCalled(
  messages: readonly BaseMessage[],
  { caller, isFound, foundFor, loadedBy }: CalledTools,
): BaseMessage[] {
  return messages.map((message) => {
    if (AIMessage.isInstance(message))
      return withCalls(message, (call) =>
        isFound(call.name)
          ? { ...call, name: caller, args: { name: call.name, arguments: call.args } }
          : call,
      );
    if (ToolMessage.isInstance(message)) {
      const loaded = loadedBy(message);
      if (loaded.length === 0) return message;
      const { tool_call_id, name, id, text } = message;
      const content = `${text}\n${signaturesOf(loaded)}`;
      return new ToolMessage({ tool_call_id, content, ...(name && { name }), ...(id && { id }) });
    }
    const found = HumanMessage.isInstance(message) ? foundFor(message) : [];
    if (found.length === 0) return message;
    const told = `Tools that may serve (${caller}):\n${signaturesOf(found, { isBrief: true })}`;
    return withText(message as HumanMessage, told);
  });
}

/** What a call of `call_tool` means; arguments beside the name, or as a JSON text, are taken, too. */
export function namedCall(given: Record<string, unknown>): {
  name: string;
  args: Record<string, unknown>;
} {
  const { name, tool, arguments: inside, ...beside } = given;
  const said = typeof name === "string" ? name : tool;
  const args = typeof inside === "string" ? jsonOrNothing(inside) : (inside ?? beside);
  return { name: typeof said === "string" ? said : "", args: isObject(args) ? args : {} };
}

/** A copy of a message with these calls. */
export function calling(message: AIMessage, calls: ToolCall[]): AIMessage {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message) as AIMessage;
  copy.tool_calls = calls;
  return copy;
}

/** The message itself if no call changes. */
function withCalls(message: AIMessage, changed: (call: ToolCall) => ToolCall): AIMessage {
  const before = message.tool_calls ?? [];
  const after = before.map(changed);
  if (after.every((call, at) => call === before[at])) return message;
  return calling(message, after);
}

function withText({ content, id }: HumanMessage, text: string): HumanMessage {
  const told =
    typeof content === "string"
      ? `${content}\n\n${text}`
      : [...content, { type: "text" as const, text }];
  return new HumanMessage({ ...(id === undefined ? {} : { id }), content: told });
}
