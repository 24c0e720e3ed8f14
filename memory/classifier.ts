import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { InvalidSetting } from "../common/errors.js";
import { jsonOrNothing } from "../common/jsonInText.js";
import { sha256 } from "../tools/library/records/hash.js";
import type { PastCall } from "./experience.js";
import { fitLogistic, probability, product } from "./logisticRegression.js";
import { embedInBatches } from "../common/longWork.js";
import { observationLine } from "../state/calls.js";
import { type EmbeddingModel, embedTexts } from "../tools/library/vectors/embedding.js";
import { estimateTokens } from "../common/tokens.js";
import { writeWhole } from "../storage/files.js";

/** Version of the features and the file; a classifier of another version must be trained again. */
export const CLASSIFIER_VERSION = 1;

/** Calls above this probability are helpful, as published (BTP). */
const HELPFUL_FROM = 0.5;

const share = z.number().min(0).max(1);

const figuresSchema = z.object({
  /** Calls that it was trained on. */
  train: z.number().int(),
  /** Calls that it was measured on; none shares a request with a training call. */
  heldOut: z.number().int(),
  /** Of the held-out calls judged helpful, the share that is; null if none was. */
  precision: share.nullable(),
  /** Of the helpful held-out calls, the share judged so; null if none is. */
  recall: share.nullable(),
  /** Share of the held-out calls judged correctly. */
  accuracy: share,
  /** Helpful calls among those held out. */
  positives: z.number().int(),
  /** Share of the held-out calls that are helpful. */
  baseRate: share,
});

/** How well a classifier judges calls of requests that it has not seen. */
export type JudgeFigures = z.infer<typeof figuresSchema>;

const classifierSchema = z
  .object({
    version: z.literal(CLASSIFIER_VERSION),
    /** Name of the embedding model, "provider:name". */
    embeddings: z.string(),
    dimension: z.number().int().positive(),
    seed: z.number().int(),
    figures: figuresSchema,
    weights: z.array(z.number()),
    bias: z.number(),
  })
  .refine(({ weights, dimension }) => weights.length === featureCount(dimension));

/** A logistic regression for the probability that a call was helpful. */
export type JudgeClassifier = z.infer<typeof classifierSchema>;

/**
 * Judges calls that did not fail.
 *
 * @returns each call's probability of being helpful (strictly between 0 and 1) and verdict, and the estimated
 *   number of embedded tokens
 * @throws ModelFailed when the embedding model fails, or its vectors have another length than in training
 */
export async function classifyCalls(options: {
  classifier: JudgeClassifier;
  calls: readonly CallToJudge[];
  embeddings: EmbeddingModel;
}): Promise<{ verdicts: { probability: number; helpful: boolean }[]; embeddingTokens: number }> {
  const { classifier, ...rest } = options;
  const { rows, embeddingTokens } = await featuresOf({ ...rest, dimension: classifier.dimension });
  const verdicts = rows.map((row) => verdictOf(probability(classifier, row)));
  return { verdicts, embeddingTokens };
}

export function verdictOf(probability: number): { probability: number; helpful: boolean } {
  return { probability, helpful: probability > HELPFUL_FROM };
}

export function classifierFile(options: { home: string; embeddings: string }): string {
  const { home, embeddings } = options;
  return join(home, "classifiers", `judge-${sha256(embeddings).slice(0, 16)}.json`);
}

/** Saves a classifier in a home, replacing the one for its embedding model; returns the file. */
export function saveClassifier(options: { home: string; classifier: JudgeClassifier }): string {
  const { home, classifier } = options;
  const file = classifierFile({ home, embeddings: classifier.embeddings });
  writeWhole(file, `${JSON.stringify(classifier)}\n`);
  return file;
}

/**
 * The classifier of a home for an embedding model.
 *
 * @throws InvalidSetting when there is none, or it can no longer be used
 */
export function openClassifier(options: { home: string; embeddings: string }): JudgeClassifier {
  const { embeddings } = options;
  const file = classifierFile(options);
  if (!existsSync(file))
    throw unusable(`no classifier has been trained for the embeddings ${embeddings}`, embeddings);
  const parsed = classifierSchema.safeParse(jsonOrNothing(readFileSync(file, "utf8")));
  if (parsed.success && parsed.data.embeddings === embeddings) return parsed.data;
  throw unusable(`${file} is not a classifier of this version`, embeddings);
}

function unusable(problem: string, embeddings: string): InvalidSetting {
  return new InvalidSetting({
    setting: "judge",
    problem: `"classifier" cannot be used: ${problem}`,
    hint: `Train one with: TULIPGRAPH_EMBEDDINGS=${embeddings} tulipgraph train judge; or set judge to rule or model`,
  });
}

export type CallToJudge = Pick<PastCall, "query" | "tool" | "args" | "result">;

/** Features other than those of each component of the vectors. */
const PLAIN_FEATURES = 7;

/** Words by which tools report that they found nothing or that something went wrong. */
const FAILURE_WORDS =
  /\b(?:errors?|exceptions?|fail(?:ed|ure)?|invalid|unavailable|not (?:found|available|supported|subscribed)|no (?:results?|data|matches|such)|denied|forbidden|unauthori[sz]ed|expired|exceeded|missing|timed out|timeout|sorry|cannot|could not|unable|null|none|undefined)\b/gi;

/** JSON without content. */
const EMPTY_RESULT = /^(?:|null|""|\[\]|\{\})$/;

