import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod";
import { readAsWritten } from "../common/dataFile.js";
import { messageOf } from "../common/errors.js";
import { OPENAI_MODEL } from "../state/settings.js";
import { RETRIES, modelFailure } from "./chat/failures.js";
import { LOCAL_SERVERS, type LocalServer, addressOf, openAiAddress } from "./localServers.js";
import { missingIn, missingPackage, packageUrl } from "./packages.js";
import {
  type ChatProvider,
  type ChatSettings,
  NO_KEY,
  type StructuredReplies,
  isAnySet,
  parseModelSpec,
  requireKey,
} from "./providers.js";
import { fetchReply } from "./chat/wire.js";

/** How a provider known to LangChain's `initChatModel` differs from the others. */
interface Hosted {
  package: string;
  /** Environment variable of the key; absent if none is needed or there are several ways. */
  key?: string;
  /** Environment variable for another endpoint with the same protocol, which may need no key. */
  baseUrl?: string;
  usual?: string;
  /**
   * Address of its endpoint with OpenAI's protocol. Used if `package` is OpenAI's or is not installed; `baseUrl` names
   * the variable for another address.
   */
  openAiAt?: () => string;
  structuredReplies?: StructuredReplies;
  maxTools?: number;
  /** Constructor fields, if they differ from LangChain's usual names. */
  fields?: (settings: ChatSettings) => Record<string, unknown>;
  /** How its client is made, if not by LangChain's `initChatModel`. */
  make?: (fields: Record<string, unknown>) => Promise<BaseChatModel>;
}

/** What is not plain data (hosted.json) of a provider. */
const PARTS: Record<string, Partial<Hosted>> = {
  openai: { usual: parseModelSpec(OPENAI_MODEL).model, make: openAiChat },
  google: { fields: googleFields },
  "google-genai": { fields: googleFields },
  "google-vertexai": { fields: googleFields },
  ollama: {
    ...localServer("ollama"),
    fields: ({ maxOutputTokens, seed }) => ({
      numPredict: maxOutputTokens,
      seed,
      baseUrl: addressOf("ollama"),
    }),
  },
  lmstudio: localServer("lmstudio"),
  llamacpp: localServer("llamacpp"),
  vllm: localServer("vllm"),
  openrouter: { openAiAt: () => "https://openrouter.ai/api/v1" },
};

const PLAIN = readAsWritten(
  new URL("hosted.json", import.meta.url),
  z.custom<Record<string, Hosted>>(),
);

const HOSTED: Record<string, Hosted> = Object.fromEntries(
  Object.entries(PLAIN).map(([name, plain]) => [name, { ...plain, ...PARTS[name] }]),
);

export type HostedFacts = Pick<Hosted, "package" | "key" | "usual">;

/** The providers and what they need, in the order in which a default is chosen. */
export function hostedFacts(): [string, HostedFacts][] {
  return Object.entries(HOSTED);
}

function googleFields({ maxOutputTokens }: ChatSettings) {
  return { maxOutputTokens };
}

function localServer(name: LocalServer): Partial<Hosted> {
  const { variable } = LOCAL_SERVERS[name];
  const openAiAt = () => openAiAddress(name);
  return { openAiAt, baseUrl: variable, structuredReplies: "responseFormat" };
}

export function hostedProviders(): [string, ChatProvider][] {
  return Object.entries(HOSTED).map(([name, hosted]) => [
    name,
    {
      structuredReplies: hosted.structuredReplies ?? "provider",
      maxTools: hosted.maxTools,
      environment: [hosted.key, hosted.baseUrl].filter((variable) => variable !== undefined),
      isSetUp: () => isAnySet(hosted.key, hosted.baseUrl),
      makeChat: (model, settings) => makeHosted({ name, hosted, model, settings }),
    },
  ]);
}

async function makeHosted(options: {
  name: string;
  hosted: Hosted;
  model: string;
  settings: ChatSettings;
}): Promise<BaseChatModel> {
  const { name, hosted, model, settings } = options;
  const spec = `${name}:${model}`;
  const { key, baseUrl } = hosted;
  const apiKey = requireKey({ spec, key, baseUrl });
  const baseURL = compatibleAddress(hosted);
  const own = baseURL === undefined ? hosted.fields?.(settings) : undefined;
  const fields = {
    ...(apiKey ? { apiKey } : {}),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...RETRIES,
    ...(own ?? { maxTokens: settings.maxOutputTokens }),
  };
  try {
    if (baseURL !== undefined)
      return await openAiChat({ model, apiKey: NO_KEY, ...fields }, { baseURL });
    if (hosted.make) return await hosted.make({ model, ...fields });
    const { initChatModel } = await import("langchain/chat_models/universal");
    const configurable = await initChatModel(model, { modelProvider: name, ...fields });
    // Uses the inner client, because the wrapper creates and keeps a client for every set of call options.
    return await configurable._getModelInstance();
  } catch (error) {
    const isMissing = messageOf(error).startsWith("Unable to import") || missingIn(error);
    throw isMissing
      ? missingPackage({ spec, name: hosted.package, cause: error })
      : modelFailure({ spec, error });
  }
}

/** Whether a model's client is made by our own code, rather than by a package of its provider. */
export function isMadeHere(spec: string): boolean {
  const hosted = HOSTED[parseModelSpec(spec).provider];
  return !hosted || hosted.make !== undefined || compatibleAddress(hosted) !== undefined;
}

/** The address for OpenAI's client; undefined for a provider with its own client, and for OpenAI itself. */
function compatibleAddress({ openAiAt, package: name }: Hosted): string | undefined {
  if (openAiAt === undefined) return undefined;
  const hasOwn = name !== HOSTED["openai"]?.package && packageUrl(name) !== undefined;
  return hasOwn ? undefined : openAiAt();
}

async function openAiChat(
  fields: Record<string, unknown>,
  endpoint: { baseURL?: string } = {},
): Promise<BaseChatModel> {
  const { ChatCompletions, ChatOpenAI } = await import("./chat/openai.js");
  // The client's own log would clutter our one-line errors.
  const configuration = { logLevel: "off" as const, fetch: fetchReply, ...endpoint };
  const given = { ...fields, configuration };
  return new ChatOpenAI({ ...given, completions: new ChatCompletions(given) });
}
