import { matrixOf } from "../../tools/library/adapter/matrix.js";
import { partOfPool, type TrainingPool, trainingPool } from "../../tools/library/adapter/pool.js";
import {
  trainAdapter,
  type TrainedAdapter,
  type TrainingRound,
} from "../../tools/library/adapter/trainAdapter.js";
import {
  type EmbeddingModel,
  embedTexts,
  toolText,
} from "../../tools/library/vectors/embedding.js";
import { mean } from "../statistics/descriptive.js";
import { seededRandom } from "../statistics/random.js";
import {
  type AdapterFigures,
  adapterFigures,
  adapterInSearch,
  type InSearch,
} from "./adapterFigures.js";
import type { RequestSet } from "./labelledRequests.js";
import { type Part, partOf, requireParts } from "./split.js";

/** An adapter with the figures of each set, on requests that it was not trained on. */
export interface RetrieverTraining extends TrainedAdapter {
  /** Length of the vectors. */
  dimension: number;
  /** Training requests of all sets. */
  trained: number;
  figures: (AdapterFigures & {
    /** For searches by meaning and words. */
    both: InSearch;
  })[];
  /** Whether those searches find more on average over the sets. */
  isBetter: boolean;
}

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
}): Promise<RetrieverTraining> {
  const { sets, model, seed, onRound } = options;
  requireParts({ setting: "pairs", sets, seed });
  const pools = [];
  for (const set of sets) pools.push(await dividedPool(set, model, seed));
  const dimension = pools[0]?.test.dimension ?? 0;
  const learned = trainAdapter({
    train: pools.map(({ train }) => train).filter(hasRequests),
    validation: pools.map(({ validation }) => validation).filter(hasRequests),
    dimension,
    random: seededRandom(seed),
    onRound,
  });
  const trained = pools.reduce((sum, pool) => sum + requestsToLearnFrom(pool), 0);
  const tested = sets.map((set) => ({
    ...set,
    requests: set.requests.filter((request) => partOf(request, seed) === "test"),
  }));
  const adapter = { dimension, weights: learned.weights, requests: trained };
  const both = await adapterInSearch({ sets: tested, model, adapter, seed });
  const figures = pools.flatMap((pool, at) => {
    const inSearch = both[at];
    if (!inSearch) return [];
    const figure = adapterFigures({
      set: pool.name,
      trained: requestsToLearnFrom(pool),
      test: pool.test,
      weights: learned.weights,
      seen: new Set([...pool.train.relevant, ...pool.validation.relevant].flat()),
      seed,
    });
    return [{ ...figure, both: inSearch }];
  });
  const measured = both.filter(({ plain }) => !Number.isNaN(plain));
  const isBetter = mean(measured.map(({ plain, adapted }) => adapted - plain)) > 0;
  return { ...learned, dimension, trained, figures, isBetter };
}

function requestsToLearnFrom({ train, validation }: Record<Part, TrainingPool>): number {
  return train.relevant.length + validation.relevant.length;
}

async function dividedPool(
  set: RequestSet,
  model: EmbeddingModel,
  seed: number,
): Promise<{ name: string } & Record<Part, TrainingPool>> {
  const { tools, requests } = set;
  const places = new Map(tools.map(({ id }, row) => [id, row]));
  const toolVectors = await embedTexts({ model, texts: tools.map(toolText) });
  const vectors = await embedTexts({ model, texts: requests.map(({ query }) => query) });
  const dimension = toolVectors[0]?.length ?? 0;
  const pool = trainingPool({
    dimension,
    queries: matrixOf(vectors, dimension),
    tools: matrixOf(toolVectors, dimension),
    relevant: requests.map((request) => request.tools.flatMap((id) => places.get(id) ?? [])),
  });
  const rows = [...requests.keys()];
  const parts = requests.map((request) => partOf(request, seed));
  const part = (wanted: Part) =>
    partOfPool(
      pool,
      rows.filter((row) => parts[row] === wanted),
    );
  return {
    name: set.name,
    train: part("train"),
    validation: part("validation"),
    test: part("test"),
  };
}

function hasRequests({ relevant }: TrainingPool): boolean {
  return relevant.length > 0;
}
