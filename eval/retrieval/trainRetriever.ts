import { InvalidSetting } from "../../common/errors.js";
import { matrixOf } from "../../tools/library/adapter/matrix.js";
import { partOfPool, type TrainingPool, trainingPool } from "../../tools/library/adapter/pool.js";
import {
  trainAdapter,
  type TrainedAdapter,
  type TrainingRound,
} from "../../tools/library/adapter/trainAdapter.js";
import { type EmbeddingModel, embedTexts } from "../../tools/library/embedding.js";
import { toolText } from "../../tools/library/toolText.js";
import { hashedShare, seededRandom } from "../statistics/random.js";
import { type AdapterFigures, adapterFigures } from "./adapterFigures.js";
import type { LabelledRequest, RequestSet } from "./labelledRequests.js";

/** Decides the split and the order of training, unless it is said otherwise. */
export const USUAL_SEED = 1;

/** An adapter with the figures of each set, on requests that it was not trained on. */
interface RetrieverTraining extends TrainedAdapter {
  /** Length of the vectors. */
  dimension: number;
  /** Requests to learn from, of all sets. */
  trained: number;
  figures: AdapterFigures[];
}

/**
 * Trains one adapter on the requests of one or several sets, each searched among its own tools, and
 * measures it on requests that were held out.
 *
 * @param options.seed the same gives the same adapter
 * @throws InvalidSetting when there is nothing to learn from, to stop by or to measure on
 * @throws ModelFailed when the embedding model fails
 */
export async function trainRetriever(options: {
  sets: readonly RequestSet[];
  model: EmbeddingModel;
  seed: number;
  onRound?: (round: TrainingRound) => void;
}): Promise<RetrieverTraining> {
  const { sets, model, seed, onRound } = options;
  requireParts({ sets, seed });
  const pools = [];
  for (const set of sets) pools.push(await dividedPool({ set, model, seed }));
  const dimension = pools[0]?.test.dimension ?? 0;
  const learned = trainAdapter({
    train: pools.map(({ train }) => train).filter(hasRequests),
    validation: pools.map(({ validation }) => validation).filter(hasRequests),
    dimension,
    random: seededRandom(seed),
    onRound,
  });
  const figures = pools.map(({ name, train, validation, test }) => {
    const known = [train, validation];
    return adapterFigures({
      set: name,
      trained: known.reduce((sum, { relevant }) => sum + relevant.length, 0),
      test,
      weights: learned.weights,
      seen: new Set(known.flatMap(({ relevant }) => relevant.flat())),
      seed,
    });
  });
  const trained = figures.reduce((sum, figure) => sum + figure.trained, 0);
  return { ...learned, dimension, trained, figures };
}

async function dividedPool(options: {
  set: RequestSet;
  model: EmbeddingModel;
  seed: number;
}): Promise<{ name: string } & Record<Part, TrainingPool>> {
  const { set, model, seed } = options;
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

function requireParts({ sets, seed }: { sets: readonly RequestSet[]; seed: number }): void {
  const requests = sets.flatMap((set) => set.requests);
  const parts = new Set(requests.map((request) => partOf(request, seed)));
  if (parts.size === 3) return;
  throw new InvalidSetting({
    setting: "pairs",
    problem: `${requests.length} requests, divided by the tools that they need, leave no request to learn from, to stop by or to measure on`,
    hint: "Give more requests, for more different tools, or another --seed",
  });
}

/** What a request is used for: to learn from, to choose when to stop, or to measure. */
type Part = "train" | "validation" | "test";

/** Shares of the tool sets; what is left is for measuring. */
const SHARES = { train: 0.6, validation: 0.1 };

/**
 * Divides requests 70 to 30, and the 70 once more, by a hash of the set of tools that each needs or,
 * where it has one, of its template: requests that are all but the same stand on one side.
 */
export function partOf(request: LabelledRequest, seed: number): Part {
  const { template, tools } = request;
  const group = template ?? JSON.stringify(tools.toSorted());
  const share = hashedShare(`${seed} ${group}`);
  if (share < SHARES.train) return "train";
  return share < SHARES.train + SHARES.validation ? "validation" : "test";
}
