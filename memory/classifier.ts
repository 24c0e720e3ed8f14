import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { InvalidSetting } from "../common/errors.js";
import { sha256 } from "../tools/library/records/hash.js";
import { type CallToJudge, featureCount, featuresOf } from "./classifierFeatures.js";
import type { NamedEmbeddings } from "./experience.js";
import { probability } from "./logisticRegression.js";

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
    /** Length of its vectors. */
    dimension: z.number().int().positive(),
    /** Decided which requests were held out. */
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
  embeddings: NamedEmbeddings;
}): Promise<{
  verdicts: { probability: number; helpful: boolean }[];
  embeddingTokens: number;
}> {
  const { classifier, ...rest } = options;
  const { rows, embeddingTokens } = await featuresOf({ ...rest, dimension: classifier.dimension });
  const verdicts = rows.map((row) => verdictOf(probability(classifier, row)));
  return { verdicts, embeddingTokens };
}

/** The verdict that a probability amounts to. */
export function verdictOf(probability: number): { probability: number; helpful: boolean } {
  return { probability, helpful: probability > HELPFUL_FROM };
}

/** Path of a home's classifier for an embedding model. */
export function classifierFile(options: { home: string; embeddings: string }): string {
  const { home, embeddings } = options;
  return join(home, "classifiers", `judge-${sha256(embeddings).slice(0, 16)}.json`);
}

/** Saves a classifier in a home, replacing the one for its embedding model; returns the file. */
export function saveClassifier(options: { home: string; classifier: JudgeClassifier }): string {
  const { home, classifier } = options;
  const file = classifierFile({ home, embeddings: classifier.embeddings });
  mkdirSync(dirname(file), { recursive: true });
  // Written under a name of this process and then renamed, so readers see a whole file.
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, `${JSON.stringify(classifier)}\n`);
  renameSync(part, file);
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
  const text = readText(file);
  if (text === undefined) {
    throw unusable(`no classifier has been trained for the embeddings ${embeddings}`, embeddings);
  }
  const parsed = classifierSchema.safeParse(parseJson(text));
  if (parsed.success && parsed.data.embeddings === embeddings) return parsed.data;
  throw unusable(`${file} is not a classifier of this version`, embeddings);
}

function unusable(problem: string, embeddings: string): InvalidSetting {
  return new InvalidSetting({
    setting: "judge",
    problem: `"classifier" cannot be used, ${problem}`,
    hint: `Train one with: TULIPGRAPH_EMBEDDINGS=${embeddings} tulipgraph train judge; or set judge to rule or model`,
  });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // `openClassifier` reports that the file is not a classifier.
    return undefined;
  }
}
