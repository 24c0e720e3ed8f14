import { identityMatrix, type Rows } from "./matrix.js";
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

export interface TrainingRound {
  /** Counted from 1. */
  round: number;
  /** Mean ranking loss over the batches of the round, each before it was learned from. */
  loss: number;
  /** Mean Recall@5 of the validation pools after the round, each pool counting alike. */
  recall: number;
}

export interface TrainedAdapter {
  /** As many rows as numbers in each; the identity if no round was better than no adapter. */
  weights: Rows;
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
  const weights = identityMatrix(dimension);
  const copied = () => weights.map((row) => row.slice());
  const step = adamSteps(weights);
  const plainRecall = meanRecall(validation);
  let best = { weights: copied(), round: 0, recall: plainRecall };
  const rounds: TrainingRound[] = [];
  for (let round = 1; round <= MOST_ROUNDS && round - best.round <= PATIENCE; round += 1) {
    const drawn = drawPools(options.train, random);
    let loss = 0;
    for (const [at, pool] of drawn.entries()) {
      const learned = rankingLoss({ weights, batch: drawBatch(pool, random) });
      const progress = (round - 1 + at / drawn.length) / MOST_ROUNDS;
      step({ gradient: learned.gradient, rate: LEARNING_RATE * (1 - progress) });
      loss += learned.loss / drawn.length;
    }
    const recall = meanRecall(validation, weights);
    if (recall > best.recall) best = { weights: copied(), round, recall };
    rounds.push({ round, loss, recall });
    onRound?.({ round, loss, recall });
  }
  return { weights: best.weights, bestRound: best.round, plainRecall, rounds };
}

/** The pools of one round of training in a random order, each drawn in proportion to the root of its size. */
function drawPools(pools: readonly TrainingPool[], random: Random): TrainingPool[] {
  const sum = pools.reduce((total, pool) => total + rootOf(pool), 0);
  const all = pools.reduce((total, { requests }) => total + requests.length, 0);
  const batches = all / BATCH_SIZE;
  return pools
    .flatMap((pool) =>
      Array.from({ length: Math.ceil((batches * rootOf(pool)) / sum) }, () => pool),
    )
    .map((pool) => ({ pool, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ pool }) => pool);
}

function rootOf({ requests }: TrainingPool): number {
  return Math.sqrt(requests.length);
}

/** A batch of random requests of a pool, which must have some, each with one of the tools that it needs. */
function drawBatch({ tools, requests }: TrainingPool, random: Random): RankingBatch {
  const places = new Map<number, number>();
  const place = (tool: number) => {
    const at = places.get(tool) ?? places.size;
    places.set(tool, at);
    return at;
  };
  const draw = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const drawn = Array.from({ length: BATCH_SIZE }, () => draw(requests));
  const targets = drawn.map(({ relevant }) => place(draw(relevant)));
  // Random tools would mostly be too easy to tell from the right ones to teach anything.
  for (const { candidates, relevant } of drawn)
    for (const tool of candidates.filter((one) => !relevant.includes(one)).slice(0, NEAR_MISSES))
      place(tool);
  return {
    targets,
    masked: drawn.map(
      ({ relevant }) => new Set(relevant.flatMap((tool) => places.get(tool) ?? [])),
    ),
    queries: drawn.map(({ vector }) => vector),
    tools: [...places.keys()].map((tool) => tools[tool] as Float64Array),
  };
}

/** Each pool counts alike, however many requests it has. */
function meanRecall(pools: readonly TrainingPool[], weights?: Rows): number {
  const means = pools
    .filter(({ requests }) => requests.length > 0)
    .map((pool) => mean(poolRecalls({ pool, weights, count: RECALL_AT })));
  return mean(means);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Adam on the loss with the pull towards the identity; changes the weights in place. */
function adamSteps(weights: Rows) {
  const zeros = () => weights.map((row) => new Float64Array(row.length));
  const [means, squares] = [zeros(), zeros()];
  let [firstLeft, secondLeft] = [1, 1];
  return ({ gradient, rate }: { gradient: Rows; rate: number }): void => {
    firstLeft *= ADAM.first;
    secondLeft *= ADAM.second;
    for (const [row, values] of weights.entries()) {
      const [slopes, mean, square] = [gradient[row], means[row], squares[row]];
      if (!slopes || !mean || !square) continue;
      for (const [at, weight] of values.entries()) {
        const slope = (slopes[at] ?? 0) + PULL * (weight - (at === row ? 1 : 0));
        mean[at] = ADAM.first * (mean[at] ?? 0) + (1 - ADAM.first) * slope;
        square[at] = ADAM.second * (square[at] ?? 0) + (1 - ADAM.second) * slope ** 2;
        const scaled = Math.sqrt(square[at] / (1 - secondLeft)) + ADAM.epsilon;
        values[at] = weight - (rate * mean[at]) / (1 - firstLeft) / scaled;
      }
    }
  };
}
