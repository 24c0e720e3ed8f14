import { InvalidSetting } from "../common/errors.js";
import { sha256 } from "../tools/library/records/hash.js";
import {
  CLASSIFIER_VERSION,
  type JudgeClassifier,
  type JudgeFigures,
  featuresOf,
  verdictOf,
} from "./classifier.js";
import type { NamedEmbeddings, PastCall } from "./experience.js";
import { fitLogistic, probability } from "./logisticRegression.js";

export const USUAL_SPLIT = { heldOut: 0.3, seed: 1 } as const;

/** Most calls used: as many as a model labelled for the published classifier (BTP). */
const MOST_CALLS = 30_000;

/** With fewer calls, weights and figures would mean nothing. */
const FEWEST_CALLS = 20;

/**
 * Strength of the regularisation: from the middle of the range that did well (0.003 to 3) on generated calls
 * with the local sentence encoder. Not tuned on real calls.
 */
const L2 = 0.1;

type LabelledCall = Pick<PastCall, "id" | "query" | "tool" | "args" | "result"> & {
  helpful: boolean;
};

/**
 * Trains a classifier of helpful calls (in BTP a model labels some calls, and a classifier the rest). It learns
 * from successful calls whose verdict a model or a person gave. Verdicts by rule only say that there is a
 * result, the classifier's own teach nothing, and it is never asked about failed calls.
 *
 * All calls of a request are on the same side of the split, so the figures hold for new requests.
 *
 * @param options.pastCalls read once
 * @param options.seed decides which requests are held out, and which calls are left out if there are more than 30,000
 * @param options.heldOut share of the requests kept for measuring, between 0 and 1
 * @throws InvalidSetting when there are too few calls, or all training calls have the same verdict
 * @throws ModelFailed when the embedding model fails
 */
export async function trainJudge(options: {
  pastCalls: Iterable<PastCall> | AsyncIterable<PastCall>;
  embeddings: NamedEmbeddings;
  seed?: number;
  heldOut?: number;
}): Promise<{ classifier: JudgeClassifier; figures: JudgeFigures }> {
  const { pastCalls, embeddings } = options;
  const { seed = USUAL_SPLIT.seed, heldOut = USUAL_SPLIT.heldOut } = options;
  const calls = await sample(labelled(pastCalls), seed);
  const { train, held } = splitByQuery(calls, seed, heldOut);
  requireBothVerdicts(train);
  const { rows, dimension } = await featuresOf({ calls: [...train, ...held], embeddings });
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

/** Compares verdicts with the truth; `helpful` is the positive class. */
function measureVerdicts(options: {
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

async function* labelled(
  pastCalls: Iterable<PastCall> | AsyncIterable<PastCall>,
): AsyncGenerator<LabelledCall> {
  for await (const { id, query, tool, args, result, failed, helpful, judgedBy } of pastCalls) {
    const isTaught = judgedBy === "model" || judgedBy === "given";
    if (isTaught && !failed && helpful !== null) yield { id, query, tool, args, result, helpful };
  }
}

/** At most {@link MOST_CALLS} of the calls, chosen by a hash of their ids. */
async function sample(calls: AsyncIterable<LabelledCall>, seed: number): Promise<LabelledCall[]> {
  let kept: LabelledCall[] = [];
  const cut = () => inHashedOrder(kept, seed, ({ id }) => id).slice(0, MOST_CALLS);
  for await (const call of calls) {
    kept.push(call);
    // Cut regularly, so that millions of calls are never in memory at once.
    if (kept.length >= 2 * MOST_CALLS) kept = cut();
  }
  return kept.length > MOST_CALLS ? cut() : kept;
}

function splitByQuery(
  calls: LabelledCall[],
  seed: number,
  heldOut: number,
): { train: LabelledCall[]; held: LabelledCall[] } {
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
  const ordered = inHashedOrder(queries, seed, (query) => query);
  const chosen = new Set(ordered.slice(0, Math.min(queries.length - 1, Math.max(1, count))));
  return {
    train: calls.filter(({ query }) => !chosen.has(query)),
    held: calls.filter(({ query }) => chosen.has(query)),
  };
}

/** A random order that depends only on the seed and the names, not on the original order. */
function inHashedOrder<Item>(
  items: readonly Item[],
  seed: number,
  nameOf: (item: Item) => string,
): Item[] {
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
    `all ${calls.length} calls to learn from are ${verdict}, so there is nothing to distinguish`,
  );
}

function notTrainable(problem: string): InvalidSetting {
  return new InvalidSetting({
    setting: "judge",
    problem,
    hint: "Make runs with --set remember=true --set judge=model, or import calls with verdicts: tulipgraph memory import FILE",
  });
}
