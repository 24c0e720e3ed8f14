import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { wireParameters } from "../common/schemas/argumentNames.js";
import { isSchema as isObject } from "../common/schemas/referredSchema.js";
import { FIND_SCHEMA, FIND_TOOLS } from "./controlTools.js";
import type { NamedTool } from "./foundTools.js";

/*
 * Found tools in the encodings that providers have for them. The list of tools and the beginning of the prompt never change;
 * what a search finds stands in its result:
 * - Anthropic: all tools of the library are sent with `defer_loading`, which keeps them out of the prompt, and a result
 *   refers to them (`tool_reference`);
 * - OpenAI (Responses API): the search is its `tool_search`, executed by the client, and a result defines what was found, by
 *   namespace.
 */

/** What a conversation says of searches, besides the messages. */
interface Searched {
  /** What was found for a message of the user, before the model was asked. */
  foundFor: (message: BaseMessage) => NamedTool[];
  /** What a result of `find_tools` found. */
  foundBy: (message: ToolMessage) => NamedTool[];
  /** The group of a tool, and what it is about; undefined if it has none. */
  groupOf: (name: string) => { name: string; about: string } | undefined;
}

/** A provider's encoding. */
export interface NativeEncoding {
  /**
   * The tools that are sent, the same in every request.
   *
   * @param own the agent's tools
   * @param library all that may be found
   */
  tools: <Tool extends { name?: unknown }>(
    own: readonly Tool[],
    options: { library: () => NamedTool[]; description: string },
  ) => (Tool | Record<string, unknown>)[];
  messages: (messages: readonly BaseMessage[], searched: Searched) => BaseMessage[];
  /** A reply of the model as the agent has it. */
  read: (reply: AIMessage) => AIMessage;
  /** Options of the request. */
  settings: Record<string, unknown>;
}

const anthropic: NativeEncoding = {
  tools: (own, { library }) => [
    ...own,
    ...library().map(({ name, record: { description, parameters } }) => ({
      name,
      description,
      schema: wireParameters(parameters).parameters,
      extras: { defer_loading: true },
    })),
  ],
  messages: (messages, { foundFor, foundBy }) =>
    messages.flatMap((message) => {
      if (HumanMessage.isInstance(message)) {
        const found = foundFor(message);
        if (found.length === 0) return [message];
        const id = callIdOf(message);
        const call = { name: FIND_TOOLS, args: FIRST, id, type: "tool_call" as const };
        return [message, new AIMessage({ content: "", tool_calls: [call] }), referring(id, found)];
      }
      if (!isFind(message)) return [message];
      const found = foundBy(message);
      return found.length > 0
        ? [referring(message.tool_call_id, found, unmet(message))]
        : [message];
    }),
  read: (reply) => reply,
  // The whole prompt is read from the cache as far as it was sent before.
  settings: { cache_control: { type: "ephemeral" } },
};

const openai: NativeEncoding = {
  tools: (own, { description }) =>
    own.map((tool) =>
      tool.name === FIND_TOOLS
        ? { type: "tool_search", execution: "client", description, parameters: FIND_SCHEMA }
        : tool,
    ),
  messages: (messages, { foundFor, foundBy, groupOf }) =>
    messages.flatMap((message) => {
      if (HumanMessage.isInstance(message)) {
        const found = foundFor(message);
        if (found.length === 0) return [message];
        const id = callIdOf(message);
        return [message, ofItems([searchCall(id, FIRST), ...defining({ id, found, groupOf })])];
      }
      if (AIMessage.isInstance(message)) return [withItems(message, groupOf)];
      if (!isFind(message)) return [message];
      const { tool_call_id: id } = message;
      return [ofItems(defining({ id, found: foundBy(message), groupOf, text: unmet(message) }))];
    }),
  read(reply) {
    const searches = itemsOf(reply).flatMap((item) =>
      item["type"] === "tool_search_call" && item["execution"] === "client" ? [item] : [],
    );
    if (searches.length === 0) return reply;
    const calls = searches.map(({ call_id: id, arguments: args }) => ({
      name: FIND_TOOLS,
      args: isObject(args) ? args : {},
      id: String(id),
      type: "tool_call" as const,
    }));
    const copy = Object.assign(Object.create(Object.getPrototypeOf(reply)), reply) as AIMessage;
    copy.tool_calls = [...calls, ...(reply.tool_calls ?? [])];
    return copy;
  },
  settings: {},
};

/** What the model would have searched for, had it been asked first. */
const FIRST = { queries: ["what the request takes"] };

type Item = Record<string, unknown>;

function isFind(message: BaseMessage): message is ToolMessage {
  return ToolMessage.isInstance(message) && message.name === FIND_TOOLS;
}

/** What is said of queries that found no tool. */
function unmet({ artifact, text, status }: ToolMessage): string {
  if (status === "error") return text;
  const said = isObject(artifact) ? artifact["unmet"] : undefined;
  return typeof said === "string" ? said : "";
}

