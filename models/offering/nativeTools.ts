import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { anthropic } from "./anthropicTools.js";
import type { Finder, NamedTool } from "./namedTools.js";
import { openai } from "./openaiTools.js";
import { givenFields } from "../../common/givenFields.js";

/*
 * Found tools in the encodings that providers have for them. The list of tools and the beginning of the prompt never change;
 * what a search finds stands in its result:
 * - Anthropic (anthropicTools.ts): all tools of the library are sent with `defer_loading`, which keeps them out of the
 *   prompt, and a result refers to them (`tool_reference`);
 * - OpenAI (openaiTools.ts, Responses API): the search is its `tool_search`, executed by the client, and a result defines
 *   what was found, by namespace.
 */

/** What a conversation says of searches, besides the messages. */
export interface Searched {
  /** What was found for a message of the user, before the model was asked. */
  foundFor: (message: BaseMessage) => NamedTool[];
  /** What a result of a search found. */
  foundBy: (message: ToolMessage) => NamedTool[];
  /** The group of a tool, and what it is about; undefined if it has none. */
  groupOf: (name: string) => { name: string; about: string } | undefined;
  finder: Finder;
}

export interface NativeEncoding {
  /**
   * The tools that are sent, the same in every request.
   *
   * @param own the agent's tools
   * @param library all that may be found
   */
  tools: <Tool extends object>(
    own: readonly Tool[],
    options: { library: () => NamedTool[]; finder: Finder },
  ) => (Tool | Record<string, unknown>)[];
  messages: (messages: readonly BaseMessage[], searched: Searched) => BaseMessage[];
  read: (reply: AIMessage, finder: Finder) => AIMessage;
  settings: Record<string, unknown>;
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
  apiUrl?: unknown;
  thinking?: { type?: unknown };
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
  const { model: name, apiUrl, thinking, clientConfig, zdrEnabled } = client;
  const said: Client = { model: name, apiUrl, thinking, clientConfig, zdrEnabled };
  const read: Client = { ...client._defaultConfig, ...givenFields(said) };
  const provider = providerOf(client.getName?.() ?? "", read);
  const known = provider === "other" || provider === "ollama" ? undefined : NATIVE[provider];
  const address =
    read.apiUrl ??
    read.clientConfig?.baseURL ??
    read.configuration?.baseURL ??
    (known && process.env[known.variable]);
  const host =
    typeof address === "string" && URL.canParse(address) ? new URL(address).hostname : undefined;
  const isLocal = provider === "ollama" || LOOPBACK.test(host ?? "");
  // A search that the model did not make has none of its thoughts, which Anthropic then wants; items are not kept with `zdrEnabled`.
  const isThinking = ![undefined, "disabled"].includes(read.thinking?.type as undefined);
  const isDocumented =
    isForced || ((host ?? known?.host) === known?.host && known?.models.test(String(read.model)));
  const isFitting = known?.encoding !== anthropic || (!isThinking && size() <= MOST_DEFERRED);
  // A client of chat completions alone has no search of its own.
  const speaksIt = client.getName?.() !== "ChatOpenAI" || "responses" in client;
  const isUsed = known && isDocumented && isFitting && speaksIt && !read.zdrEnabled;
  return { isLocal, ...(isUsed ? { native: known.encoding } : {}) };
}

function providerOf(name: string, { modelProvider, model }: Client) {
  const said = typeof modelProvider === "string" ? modelProvider : String(model).split(":")[0];
  if (name === "ChatAnthropic") return "anthropic";
  if (name === "ChatOpenAI") return "openai";
  if (name === "ChatOllama" || said === "ollama") return "ollama";
  const isConfigurable = name === "ConfigurableModel";
  return isConfigurable && (said === "anthropic" || said === "openai") ? said : "other";
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