export function featureCount(dimension: number): number {
  return 2 * dimension + PLAIN_FEATURES;
}

/**
 * The features of calls: the vector of the result, its componentwise product with the request's vector, the
 * cosines between request, call and result, and how the result looks (its length, whether it is empty, words of
 * failure, digits). Each distinct text is embedded once.
 *
 * @param options.dimension the required length of vectors, if known
 * @returns one row of `featureCount(dimension)` numbers for each call, the length of the vectors, and the
 *   estimated number of embedded tokens
 * @throws ModelFailed when the embedding model fails, or its vectors have another length
 */
async function featuresOf(options: {
  calls: readonly CallToJudge[];
  embeddings: EmbeddingModel;
  dimension?: number;
}): Promise<{ rows: Float32Array[]; dimension: number; embeddingTokens: number }> {
  const { calls, ...rest } = options;
  const parts = calls.map(partsOf);
  const texts = [...new Set(parts.flatMap(({ query, call, result }) => [query, call, result]))];
  const vectors = await vectorsOf({ texts, ...rest });
  const vectorOf = (text: string) => vectors.get(text) ?? new Float32Array();
  const rows = parts.map(({ query, call, result }) =>
    rowOf({ query: vectorOf(query), call: vectorOf(call), result: vectorOf(result), text: result }),
  );
  const [first] = vectors.values();
  const dimension = options.dimension ?? first?.length ?? 0;
  return { rows, dimension, embeddingTokens: estimateTokens(texts) };
}

/** The three texts that are embedded; the name of a tool is read as words. */
function partsOf({ query, tool, args, result }: CallToJudge) {
  return {
    query: observationLine(query),
    call: observationLine(`${tool.replaceAll(/[_\W]+/g, " ")} ${JSON.stringify(args)}`),
    result: observationLine(result),
  };
}

async function vectorsOf(options: {
  texts: readonly string[];
  embeddings: EmbeddingModel;
  dimension?: number;
}): Promise<Map<string, Float32Array>> {
  const { texts, embeddings: model } = options;
  const vectors = new Map<string, Float32Array>();
  let { dimension } = options;
  await embedInBatches(texts, async (batch) => {
    const embedded = await embedTexts({ model, texts: batch, dimension });
    dimension ??= embedded[0]?.length;
    for (const [index, text] of batch.entries())
      vectors.set(text, Float32Array.from(embedded[index] ?? []));
  });
  return vectors;
}

function rowOf(options: {
  query: Float32Array;
  call: Float32Array;
  result: Float32Array;
  text: string;
}): Float32Array {
  const { query, call, result, text } = options;
  const row = new Float32Array(featureCount(result.length));
  row.set(result);
  row.set(
    result.map((value, index) => value * (query[index] ?? 0)),
    result.length,
  );
  const digits = text.match(/\d/g)?.length ?? 0;
  const plain = [
    product(query, result),
    product(call, result),
    product(query, call),
    Math.log1p(text.length),
    EMPTY_RESULT.test(text) ? 1 : 0,
    Math.log1p(text.match(FAILURE_WORDS)?.length ?? 0),
    digits / Math.max(1, text.length),
  ];
  row.set(plain, 2 * result.length);
  return row;
}

/** Share of the requests kept for measuring. */
const HELD_OUT = 0.3;

/** Decides which requests are held out, and which calls are left out if there are more than {@link MOST_CALLS}. */
const SEED = 1;

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
 * @throws InvalidSetting when there are too few calls, or all training calls have the same verdict
 * @throws ModelFailed when the embedding model fails
 */
export async function trainJudge(options: {
  pastCalls: Iterable<PastCall> | AsyncIterable<PastCall>;
  embeddings: EmbeddingModel;
}): Promise<JudgeClassifier> {
  const { pastCalls, embeddings } = options;
  const { train, held } = splitByQuery(await sample(labelled(pastCalls)));
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
  return {
    version: CLASSIFIER_VERSION,
    embeddings: embeddings.name,
    dimension,
    seed: SEED,
    figures,
    weights,
    bias,
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
async function sample(calls: AsyncIterable<LabelledCall>): Promise<LabelledCall[]> {
  let kept: LabelledCall[] = [];
  const cut = () => inHashedOrder(kept, ({ id }) => id).slice(0, MOST_CALLS);
  for await (const call of calls) {
    kept.push(call);
    // Cut regularly, so that millions of calls are never in memory at once.
    if (kept.length >= 2 * MOST_CALLS) kept = cut();
  }
  return kept.length > MOST_CALLS ? cut() : kept;
}

function splitByQuery(calls: LabelledCall[]): { train: LabelledCall[]; held: LabelledCall[] } {
  const queries = [...new Set(calls.map(({ query }) => query))];
  if (calls.length < FEWEST_CALLS || queries.length < 2) {
    throw notTrainable(
      `${calls.length} calls of ${queries.length} requests have a result and a verdict, from a model or imported; ${FEWEST_CALLS} calls of 2 requests are needed`,
    );
  }
  const count = Math.max(1, Math.round(HELD_OUT * queries.length));
  const chosen = new Set(inHashedOrder(queries, (query) => query).slice(0, count));
  return {
    train: calls.filter(({ query }) => !chosen.has(query)),
    held: calls.filter(({ query }) => chosen.has(query)),
  };
}

/** A random order that depends only on the names, not on the original order. */
function inHashedOrder<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const hashed = items.map((item) => ({ item, hash: sha256(`${SEED} ${nameOf(item)}`) }));
  return hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ item }) => item);
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
