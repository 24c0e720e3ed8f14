import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { wireParameters } from "../../common/schemas/argumentNames.js";
import { type NamedTool, callIdOf, isFind, unmet } from "./namedTools.js";
import type { NativeEncoding } from "./nativeTools.js";

export const anthropic: NativeEncoding = {
  tools: (own, { library }) => [
    ...own,
    ...library().map(({ name, record: { description, parameters } }) => ({
      name,
      description,
      schema: wireParameters(parameters).parameters,
      extras: { defer_loading: true },
    })),
  ],
  messages: (messages, { foundFor, foundBy, finder }) =>
    messages.flatMap((message) => {
      if (HumanMessage.isInstance(message)) {
        const found = foundFor(message);
        if (found.length === 0) return [message];
        const id = callIdOf(message);
        const call = { name: finder.name, args: finder.first, id, type: "tool_call" as const };
        return [message, new AIMessage({ content: "", tool_calls: [call] }), referring(id, found)];
      }
      if (!isFind(message, finder)) return [message];
      const found = foundBy(message);
      return found.length > 0
        ? [referring(message.tool_call_id, found, unmet(message))]
        : [message];
    }),
  read: (reply) => reply,
  // The whole prompt is read from the cache as far as it was sent before.
  settings: { cache_control: { type: "ephemeral" } },
};

/** LangChain's client for Anthropic sends a result as it is only as part of a user's message. */
function referring(id: string, found: readonly NamedTool[], text = ""): HumanMessage {
  const references = found.map(({ name }) => ({ type: "tool_reference", tool_name: name }));
  const content = [...(text ? [{ type: "text", text }] : []), ...references];
  return new HumanMessage({ content: [{ type: "tool_result", tool_use_id: id, content }] });
}
