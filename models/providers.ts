import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Embeddings } from "@langchain/core/embeddings";
import { ModelFailed, UnknownName } from "../common/errors.js";
import { isSecretName } from "../common/secrets.js";

/** Settings of a chat model that its constructor takes. */
export interface ChatSettings {
  temperature?: number;
  seed?: number;
  maxOutputTokens: number;
}

/**
 * How structured replies are requested. `responseFormat`: the JSON Schema is sent as OpenAI's `response_format` ·
 * `provider`: LangChain's `withStructuredOutput` decides · `stage`: the model knows the stage and needs no schema.
 */
export type StructuredReplies = "responseFormat" | "provider" | "stage";

interface Connection {
  /** Environment variables of its key and endpoint; a change makes a new client. */
  environment?: string[];
  /**
   * Whether whoever runs this process has given it a key or an address, so that callers of a server may name its models.
   *
   * @default true, because a provider that code registers is meant to be used
   */
  isSetUp?: () => boolean;
}

export interface ChatProvider extends Connection {
  makeChat: (model: string, settings: ChatSettings) => Promise<BaseChatModel>;
  structuredReplies: StructuredReplies;
  /** Most tools per request; undefined if the provider states no limit. */
  maxTools?: number;
}

export interface EmbeddingsProvider extends Connection {
  makeEmbeddings: (model: string) => Promise<ProvidedEmbeddings>;
}

/** What a provider of embedding models makes: any `Embeddings` of LangChain, with optional extras. */
export interface ProvidedEmbeddings extends Embeddings {
  /**
   * Names the exact weights, if "provider:name" may mean others later, as with a folder. Vectors are kept under this
   * name, so those of different weights are never compared.
   *
   * @default "provider:name" as requested
   */
  identity?: string;
  /**
   * Embeds queries, if the model treats them differently from documents.
   *
   * @default `embedDocuments`
   */
  embedQueries?: (texts: string[]) => Promise<number[][]>;
}

const chatProviders = new Map<string, ChatProvider>();
const embeddingsProviders = new Map<string, EmbeddingsProvider>();

/**
 * Registers a provider of chat models for the process; its name is the part before the colon of a model's name.
 * A provider of that name that was registered before is replaced.
 *
 * @example
 * registerChatProvider("mine", {
 *   makeChat: async (model, { temperature }) => new ChatOpenAI({ model, temperature, configuration: { baseURL } }),
 *   structuredReplies: "responseFormat",
 * });
 * await graphs.tulip.graph.invoke({ request }, { context: { model: "mine:large" } });
 */
export function registerChatProvider(name: string, provider: ChatProvider): void {
  chatProviders.set(name, provider);
}

/**
 * Registers a provider of embedding models for the process, for `--embeddings` and the setting `embeddings`; its name
 * is the part before the colon. A provider of that name that was registered before is replaced.
 *
 * The model is made once per name after the colon. It may be any `Embeddings` of LangChain, with vectors of any one
 * length. Whatever it throws is reported in one line that names the model.
 *
 * @example
 * import { registerEmbeddingsProvider } from "tulipgraph";
 * import { OpenAIEmbeddings } from "@langchain/openai";
 *
 * registerEmbeddingsProvider("house", {
 *   // If one of these changes, the model is made again.
 *   environment: ["HOUSE_URL"],
 *   makeEmbeddings: async (model) =>
 *     new OpenAIEmbeddings({ model, configuration: { baseURL: process.env.HOUSE_URL } }),
 * });
 * // from now on: { embeddings: "house:nomic-embed-text" }
 */
export function registerEmbeddingsProvider(name: string, provider: EmbeddingsProvider): void {
  embeddingsProviders.set(name, provider);
}

/**
 * The provider of a chat model.
 *
 * @throws ModelFailed when the name is not "provider:name"
 * @throws UnknownName for a provider that does not exist
 */
export function chatProvider(spec: string): { provider: ChatProvider; model: string } {
  return find({ spec, kind: "model provider", known: chatProviders, hint: FORM });
}

/** Like {@link chatProvider}, for embedding models. */
export function embeddingsProvider(spec: string): { provider: EmbeddingsProvider; model: string } {
  const known = embeddingsProviders;
  return find({ spec, kind: "embeddings provider", known, hint: `${FORM}; ${OTHERS}` });
}

/** Whether an embeddings provider of this name is registered. */
export function knowsEmbeddings(name: string): boolean {
  return embeddingsProviders.has(name);
}

/** The values of a provider's environment variables, to distinguish clients. */
export function connectionOf({ environment = [] }: Connection): (string | undefined)[] {
  return environment.map((name) => process.env[name]);
}

/** Whether any of these variables has a value. */
export function isAnySet(...variables: readonly (string | undefined)[]): boolean {
  return variables.some((variable) => variable !== undefined && Boolean(process.env[variable]));
}

/** Whether a model belongs to a provider that is known and set up in this process. */
export function isSetUp(kind: "model" | "embeddings", spec: string): boolean {
  const [name = ""] = spec.split(":", 1);
  const provider = (kind === "model" ? chatProviders : embeddingsProviders).get(name);
  return provider !== undefined && (provider.isSetUp?.() ?? true);
}

const FORM = 'a model is named as "provider:name"';
const OTHERS = "to install another of LangChain's providers: npm install @langchain/PROVIDER";

function find<Provider>(options: {
  spec: string;
  kind: string;
  known: Map<string, Provider>;
  hint: string;
}): { provider: Provider; model: string } {
  const { provider: name, model } = parseModelSpec(options.spec);
  const provider = options.known.get(name);
  if (!provider) {
    throw new UnknownName({
      kind: options.kind,
      wanted: name,
      available: [...options.known.keys()].toSorted(),
      hint: options.hint,
    });
  }
  return { provider, model };
}

/** @throws ModelFailed when the name is not "provider:name", or is a key */
export function parseModelSpec(spec: string): { provider: string; model: string } {
  if (isSecretName(spec)) throw new ModelFailed({ model: "name", ...KEY_AS_NAME });
  const colon = spec.indexOf(":");
  if (colon <= 0 || colon === spec.length - 1) {
    throw new ModelFailed({
      model: JSON.stringify(spec),
      problem: 'is not "provider:name"',
      hint: "for example openai:gpt-4.1-mini or ollama:qwen3, and for embeddings local:sentence-encoder",
    });
  }
  return { provider: spec.slice(0, colon), model: spec.slice(colon + 1) };
}

/** A key given as a name is refused because names are saved, logged and shown. */
const KEY_AS_NAME = {
  problem: "looks like a key or a password",
  hint: 'set keys in the environment or in .env (OPENAI_API_KEY=…), and name the model as "provider:name"',
};

/** A placeholder for clients that insist on a key, though a user's own endpoint may need none. */
export const NO_KEY = "none";

/**
 * The key for a client; undefined if the client finds it itself or needs none.
 *
 * @param options.key environment variable of the key
 * @param options.keyless a model that serves in its place, if one always does
 * @param options.baseUrl environment variable of a user's own endpoint, which may need no key
 * @throws ModelFailed when the key is needed and missing
 */
export function requireKey(options: {
  spec: string;
  key?: string;
  baseUrl?: string;
  keyless?: string;
}): string | undefined {
  const { spec, key, baseUrl, keyless = "see: tulipgraph models" } = options;
  if (!key || process.env[key]) return undefined;
  if (baseUrl && process.env[baseUrl]) return NO_KEY;
  throw new ModelFailed({
    model: spec,
    problem: "no API key is set",
    hint: `set ${key} in the environment or in .env, or name a model that needs none (${keyless})`,
  });
}
