import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { isSchema as isObject } from "../common/schemas/referredSchema.js";
import { CALL_TOOL } from "./controlTools.js";

/*
 * Found tools as calls of one fixed tool: `call_tool({ name, arguments })`. The list of tools that a provider is sent never
 * changes, so the beginning of a prompt stays in its cache. In the agent's own messages the calls have the tools' own
 * names, so that approvals, other middleware and traces see what is called.
 */

type ToolCall = NonNullable<AIMessage["tool_calls"]>[number];

/** A reply of the model as the agent has it. */
export function withOwnCalls(reply: AIMessage, isFound: (name: string) => boolean): AIMessage {
  return withCalls(reply, (call) => {
    if (call.name !== CALL_TOOL) return call;
    const { name, args } = namedCall(call.args);
    return isFound(name) ? { ...call, name, args } : call;
  });
}

/** Messages as the model has them. */
export function asCalled(
  messages: readonly BaseMessage[],
  options: {
    isFound: (name: string) => boolean;
    /** What was found for a message of the user, as the model is told after it. */
    foundFor: (message: BaseMessage) => string;
  },
): BaseMessage[] {
  const { isFound, foundFor } = options;
  return messages.map((message) => {
    if (AIMessage.isInstance(message))
      return withCalls(message, (call) =>
        isFound(call.name)
          ? { ...call, name: CALL_TOOL, args: { name: call.name, arguments: call.args } }
          : call,
      );
    const found = HumanMessage.isInstance(message) ? foundFor(message) : "";
    return found === "" ? message : withText(message as HumanMessage, found);
  });
}

/** What a call of `call_tool` means; arguments beside the name, or as a JSON text, are taken, too. */
export function namedCall(given: Record<string, unknown>): {
  name: string;
  args: Record<string, unknown>;
} {
  const { name, tool, arguments: inside, ...beside } = given;
  const said = typeof name === "string" ? name : tool;
  const args = typeof inside === "string" ? parsed(inside) : (inside ?? beside);
  return { name: typeof said === "string" ? said : "", args: isObject(args) ? args : {} };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message itself if no call changes. */
function withCalls(message: AIMessage, changed: (call: ToolCall) => ToolCall): AIMessage {
  const before = message.tool_calls ?? [];
  const after = before.map(changed);
  if (after.every((call, at) => call === before[at])) return message;
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message) as AIMessage;
  copy.tool_calls = after;
  return copy;
}

function withText(message: HumanMessage, text: string): HumanMessage {
  const { content, id } = message;
  const told =
    typeof content === "string"
      ? `${content}\n\n${text}`
      : [...content, { type: "text" as const, text }];
  return new HumanMessage({ ...(id === undefined ? {} : { id }), content: told });
}
