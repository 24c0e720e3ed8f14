import { identityMatrix, type Matrix, matrixOf, rowOf } from "./matrix.js";
import { poolRecalls, type TrainingPool } from "./pool.js";
import { type RankingBatch, rankingLoss } from "./rankingLoss.js";

/** Recall@5 decides when training ends. */
const RECALL_AT = 5;

/** Most rounds over the requests. */
const MOST_ROUNDS = 20;

/** Training ends after this many rounds without a better recall. */
const PATIENCE = 4;

/** Requests in a batch, each with one of its tools. */
const BATCH_SIZE = 32;

/** How many of the nearest wrong tools of each request are in its batch. */
const NEAR_MISSES = 8;

const LEARNING_RATE = 3e-4;

/** Strength of the pull towards the identity: half of it, times the squared distance, is added to the loss. */
const PULL = 1e-3;

/** Decay of the two running means of Adam (Kingma and Ba, arXiv:1412.6980), and what prevents a division by 0. */
const ADAM = { first: 0.9, second: 0.999, epsilon: 1e-8 };

/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** One round of training. */
export interface TrainingRound {
  /** Counted from 1. */
  round: number;
  /** Mean ranking loss over the batches of the round, each before it was learned from. */
  loss: number;
  /** Mean Recall@5 of the validation pools after the round, each pool counting alike. */
  recall: number;
}

export interface TrainedAdapter {
  /** Dimension × dimension; the identity if no round was better than no adapter. */
  weights: Matrix;
  /** The round that the weights are from; 0 for none. */
  bestRound: number;
  /** Mean Recall@5 on the validation pools without an adapter. */
  plainRecall: number;
  rounds: TrainingRound[];
}

/**
 * Trains an adapter for frozen embeddings: a matrix that the vectors of requests are multiplied by, so that they come
 * nearer to the tools that they need. The tools' vectors, and with them the index, stay as they are (after the retriever
 * of TPTU-v2, Kong et al. 2023, arXiv:2311.11315). Training starts at the identity and keeps the weights of the round
 * with the best recall on other requests.
 *
 * @param options.train pools with at least one request each, all vectors of one length
 * @param options.validation pools of requests to validate on, at least one of them not empty
 * @param options.random the same numbers give the same weights
 */
export function trainAdapter(options: {
  train: readonly TrainingPool[];
  validation: readonly TrainingPool[];
  dimension: number;
  random: Random;
  onRound?: (round: TrainingRound) => void;
}): TrainedAdapter {
  const { validation, dimension, random, onRound } = options;
  const pools = options.train.map(minePool);
  const weights = identityMatrix(dimension);
  const step = adamSteps(weights, dimension);
  const plainRecall = meanRecall(validation);
  let best = { weights: weights.slice(), round: 0, recall: plainRecall };
  const rounds: TrainingRound[] = [];
  for (let round = 1; round <= MOST_ROUNDS && round - best.round <= PATIENCE; round += 1) {
    const drawn = drawPools(pools, random);
    let loss = 0;
    for (const [at, pool] of drawn.entries()) {
      const learned = rankingLoss({ weights, batch: drawBatch(pool, random) });
      const progress = (round - 1 + at / drawn.length) / MOST_ROUNDS;
      step({ gradient: learned.gradient, rate: LEARNING_RATE * (1 - progress) });
      loss += learned.loss / drawn.length;
    }
    const recall = meanRecall(validation, weights);
    if (recall > best.recall) best = { weights: weights.slice(), round, recall };
    rounds.push({ round, loss, recall });
    onRound?.({ round, loss, recall });
  }
  return { weights: best.weights, bestRound: best.round, plainRecall, rounds };
}

/** A pool, with the nearest wrong tools of each of its requests. */
interface MinedPool extends TrainingPool {
  nearMisses: readonly (readonly number[])[];
}

/**
 * Finds the wrong tools that a search without an adapter ranks first for each request. Random tools would mostly be too
 * easy to tell from the right ones to teach anything.
 */
function minePool(pool: TrainingPool): MinedPool {
  const nearMisses = pool.candidates.map((rows, query) => {
    const relevant = new Set(pool.relevant[query]);
    return rows.filter((tool) => !relevant.has(tool)).slice(0, NEAR_MISSES);
  });
  return { ...pool, nearMisses };
}

/** The pools of one round of training in a random order, each drawn in proportion to the root of its size. */
function drawPools(pools: readonly MinedPool[], random: Random): MinedPool[] {
  const rootOf = ({ relevant }: MinedPool) => Math.sqrt(relevant.length);
  const sum = pools.reduce((total, pool) => total + rootOf(pool), 0);
  const requests = pools.reduce((total, { relevant }) => total + relevant.length, 0);
  const batches = requests / BATCH_SIZE;
  return pools
    .flatMap((pool) =>
      Array.from({ length: Math.ceil((batches * rootOf(pool)) / sum) }, () => pool),
    )
    .map((pool) => ({ pool, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ pool }) => pool);
}

/** A batch of random requests of a pool, which must have some, each with one of the tools that it needs. */
function drawBatch(pool: MinedPool, random: Random): RankingBatch {
  const { dimension, relevant, nearMisses } = pool;
  const places = new Map<number, number>();
  const place = (tool: number) => {
    const at = places.get(tool) ?? places.size;
    places.set(tool, at);
    return at;
  };
  const draw = (length: number) => Math.floor(random() * length);
  const rows = Array.from({ length: BATCH_SIZE }, () => draw(relevant.length));
  const targets = rows.map((row) => {
    const tools = relevant[row] ?? [];
    return place(tools[draw(tools.length)] ?? 0);
  });
  for (const tool of rows.flatMap((row) => nearMisses[row] ?? [])) place(tool);
  return {
    dimension,
    targets,
    masked: rows.map((row) => new Set(relevant[row]?.flatMap((tool) => places.get(tool) ?? []))),
    queries: matrixOf(
      rows.map((row) => rowOf(pool.queries, row, dimension)),
      dimension,
    ),
    tools: matrixOf(
      [...places.keys()].map((tool) => rowOf(pool.tools, tool, dimension)),
      dimension,
    ),
  };
}

/** Each pool counts alike, however many requests it has. */
function meanRecall(pools: readonly TrainingPool[], weights?: Matrix): number {
  const means = pools
    .filter(({ relevant }) => relevant.length > 0)
    .map((pool) => mean(poolRecalls({ pool, weights, count: RECALL_AT })));
  return mean(means);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Adam on the loss with the pull towards the identity; changes the weights in place. */
function adamSteps(weights: Matrix, dimension: number) {
  const means = new Float64Array(weights.length);
  const squares = new Float64Array(weights.length);
  let [firstLeft, secondLeft] = [1, 1];
  return ({ gradient, rate }: { gradient: Matrix; rate: number }): void => {
    firstLeft *= ADAM.first;
    secondLeft *= ADAM.second;
    for (let at = 0; at < weights.length; at += 1) {
      const weight = weights[at] ?? 0;
      const start = at % (dimension + 1) === 0 ? 1 : 0;
      const slope = (gradient[at] ?? 0) + PULL * (weight - start);
      const mean = ADAM.first * (means[at] ?? 0) + (1 - ADAM.first) * slope;
      const square = ADAM.second * (squares[at] ?? 0) + (1 - ADAM.second) * slope ** 2;
      means[at] = mean;
      squares[at] = square;
      const scaled = Math.sqrt(square / (1 - secondLeft)) + ADAM.epsilon;
      weights[at] = weight - (rate * mean) / (1 - firstLeft) / scaled;
    }
  };
}
