import { basename, join, resolve } from "node:path";
import type { CachedEmbeddings } from "../../models/embeddingCache.js";
import { estimateTokens } from "../../tools/library/embedding.js";
import { sha256 } from "../../tools/library/hash.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openLibraryStore } from "../../tools/library/store.js";
import { embeddedTexts, type Ranking, RANKINGS } from "../../tools/library/request.js";
import { toolText } from "../../tools/library/toolText.js";
import type { RetrievalSet } from "./questions.js";
import { stopwatch } from "./stopwatch.js";

/** What a library found for each question, and what that took. */
export interface SearchedSet {
  /** For each way of ranking and each question ids, the best first. */
  rankings: Record<Ranking, string[][]>;
  /** Tokens of all different texts, tools and requests, estimated as a quarter of the characters. */
  embeddingTokens: number;
  /** Texts for which the cache had no vector. */
  embedded: number;
  seconds: { embed: number; index: number; search: Record<Ranking, number> };
}

/**
 * Ranks the tools for each question as an agent's search does, by the project's own library. It is kept
 * below `home`, so that another evaluation of the same file finds its index made.
 *
 * @param options.model "provider:name" of the embeddings
 * @throws ModelFailed when the embedding model fails
 * @throws LibraryFailed when FAISS cannot be loaded or the index cannot be written
 */
export async function searchSet(options: {
  set: RetrievalSet;
  toolsFile: string;
  embeddings: CachedEmbeddings;
  model: string;
  home: string;
  depth: number;
}): Promise<SearchedSet> {
  const { set, toolsFile, embeddings, model, home, depth } = options;
  const phrases = set.questions.map(({ query }) => query);
  const documents = set.tools.map(toolText);
  const queries = phrases.flatMap((phrase) => embeddedTexts(phrase));
  const store = openLibraryStore({ home: join(home, "retrieval") });
  const lap = stopwatch();
  try {
    const embedded =
      (await embeddings.embedMissing(documents)) +
      (await embeddings.embedMissing(queries, "queries"));
    const embed = lap();
    const name = libraryName(toolsFile);
    const library = await store.open({ name, embeddings, embeddingModel: model, create: true });
    await makeIndex({ library, set, origin: resolve(toolsFile) });
    const index = lap();
    const rankings: SearchedSet["rankings"] = { meaning: [], words: [], both: [] };
    const search: Record<Ranking, number> = { meaning: 0, words: 0, both: 0 };
    for (const ranking of RANKINGS) {
      const { results } = await library.search({ phrases, topK: depth, ranking });
      rankings[ranking] = results.map(({ hits }) => hits.map(({ id }) => id));
      search[ranking] = lap();
    }
    const embeddingTokens = estimateTokens([...new Set([...documents, ...queries])]);
    return { rankings, embeddingTokens, embedded, seconds: { embed, index, search } };
  } finally {
    await store.close();
  }
}

/** The index of a library is made by the first search in it. */
async function makeIndex(options: {
  library: ToolLibrary;
  set: RetrievalSet;
  origin: string;
}): Promise<void> {
  const { library, set, origin } = options;
  await library.sync({ origin, fingerprint: "", tools: set.tools });
  const phrases = set.questions.slice(0, 1).map(({ query }) => query);
  await library.search({ phrases, topK: 1 });
}

/** Readable, and another for each file. */
function libraryName(toolsFile: string): string {
  const path = resolve(toolsFile);
  const readable = basename(path).replaceAll(/[^A-Za-z0-9]+/g, "-");
  return `${readable.slice(0, 40)}-${sha256(path).slice(0, 12)}`;
}
