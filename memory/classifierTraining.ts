import { InvalidSetting } from "../common/errors.js";
import { sha256 } from "../tools/library/hash.js";
import {
  CLASSIFIER_VERSION,
  type JudgeClassifier,
  type JudgeFigures,
  verdictOf,
} from "./classifier.js";
import { type FeatureListener, type NamedEmbeddings, featuresOf } from "./classifierFeatures.js";
import type { PastCall } from "./experience.js";
import { fitLogistic, probability } from "./logisticRegression.js";

/** How calls are divided for training, unless it is said otherwise. */
export const USUAL_SPLIT = { heldOut: 0.3, seed: 1 } as const;

/** Calls that are used at most, as many as a model labelled for the published classifier (BTP). */
const MOST_CALLS = 30_000;

/** With fewer calls neither the weights nor the figures would mean anything. */
const FEWEST_CALLS = 20;

/**
 * Strength of the regularisation: a middle value of those that did well, of 0.003 to 3, on generated
 * calls with the local sentence encoder. It was not tuned on real ones.
 */
const L2 = 0.1;

/** A call with the verdict that it teaches. */
type LabelledCall = Pick<PastCall, "id" | "query" | "tool" | "args" | "result"> & {
  helpful: boolean;
};

/**
 * Trains a classifier of helpful calls on calls with a result that a model has judged, or whose
 * verdict was given (BTP has a model label a part of its calls, and a classifier the rest). Verdicts
 * by rule say no more than that there is a result, the classifier's own teach nothing, and failed
 * calls are never asked about, so all of these are left out.
 *
 * All calls of a request are on one side of the split, so that the figures stand for new requests.
 *
 * @param options.pastCalls read once
 * @param options.seed decides which requests are held out, and which calls are left out where there
 *   are more than 30,000
 * @param options.heldOut share of the requests that is kept for measuring, between 0 and 1
 * @throws InvalidSetting when there are too few calls, or those to learn from have the same verdict
 * @throws ModelFailed when the embedding model fails
 */
export async function trainJudge(options: {
  pastCalls: Iterable<PastCall>;
  embeddings: NamedEmbeddings;
  seed?: number;
  heldOut?: number;
  onProgress?: FeatureListener;
}): Promise<{ classifier: JudgeClassifier; figures: JudgeFigures }> {
  const { pastCalls, embeddings, onProgress } = options;
  const { seed = USUAL_SPLIT.seed, heldOut = USUAL_SPLIT.heldOut } = options;
  const calls = sample(labelled(pastCalls), seed);
  const { train, held } = splitByQuery({ calls, seed, heldOut });
  requireBothVerdicts(train);
  const { rows, dimension } = await featuresOf({
    calls: [...train, ...held],
    embeddings,
    onProgress,
  });
  const { weights, bias } = fitLogistic({
    rows: rows.slice(0, train.length),
    labels: train.map(({ helpful }) => helpful),
    l2: L2,
  });
  const judged = rows
    .slice(train.length)
    .map((row) => verdictOf(probability({ weights, bias }, row)).helpful);
  const truth = held.map(({ helpful }) => helpful);
  const figures = { train: train.length, ...measureVerdicts({ judged, truth }) };
  const version = CLASSIFIER_VERSION;
  const { name } = embeddings;
  return {
    classifier: { version, embeddings: name, dimension, seed, figures, weights, bias },
    figures,
  };
}

/** Figures of verdicts beside the truth, helpful being what is looked for. */
export function measureVerdicts(options: {
  judged: readonly boolean[];
  /** For each of them; at least one. */
  truth: readonly boolean[];
}): Omit<JudgeFigures, "train"> {
  const { judged, truth } = options;
  const heldOut = truth.length;
  const positives = truth.filter(Boolean).length;
  const found = judged.filter(Boolean).length;
  const right = judged.filter((verdict, index) => verdict === truth[index]).length;
  const rightlyFound = judged.filter((verdict, index) => verdict && truth[index]).length;
  return {
    heldOut,
    precision: found > 0 ? rightlyFound / found : null,
    recall: positives > 0 ? rightlyFound / positives : null,
    accuracy: right / heldOut,
    positives,
    baseRate: positives / heldOut,
  };
}

function* labelled(pastCalls: Iterable<PastCall>): Generator<LabelledCall> {
  for (const { id, query, tool, args, result, failed, helpful, judgedBy } of pastCalls) {
    const isTaught = judgedBy === "model" || judgedBy === "given";
    if (isTaught && !failed && helpful !== null) yield { id, query, tool, args, result, helpful };
  }
}

/** The calls, or as many of them as are used at most, chosen by a hash of their ids. */
function sample(calls: Iterable<LabelledCall>, seed: number): LabelledCall[] {
  let kept: LabelledCall[] = [];
  const cut = () =>
    inHashedOrder({ items: kept, seed, nameOf: ({ id }) => id }).slice(0, MOST_CALLS);
  for (const call of calls) {
    kept.push(call);
    // Cut now and then, so that millions of calls never lie in memory at once.
    if (kept.length >= 2 * MOST_CALLS) kept = cut();
  }
  return kept.length > MOST_CALLS ? cut() : kept;
}

function splitByQuery(options: { calls: LabelledCall[]; seed: number; heldOut: number }): {
  train: LabelledCall[];
  held: LabelledCall[];
} {
  const { calls, seed, heldOut } = options;
  if (!(heldOut > 0 && heldOut < 1)) {
    throw new InvalidSetting({
      setting: "held-out",
      problem: `${heldOut} is not a share between 0 and 1`,
    });
  }
  const queries = [...new Set(calls.map(({ query }) => query))];
  if (calls.length < FEWEST_CALLS || queries.length < 2) {
    throw notTrainable(
      `${calls.length} calls of ${queries.length} requests have a result and a verdict of a model, or a given one; ${FEWEST_CALLS} calls of 2 requests are needed`,
    );
  }
  const count = Math.round(heldOut * queries.length);
  const ordered = inHashedOrder({ items: queries, seed, nameOf: (query) => query });
  const chosen = new Set(ordered.slice(0, Math.min(queries.length - 1, Math.max(1, count))));
  return {
    train: calls.filter(({ query }) => !chosen.has(query)),
    held: calls.filter(({ query }) => chosen.has(query)),
  };
}

/** A random order that depends on the seed and the names alone, not on the order in which items came. */
function inHashedOrder<Item>(options: {
  items: readonly Item[];
  seed: number;
  nameOf: (item: Item) => string;
}): Item[] {
  const { items, seed, nameOf } = options;
  return items
    .map((item) => ({ item, hash: sha256(`${seed} ${nameOf(item)}`) }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ item }) => item);
}

function requireBothVerdicts(calls: readonly LabelledCall[]): void {
  const helpful = calls.filter((call) => call.helpful).length;
  if (helpful > 0 && helpful < calls.length) return;
  const verdict = helpful > 0 ? "helpful" : "unhelpful";
  throw notTrainable(
    `all ${calls.length} calls to learn from are ${verdict}, so that nothing tells the two apart`,
  );
}

function notTrainable(problem: string): InvalidSetting {
  return new InvalidSetting({
    setting: "judge",
    problem,
    hint: "Make runs with --set remember=true --set judge=model, or import calls with verdicts: tulipgraph memory import FILE",
  });
}
