import { type TrainingPool, trainingPool } from "../../tools/library/adapter/pool.js";
import { trainAdapter, type TrainingRound } from "../../tools/library/adapter/trainAdapter.js";
import {
  type EmbeddingModel,
  embedTexts,
  toolText,
} from "../../tools/library/vectors/embedding.js";
import type { NewAdapter } from "../../tools/library/adapter/storedAdapters.js";
import type { LibraryView } from "../../tools/library/library.js";
import { openLibraryStore } from "../../tools/library/store.js";
import { inTemporaryFolder } from "../files.js";
import { recallAtK } from "../scorers/retrieval.js";
import { bootstrapInterval } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import { seededRandom } from "../statistics/random.js";
import {
  type LabelledRequest,
  type Part,
  partOf,
  type RequestSet,
  requireParts,
} from "./labelledRequests.js";

/** Rank down to which a tool counts as found. */
const FOUND_AT = 5;
const ALSO_AT = 10;

/** An adapter with the figures of each set. */
export type RetrieverTraining = Awaited<ReturnType<typeof trainRetriever>>;

/**
 * Trains one adapter on the requests of one or several sets, each searched among its own tools, and measures
 * it on held-out requests.
 *
 * @param options.seed the same seed gives the same adapter
 * @throws InvalidSetting if there is nothing to learn from, to stop by or to measure on
 * @throws ModelFailed if the embedding model fails
 */
export async function trainRetriever(options: {
  sets: readonly RequestSet[];
  model: EmbeddingModel;
  seed: number;
  onRound?: (round: TrainingRound) => void;
}) {
  const { sets, model, seed, onRound } = options;
  requireParts("pairs", sets, seed);
  const pools = [];
  for (const set of sets) pools.push(await dividedPool(set, model, seed));
  const dimension = pools[0]?.dimension ?? 0;
  const learned = trainAdapter({
    train: pools.map(({ train }) => train).filter(hasRequests),
    validation: pools.map(({ validation }) => validation).filter(hasRequests),
    dimension,
    random: seededRandom(seed),
    onRound,
  });
  const trained = pools.reduce((sum, pool) => sum + requestsToLearnFrom(pool), 0);
  const adapter = { dimension, weights: learned.weights, requests: trained };
  const figures = [];
  for (const [at, set] of sets.entries()) {
    const pool = pools[at];
    const requests = set.requests.filter((request) => partOf(request, seed) === "test");
    figures.push({
      set: set.name,
      tools: set.tools.length,
      trained: pool ? requestsToLearnFrom(pool) : 0,
      tested: requests.length,
      ...(await adapterInSearch({ ...set, requests }, { model, adapter, seed })),
    });
  }
  const measured = figures.filter(({ tested }) => tested > 0);
  const isBetter = mean(measured.map(({ plain, adapted }) => adapted - plain)) > 0;
  return {
    ...learned,
    dimension,
    /** Training requests of all sets. */
    trained,
    /** In searches by meaning and words, on those requests of each set that the adapter was not trained on. */
    figures,
    /** Whether searches find more on average over the sets. */
    isBetter,
  };
}

/** What an adapter changes in the searches of graphs, which combine meaning and words. */
async function adapterInSearch(
  { tools, requests }: RequestSet,
  { model, adapter, seed }: { model: EmbeddingModel; adapter: NewAdapter; seed: number },
) {
  return await inTemporaryFolder("set", async (home) => {
    const store = openLibraryStore({ home });
    try {
      const { embeddings, name: embeddingModel } = model;
      const library = await store.open({ name: "set", embeddings, embeddingModel, create: true });
      await library.sync({ origin: "set", fingerprint: "", tools });
      const plain = await recallsOf(library, requests);
      await library.saveAdapter(adapter);
      const adapted = await recallsOf(library, requests);
      const gains = adapted[FOUND_AT].map((recall, row) => [recall - (plain[FOUND_AT][row] ?? 0)]);
      return {
        /** Mean Recall@5 without and with the adapter; NaN if nothing is tested. */
        plain: mean(plain[FOUND_AT]),
        adapted: mean(adapted[FOUND_AT]),
        /** The same at rank 10, as TPTU-v2 reports it. */
        plain10: mean(plain[ALSO_AT]),
        adapted10: mean(adapted[ALSO_AT]),
        /** Bootstrap interval, 95 %, of the difference, over requests. */
        gain: bootstrapInterval(gains, { seed }),
      };
    } finally {
      await store.close();
    }
  });
}

async function recallsOf(
  library: LibraryView,
  requests: readonly LabelledRequest[],
): Promise<Record<typeof FOUND_AT | typeof ALSO_AT, number[]>> {
  const phrases = requests.map(({ query }) => query);
  const { results } = await library.search({ phrases, topK: ALSO_AT });
  const at = (k: number) =>
    requests.map(({ tools }, row) => {
      const ranked = (results[row]?.hits ?? []).map(({ id }) => id);
      return recallAtK({ ranked, relevant: tools, k });
    });
  return { [FOUND_AT]: at(FOUND_AT), [ALSO_AT]: at(ALSO_AT) };
}

type DividedPool = Awaited<ReturnType<typeof dividedPool>>;

function requestsToLearnFrom({ train, validation }: DividedPool): number {
  return train.requests.length + validation.requests.length;
}

async function dividedPool({ tools, requests }: RequestSet, model: EmbeddingModel, seed: number) {
  const places = new Map(tools.map(({ id }, row) => [id, row]));
  const toolVectors = await embedTexts({ model, texts: tools.map(toolText) });
  const vectors = await embedTexts({ model, texts: requests.map(({ query }) => query) });
  const dimension = toolVectors[0]?.length ?? 0;
  const pool = trainingPool({
    tools: toolVectors.map((vector) => Float64Array.from(vector)),
    requests: requests.map((request, at) => ({
      vector: Float64Array.from(vectors[at] ?? []),
      relevant: request.tools.flatMap((id) => places.get(id) ?? []),
      part: partOf(request, seed),
    })),
  });
  const within = (wanted: Part) => ({
    tools: pool.tools,
    requests: pool.requests.filter(({ part }) => part === wanted),
  });
  return { train: within("train"), validation: within("validation"), dimension };
}

function hasRequests({ requests }: TrainingPool): boolean {
  return requests.length > 0;
}
