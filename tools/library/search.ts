import { LONGEST_SEARCHED, beginning } from "../../bounds.js";
import { InvalidSetting } from "../../errors.js";
import type { Matrix } from "./adapter/matrix.js";
import { CANDIDATES } from "./adapter/pool.js";
import { rerankHits } from "./adapter/rerank.js";
import type { adapterReader } from "./adapter/storedAdapters.js";
import { embedTexts, estimateTokens } from "./embedding.js";
import type { LexicalIndex } from "./lexical.js";
import { withLexicalHits } from "./lexicalHits.js";
import { type Hit, nearestTools } from "./nearest.js";
import type { IndexSource, OpenIndex } from "./openIndex.js";
import { countTools } from "./records.js";

/** A question to a library. */
export interface SearchQuestion {
  /** Each is embedded once, however often it is given; a blank one finds nothing, and of a long one the beginning is read. */
  phrases: readonly string[];
  /** At most this many hits for each phrase; 1 or more. */
  topK: number;
  /** Hits are nearer than this, in squared L2 distance (0 to 4). 0 and undefined: no threshold. */
  threshold?: number;
  /** Searches among these tools only; ids that the library does not have are ignored. */
  within?: readonly string[];
  /**
   * Also searches for the words of the phrases in names, descriptions and parameters (BM25), and fuses
   * what is found with what is near; of use for whole requests, which lie far from the tools they need.
   */
  lexical?: boolean;
}

/** What a search found for one phrase. */
export interface PhraseResult {
  phrase: string;
  /** Nearest first; with an adapter or with `lexical`, in the order that these give. */
  hits: Hit[];
  /** Nothing in the library is near enough. */
  abstained: boolean;
}

/** What was found for each phrase, in the order in which the phrases were given. */
export interface SearchResults {
  results: PhraseResult[];
  /**
   * Estimated as a quarter of the characters of all texts embedded on the way: the phrases, and tools
   * that had no vector of this embedding model yet.
   */
  embeddingTokens: number;
}

/** Answers a question with the index of the library's current revision. */
export async function searchLibrary({
  source,
  openIndex,
  openLexical,
  readAdapter,
  question,
}: {
  source: IndexSource;
  openIndex: (dimension: number) => Promise<OpenIndex>;
  openLexical: () => LexicalIndex;
  readAdapter: ReturnType<typeof adapterReader>;
  question: SearchQuestion;
}): Promise<SearchResults> {
  const { topK, threshold, within } = question;
  requireUsable({ topK, threshold });
  const phrases = [...new Set(question.phrases)].filter((phrase) => phrase.trim() !== "");
  const canHit = countTools(source.place()) > 0 && (within === undefined || within.length > 0);
  if (!canHit || phrases.length === 0)
    return answer({ question, found: new Map(), embeddingTokens: 0 });

  const texts = phrases.map((phrase) => beginning(phrase, LONGEST_SEARCHED));
  const vectors = await embedTexts({ model: source.model, texts });
  const dimension = vectors[0]?.length ?? 0;
  const opened = await openIndex(dimension);
  const { index } = opened;
  const known = new Set(index.ids);
  const allowed = within ? new Set(within.filter((id) => known.has(id))) : known;
  const weights = readAdapter({ ...source.place(), model: source.model.name, dimension });
  const lexical = question.lexical ? openLexical() : undefined;
  const found = new Map<string, Hit[]>();
  for (const [at, phrase] of phrases.entries()) {
    const wanted = { index, vector: vectors[at] ?? [], topK, threshold, allowed };
    const hits = weights
      ? await adaptedHits({ source, weights, wanted })
      : await nearestTools(wanted);
    const joined = lexical && { ...source.place(), ...wanted, model: source.model.name, lexical };
    found.set(
      phrase,
      joined ? withLexicalHits({ ...joined, phrase: texts[at] ?? "", hits }) : hits,
    );
  }
  const embeddingTokens = estimateTokens(texts) + opened.embeddingTokens;
  return answer({ question, found, embeddingTokens });
}

/** The nearest candidates below the threshold, in the order of the adapter. */
async function adaptedHits(options: {
  source: IndexSource;
  weights: Matrix;
  wanted: Parameters<typeof nearestTools>[0];
}): Promise<Hit[]> {
  const { source, weights, wanted } = options;
  const { topK, vector } = wanted;
  const hits = await nearestTools({ ...wanted, topK: Math.max(CANDIDATES, topK) });
  const model = source.model.name;
  return rerankHits({ ...source.place(), model, vector, weights, hits }).slice(0, topK);
}

function answer({
  question,
  found,
  embeddingTokens,
}: {
  question: SearchQuestion;
  found: ReadonlyMap<string, Hit[]>;
  embeddingTokens: number;
}): SearchResults {
  const results = question.phrases.map((phrase) => {
    const hits = found.get(phrase) ?? [];
    return { phrase, hits: [...hits], abstained: hits.length === 0 };
  });
  return { results, embeddingTokens };
}

function requireUsable({ topK, threshold }: { topK: number; threshold?: number }): void {
  if (!Number.isInteger(topK) || topK < 1) {
    throw new InvalidSetting({
      setting: "topK",
      problem: `${topK} is not a whole number of 1 or more`,
    });
  }
  if (threshold !== undefined && !(threshold >= 0)) {
    throw new InvalidSetting({
      setting: "threshold",
      problem: `${threshold} is not a squared distance`,
      hint: "Give a number from 0 (no threshold) to 4",
    });
  }
}
