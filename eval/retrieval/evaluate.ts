import { join } from "node:path";
import { cachedEmbeddings } from "../../models/embeddingCache.js";
import { openEmbeddings } from "../../models/embeddings.js";
import type { Selection } from "../benchmarks/selectTasks.js";
import { type RetrievalRow, retrievalRows } from "./figures.js";
import { RANKINGS } from "../../tools/library/search.js";
import { readRetrievalSet, type RetrievalSet } from "./questions.js";
import { type SearchedSet, searchSet } from "./searchSet.js";

/** What is to be evaluated. */
export interface RetrievalOptions {
  toolsFile: string;
  queriesFile: string;
  /** Ranks for Recall@k, whole numbers from 1. */
  ks: readonly number[];
  /** Embedding model as "provider:name". */
  embeddings: string;
  selection: Selection;
  /** Of the bootstrap; the usual one when absent. */
  seed?: number;
  /** The folder with all data: the cache of embeddings and the libraries of tools go there. */
  home: string;
}

/** What came of it. */
export interface RetrievalEvaluation {
  tools: { file: string; count: number };
  /** `evaluated` are counted in the figures; those `leftOut` have no relevant tool. */
  queries: { file: string; evaluated: number; leftOut: number };
  embeddings: string;
  rows: RetrievalRow[];
  /** Estimated as a quarter of the characters of all different texts, cached or not. */
  embeddingTokens: number;
  /** Texts that were embedded now; the others came from the cache. */
  textsEmbedded: number;
  seconds: SearchedSet["seconds"];
}

/** As deep as the figures look, and as candidates go. */
const LEAST_DEPTH = 100;

/**
 * Evaluates how well tools are found by the requests themselves, as graphs search: by meaning, by words, and
 * by both.
 *
 * @throws BenchmarkFailed, InvalidSetting, UnknownName for files and choices that cannot be used
 * @throws ModelFailed when the embedding model fails
 * @throws LibraryFailed, StorageFailed when data cannot be kept
 */
export async function evaluateRetrieval(options: RetrievalOptions): Promise<RetrievalEvaluation> {
  const { toolsFile, queriesFile, ks, seed } = options;
  const set = await readRetrievalSet(options);
  const depth = Math.max(LEAST_DEPTH, ...ks);
  const { rankings, ...searched } = await searchWithCache({ options, set, depth });
  const { questions } = set;
  return {
    tools: { file: toolsFile, count: set.tools.length },
    queries: { file: queriesFile, evaluated: questions.length, leftOut: set.leftOut },
    embeddings: options.embeddings,
    rows: RANKINGS.flatMap((method) =>
      retrievalRows({ method, questions, rankings: rankings[method], ks, seed }),
    ),
    embeddingTokens: searched.embeddingTokens,
    textsEmbedded: searched.embedded,
    seconds: searched.seconds,
  };
}

async function searchWithCache(wanted: {
  options: RetrievalOptions;
  set: RetrievalSet;
  depth: number;
}): Promise<SearchedSet> {
  const { options, set, depth } = wanted;
  const { home, toolsFile } = options;
  const opened = await openEmbeddings(options.embeddings);
  const { name: model } = opened;
  const embeddings = cachedEmbeddings({
    embeddings: opened,
    model,
    file: join(home, "embeddings.db"),
  });
  try {
    return await searchSet({ set, toolsFile, embeddings, model, home, depth });
  } finally {
    embeddings.close();
  }
}
