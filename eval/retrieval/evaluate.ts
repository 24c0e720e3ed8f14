import { join, basename, resolve } from "node:path";
import { CachedEmbeddings } from "../../models/embeddings/embeddingCache.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import type { Selection } from "../benchmarks/selectTasks.js";
import { OPENAI_MODEL } from "../../state/settings.js";
import { openWorkspace } from "../../home/workspace.js";
import { firstPrompts } from "./firstPrompts.js";
import { retrievalRows } from "./figures.js";
import {
  embeddedText,
  RANKINGS,
  searchedText,
  type Ranking,
} from "../../tools/library/search/request.js";
import { readRetrievalSet, type RetrievalSet } from "./questions.js";
import { toolText } from "../../tools/library/vectors/embedding.js";
import { estimateTokens } from "../../common/tokens.js";
import { sha256 } from "../../tools/library/records/hash.js";
import { openLibraryStore } from "../../tools/library/store.js";

/** What to evaluate. */
export interface RetrievalOptions {
  toolsFile: string;
  queriesFile: string;
  /** Ranks for Recall@k, whole numbers from 1. */
  ks: readonly number[];
  /** Embedding model as "provider:name". */
  embeddings: string;
  selection: Selection;
  /** Whose first prompts are measured, as "provider:name"; a hosted model by default. */
  model?: string;
  /** The folder for the tool libraries, which keep the vectors of their tools. */
  home: string;
}

/** The result. */
export type RetrievalEvaluation = Awaited<ReturnType<typeof evaluateRetrieval>>;

/** Hits per search at least: the number of candidates. */
const LEAST_DEPTH = 100;

/**
 * Evaluates how well requests find their tools in the searches of graphs: by meaning, by words, and by both.
 *
 * @throws BenchmarkFailed, InvalidSetting, UnknownName for files and choices that cannot be used
 * @throws ModelFailed if the embedding model fails
 * @throws LibraryFailed, StorageFailed if data cannot be stored
 */
export async function evaluateRetrieval(options: RetrievalOptions) {
  const { toolsFile, queriesFile, ks } = options;
  const set = await readRetrievalSet(options);
  const depth = Math.max(LEAST_DEPTH, ...ks);
  const { rankings, ...searched } = await searchAndPrompt(options, set, depth);
  const { questions } = set;
  return {
    tools: { file: toolsFile, count: set.tools.length },
    /** Those `evaluated` are in the figures; those `leftOut` have no relevant tool. */
    queries: { file: queriesFile, evaluated: questions.length, leftOut: set.leftOut },
    embeddings: options.embeddings,
    rows: RANKINGS.flatMap((method) =>
      retrievalRows({ method, questions, rankings: rankings[method], ks }),
    ),
    /** What the first prompt of `tulip` tells. */
    prompts: searched.prompts,
    embeddingTokens: searched.embeddingTokens,
    textsEmbedded: searched.embedded,
  };
}

async function searchAndPrompt(options: RetrievalOptions, set: RetrievalSet, depth: number) {
  const { home, toolsFile } = options;
  const opened = await openEmbeddings(options.embeddings);
  const { name: model } = opened;
  const embeddings = new CachedEmbeddings(opened, model);
  const searched = await searchSet({ set, toolsFile, embeddings, model, home, depth });
  const workspace = openWorkspace({ home: join(home, "retrieval") });
  const settings = {
    library: libraryName(toolsFile),
    embeddings: options.embeddings,
    model: options.model ?? OPENAI_MODEL,
  };
  const prompts = await firstPrompts({ questions: set.questions, workspace, settings });
  return { ...searched, prompts };
}

/**
 * Ranks the tools for each question as an agent's search does. The library is kept below `home`, so that
 * another evaluation of the same file can reuse its index.
 */
async function searchSet(options: {
  set: RetrievalSet;
  toolsFile: string;
  embeddings: CachedEmbeddings;
  model: string;
  home: string;
  depth: number;
}) {
  const { set, toolsFile, embeddings, model, home, depth } = options;
  const documents = set.tools.map(toolText);
  const queries = set.questions.map(({ query }) => searchedText(query));
  const store = openLibraryStore({ home: join(home, "retrieval") });
  try {
    const name = libraryName(toolsFile);
    const library = await store.open({ name, embeddings, embeddingModel: model, create: true });
    const origin = resolve(toolsFile);
    const synced = await library.sync({ origin, fingerprint: "", tools: set.tools });
    /** Texts of requests, and of tools that had no vector. */
    const embedded =
      synced.embedded + (await embeddings.embedMissing(queries.map(embeddedText), "queries"));
    /** Ids for each way of ranking and each question, the best first. */
    const rankings: Record<Ranking, string[][]> = { meaning: [], words: [], both: [] };
    for (const ranking of RANKINGS) {
      const { results } = await library.search({ phrases: queries, topK: depth, ranking });
      rankings[ranking] = results.map(({ hits }) => hits.map(({ id }) => id));
    }
    /** Tokens of all different texts, estimated as a quarter of the characters. */
    const embeddingTokens = estimateTokens([...new Set([...documents, ...queries])]);
    return { rankings, embeddingTokens, embedded };
  } finally {
    await store.close();
  }
}

/** A readable name that is unique for each file. */
function libraryName(toolsFile: string): string {
  const path = resolve(toolsFile);
  const readable = basename(path).replaceAll(/[^A-Za-z0-9]+/g, "-");
  return `${readable.slice(0, 40)}-${sha256(path).slice(0, 12)}`;
}