function callIdOf({ id = "" }: BaseMessage): string {
  return `find_${id.replaceAll(/[^\w-]/g, "_").slice(0, LONGEST_CALL_ID)}`;
}

const LONGEST_CALL_ID = 59;

/** LangChain's client for Anthropic sends a result as it is only as part of a user's message. */
function referring(id: string, found: readonly NamedTool[], text = ""): HumanMessage {
  const references = found.map(({ name }) => ({ type: "tool_reference", tool_name: name }));
  const content = [...(text ? [{ type: "text", text }] : []), ...references];
  return new HumanMessage({ content: [{ type: "tool_result", tool_use_id: id, content }] });
}

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
function withItems(message: AIMessage, groupOf: Searched["groupOf"]): AIMessage {
  const calls = message.tool_calls ?? [];
  if (itemsOf(message).length > 0 || !calls.some(({ name }) => name === FIND_TOOLS)) return message;
  const said = { role: "assistant", content: [{ type: "output_text", text: message.text }] };
  return ofItems([
    ...(message.text ? [{ type: "message", ...said }] : []),
    ...calls.map(({ name, args, id: call_id = "" }) => {
      if (name === FIND_TOOLS) return searchCall(call_id, args);
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

/** More definitions make requests too large to be sent with every call. */
const MOST_DEFERRED = 1000;

/** The encodings, with the models that are documented to take them. */
const NATIVE = {
  anthropic: {
    encoding: anthropic,
    models: /^claude-(?:(?:sonnet|opus)-(?:[4-9]|\d\d)|haiku-(?:4-[5-9]|[5-9])|fable|mythos)/,
    host: "api.anthropic.com",
    variable: "ANTHROPIC_BASE_URL",
  },
  openai: {
    encoding: openai,
    models: /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|\d\d)/,
    host: "api.openai.com",
    variable: "OPENAI_BASE_URL",
  },
};

/** What is read of a model, a client of LangChain's or what `initChatModel` makes. */
interface Client {
  getName?: () => string;
  model?: unknown;
  modelProvider?: unknown;
  /** Anthropic's client. */
  apiUrl?: unknown;
  thinking?: { type?: unknown };
  /** OpenAI's client, and its options. */
  clientConfig?: { baseURL?: unknown };
  configuration?: { baseURL?: unknown };
  zdrEnabled?: unknown;
  _defaultConfig?: Client;
}

/** How the tools that a model is offered may be encoded. */
export interface Encodable {
  /** Where its provider documents one of its own. */
  native?: NativeEncoding;
  /** Its endpoint is on this machine, where nothing is sold. */
  isLocal: boolean;
}

/**
 * @param size number of tools that may be found
 * @param isForced for any model and endpoint of the provider
 */
export function encodable(model: object, size: () => number, isForced: boolean): Encodable {
  const client = model as Client;
  const read: Client = { ...client._defaultConfig, ...definedIn(client) };
  const provider = providerOf(client.getName?.() ?? "", read);
  const known = provider === "other" || provider === "ollama" ? undefined : NATIVE[provider];
  const address =
    read.apiUrl ??
    read.clientConfig?.baseURL ??
    read.configuration?.baseURL ??
    (known && process.env[known.variable]);
  const host = hostOf(address);
  const isLocal = provider === "ollama" || LOOPBACK.test(host ?? "");
  // A search that the model did not make has none of its thoughts, which Anthropic then wants; items are not kept with `zdrEnabled`.
  const isThinking = ![undefined, "disabled"].includes(read.thinking?.type as undefined);
  const isDocumented =
    isForced || ((host ?? known?.host) === known?.host && known?.models.test(String(read.model)));
  const isFitting = known?.encoding !== anthropic || (!isThinking && size() <= MOST_DEFERRED);
  const isUsed = known && isDocumented && isFitting && !read.zdrEnabled;
  return { isLocal, ...(isUsed ? { native: known.encoding } : {}) };
}

function definedIn({ model, apiUrl, thinking, clientConfig, zdrEnabled }: Client): Client {
  const said = { model, apiUrl, thinking, clientConfig, zdrEnabled };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function providerOf(name: string, { modelProvider, model }: Client) {
  const said = typeof modelProvider === "string" ? modelProvider : String(model).split(":")[0];
  if (name === "ChatAnthropic") return "anthropic";
  if (name === "ChatOpenAI") return "openai";
  if (name === "ChatOllama" || said === "ollama") return "ollama";
  const isConfigurable = name === "ConfigurableModel";
  return isConfigurable && (said === "anthropic" || said === "openai") ? said : "other";
}

function hostOf(address: unknown): string | undefined {
  return typeof address === "string" && URL.canParse(address)
    ? new URL(address).hostname
    : undefined;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
