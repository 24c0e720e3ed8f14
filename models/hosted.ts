import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { OFFLINE_MODEL } from "../state/context.js";
import { modelFailure } from "./failures.js";
import { requireKey } from "./keys.js";
import { missingIn, missingPackage } from "./packages.js";
import type { ChatProvider, ChatSettings, StructuredReplies } from "./providers.js";
import { RETRIES } from "./retries.js";

/** How a provider known to LangChain's `initChatModel` differs from the others. */
interface Hosted {
  package: string;
  /** Environment variable of the key; absent if none is needed or there are several ways. */
  key?: string;
  /** Environment variable for another endpoint with the same protocol, which may need no key. */
  baseUrl?: string;
  structuredReplies?: StructuredReplies;
  maxTools?: number;
  /** Constructor fields, if they differ from LangChain's usual names. */
  fields?: (settings: ChatSettings) => Record<string, unknown>;
  /** Further constructor fields computed from all others. */
  parts?: (fields: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

const HOSTED: Record<string, Hosted> = {
  openai: {
    package: "@langchain/openai",
    key: "OPENAI_API_KEY",
    baseUrl: "OPENAI_BASE_URL",
    structuredReplies: "responseFormat",
    maxTools: 128,
    parts: openAiParts,
  },
  azure_openai: {
    package: "@langchain/openai",
    key: "AZURE_OPENAI_API_KEY",
    structuredReplies: "responseFormat",
    maxTools: 128,
  },
  anthropic: { package: "@langchain/anthropic", key: "ANTHROPIC_API_KEY" },
  google: {
    package: "@langchain/google",
    key: "GOOGLE_API_KEY",
    fields: ({ maxOutputTokens }) => ({ maxOutputTokens }),
  },
  "google-genai": {
    package: "@langchain/google-genai",
    key: "GOOGLE_API_KEY",
    fields: ({ maxOutputTokens }) => ({ maxOutputTokens }),
  },
  "google-vertexai": {
    package: "@langchain/google-vertexai",
    fields: ({ maxOutputTokens }) => ({ maxOutputTokens }),
  },
  ollama: {
    package: "@langchain/ollama",
    fields: ({ maxOutputTokens, seed }) => ({ numPredict: maxOutputTokens, seed }),
  },
  mistralai: { package: "@langchain/mistralai", key: "MISTRAL_API_KEY" },
  groq: { package: "@langchain/groq", key: "GROQ_API_KEY", maxTools: 128 },
  cohere: { package: "@langchain/cohere", key: "COHERE_API_KEY" },
  bedrock: { package: "@langchain/aws" },
  deepseek: { package: "@langchain/deepseek", key: "DEEPSEEK_API_KEY", maxTools: 128 },
  xai: { package: "@langchain/xai", key: "XAI_API_KEY" },
  cerebras: { package: "@langchain/cerebras", key: "CEREBRAS_API_KEY" },
  fireworks: { package: "@langchain/fireworks", key: "FIREWORKS_API_KEY" },
  together: { package: "@langchain/together-ai", key: "TOGETHER_AI_API_KEY" },
  perplexity: { package: "@langchain/perplexity", key: "PERPLEXITY_API_KEY" },
};

/** The providers behind `initChatModel`, by name. */
export function hostedProviders(): [string, ChatProvider][] {
  return Object.entries(HOSTED).map(([name, hosted]) => [
    name,
    {
      structuredReplies: hosted.structuredReplies ?? "provider",
      maxTools: hosted.maxTools,
      environment: [hosted.key, hosted.baseUrl].filter((variable) => variable !== undefined),
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
  const apiKey = requireKey({
    spec,
    key: hosted.key,
    baseUrl: hosted.baseUrl,
    keyless: OFFLINE_MODEL,
  });
  const fields = {
    ...(apiKey ? { apiKey } : {}),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...RETRIES,
    ...(hosted.fields?.(settings) ?? { maxTokens: settings.maxOutputTokens }),
  };
  const { initChatModel } = await import("langchain/chat_models/universal");
  try {
    const parts = await hosted.parts?.({ model, ...fields });
    const configurable = await initChatModel(model, { modelProvider: name, ...fields, ...parts });
    // Uses the inner client, because the wrapper creates and keeps a client for every set of call options.
    return await configurable._getModelInstance();
  } catch (error) {
    throw isMissingPackage(error)
      ? missingPackage({ spec, name: hosted.package, cause: error })
      : modelFailure({ spec, error });
  }
}

async function openAiParts(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { ChatCompletions } = await import("./openai.js");
  // The client's own log would clutter our one-line errors.
  const configuration = { logLevel: "off" as const };
  return { configuration, completions: new ChatCompletions({ ...fields, configuration }) };
}

/** LangChain says the one, Node the other. */
function isMissingPackage(error: unknown): boolean {
  const isUnable = error instanceof Error && error.message.startsWith("Unable to import");
  return isUnable || missingIn(error) !== undefined;
}
