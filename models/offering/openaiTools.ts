import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { wireParameters } from "../../common/schemas/argumentNames.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { calling } from "./calledTools.js";
import { type Finder, type NamedTool, callIdOf, isFind, unmet } from "./namedTools.js";
import type { NativeEncoding, Searched } from "./nativeTools.js";

export const openai: NativeEncoding = {
  tools: (own, { finder: { name, description, parameters } }) =>
    own.map((tool) =>
      nameOf(tool) === name
        ? { type: "tool_search", execution: "client", description, parameters }
        : tool,
    ),
  messages: (messages, { foundFor, foundBy, groupOf, finder }) =>
    messages.flatMap((message) => {
      if (HumanMessage.isInstance(message)) {
        const found = foundFor(message);
        if (found.length === 0) return [message];
        const id = callIdOf(message);
        return [
          message,
          ofItems([searchCall(id, finder.first), ...defining({ id, found, groupOf })]),
        ];
      }
      if (AIMessage.isInstance(message)) return [withItems(message, groupOf, finder)];
      if (!isFind(message, finder)) return [message];
      const { tool_call_id: id } = message;
      return [ofItems(defining({ id, found: foundBy(message), groupOf, text: unmet(message) }))];
    }),
  read(reply, finder) {
    const searches = itemsOf(reply).flatMap((item) =>
      item["type"] === "tool_search_call" && item["execution"] === "client" ? [item] : [],
    );
    if (searches.length === 0) return reply;
    const calls = searches.map(({ call_id: id, arguments: args }) => ({
      name: finder.name,
      args: isObject(args) ? args : {},
      id: String(id),
      type: "tool_call" as const,
    }));
    return calling(reply, [...calls, ...(reply.tool_calls ?? [])]);
  },
  settings: {},
};

type Item = Record<string, unknown>;

/** A message that LangChain's client for OpenAI sends as these items. */
function ofItems(output: readonly Item[]): AIMessage {
  return new AIMessage({ content: "", response_metadata: { output } });
}

function itemsOf({ response_metadata, additional_kwargs }: AIMessage): Item[] {
  const { output } = response_metadata;
  const items =
    Array.isArray(output) && output.length > 0 ? output : additional_kwargs["tool_outputs"];
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** A reply that came from elsewhere as items: only these tell a search from other calls. */
function withItems(message: AIMessage, groupOf: Searched["groupOf"], finder: Finder): AIMessage {
  const calls = message.tool_calls ?? [];
  if (itemsOf(message).length > 0 || !calls.some(({ name }) => name === finder.name))
    return message;
  const said = { role: "assistant", content: [{ type: "output_text", text: message.text }] };
  return ofItems([
    ...(message.text ? [{ type: "message", ...said }] : []),
    ...calls.map(({ name, args, id: call_id = "" }) => {
      if (name === finder.name) return searchCall(call_id, args);
      const group = groupOf(name);
      const namespace = group && { namespace: group.name };
      return {
        type: "function_call",
        call_id,
        name,
        ...namespace,
        arguments: JSON.stringify(args),
      };
    }),
  ]);
}

function searchCall(call_id: string, args: unknown): Item {
  return {
    type: "tool_search_call",
    execution: "client",
    call_id,
    status: "completed",
    arguments: args,
  };
}

/** The result of a search: what it found, by namespace, and what it says besides. */
function defining(options: {
  id: string;
  found: readonly NamedTool[];
  groupOf: Searched["groupOf"];
  text?: string;
}): Item[] {
  const { id, found, groupOf, text } = options;
  const tools: Item[] = [];
  const namespaces = new Map<string, Item[]>();
  for (const { name, record } of found) {
    const { parameters } = wireParameters(record.parameters);
    const { description } = record;
    const defined = { type: "function", name, description, parameters, defer_loading: true };
    const group = groupOf(name);
    const members = group ? namespaces.get(group.name) : tools;
    if (members) members.push(defined);
    else if (group) {
      const others = [defined];
      namespaces.set(group.name, others);
      const about = group.about || `Tools of ${group.name}`;
      tools.push({ type: "namespace", name: group.name, description: about, tools: others });
    }
  }
  const result = { type: "tool_search_output", execution: "client", call_id: id };
  return [
    { ...result, status: "completed", tools },
    ...(text ? [{ type: "message", role: "developer", content: text }] : []),
  ];
}

/** Of a tool, in whatever form it is sent. */
function nameOf(tool: { name?: unknown; function?: unknown }): unknown {
  return isObject(tool.function) ? tool.function["name"] : tool.name;
}
