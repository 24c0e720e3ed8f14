import { join } from "node:path";
import { cachedEmbeddings, type EmbeddingListener } from "../../models/embeddingCache.js";
import { openEmbeddings } from "../../models/embeddings.js";
import type { Selection } from "../benchmarks/selectTasks.js";
import { type DenseResult, searchDense } from "./dense.js";
import { type Method, type RetrievalRow, retrievalRows } from "./figures.js";
import { fuseRankings } from "../../tools/library/fusion.js";
import { lexicalIndex } from "../../tools/library/lexical.js";
import { readRetrievalSet, type RetrievalSet } from "./questions.js";
import { stopwatch } from "./stopwatch.js";

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
  onProgress?: EmbeddingListener;
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
  seconds: {
    dense: DenseResult["seconds"];
    bm25: { index: number; search: number };
  };
}

/** Each method is asked for so many tools at least, which is what the fusion has to work with. */
const LEAST_DEPTH = 100;

/**
 * Evaluates how well tools are found by the requests themselves: by the dense index that the graphs
 * search in, by BM25, and by both fused.
 *
 * @throws BenchmarkFailed, InvalidSetting, UnknownName for files and choices that cannot be used
 * @throws ModelFailed when the embedding model fails
 * @throws LibraryFailed, StorageFailed when data cannot be kept
 */
export async function evaluateRetrieval(options: RetrievalOptions): Promise<RetrievalEvaluation> {
  const { toolsFile, queriesFile, ks, seed } = options;
  const set = await readRetrievalSet(options);
  const depth = Math.max(LEAST_DEPTH, ...ks);
  const dense = await searchWithCache({ options, set, depth });
  const lexical = searchLexical({ set, depth });
  const rankings: Record<Method, string[][]> = {
    dense: dense.rankings,
    bm25: lexical.rankings,
    both: dense.rankings.map((ranking, at) => fuseRankings([ranking, lexical.rankings[at] ?? []])),
  };
  const { questions } = set;
  return {
    tools: { file: toolsFile, count: set.tools.length },
    queries: { file: queriesFile, evaluated: questions.length, leftOut: set.leftOut },
    embeddings: options.embeddings,
    rows: (Object.keys(rankings) as Method[]).flatMap((method) =>
      retrievalRows({ method, questions, rankings: rankings[method], ks, seed }),
    ),
    embeddingTokens: dense.embeddingTokens,
    textsEmbedded: dense.embedded,
    seconds: { dense: dense.seconds, bm25: lexical.seconds },
  };
}

async function searchWithCache(wanted: {
  options: RetrievalOptions;
  set: RetrievalSet;
  depth: number;
}): Promise<DenseResult> {
  const { options, set, depth } = wanted;
  const { embeddings: model, home, toolsFile, onProgress } = options;
  const embeddings = cachedEmbeddings({
    embeddings: await openEmbeddings(model),
    model,
    file: join(home, "embeddings.db"),
    onProgress,
  });
  try {
    return await searchDense({ set, toolsFile, embeddings, model, home, depth });
  } finally {
    embeddings.close();
  }
}

function searchLexical({ set, depth }: { set: RetrievalSet; depth: number }) {
  const lap = stopwatch();
  const lexical = lexicalIndex(set.tools);
  const index = lap();
  const rankings = set.questions.map(({ query }) => lexical.search({ query, depth }));
  return { rankings, seconds: { index, search: lap() } };
}
