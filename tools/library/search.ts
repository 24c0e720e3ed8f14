import { setImmediate } from "node:timers/promises";
import { LONGEST_SEARCHED, beginning } from "../../common/bounds.js";
import { InvalidSetting } from "../../common/errors.js";
import type { Matrix } from "./adapter/matrix.js";
import { CANDIDATES } from "./adapter/pool.js";
import { rerankHits } from "./adapter/rerank.js";
import type { adapterReader } from "./adapter/storedAdapters.js";
import { embedTexts, estimateTokens } from "./embedding.js";
import type { LexicalIndex } from "./lexical.js";
import { withLexicalHits } from "./lexicalHits.js";
import { type Hit, nearestTools } from "./nearest.js";
import type { IndexSource } from "./openIndex.js";
import { countTools } from "./records.js";
import type { SearchIndex } from "./searchIndex.js";

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

/** A library as a search sees it. */
export interface SearchLayer {
  source: IndexSource;
  openIndex: (dimension: number) => Promise<{
    index: Pick<SearchIndex, "ids" | "nearest">;
    embeddingTokens: number;
  }>;
  openLexical: () => LexicalIndex;
  readAdapter: ReturnType<typeof adapterReader>;
}

/**
 * Answers a question with the index of the current revision of a library, and of those that lie over it.
 * A phrase is embedded once for all; a tool hides those of its id in the layers below.
 *
 * @param options.layers of one embedding model; the uppermost first, and at least one
 */
export async function searchLibrary({
  layers,
  question,
}: {
  layers: readonly [SearchLayer, ...SearchLayer[]];
  question: SearchQuestion;
}): Promise<SearchResults> {
  const { topK, threshold, within } = question;
  requireUsable({ topK, threshold });
  const phrases = [...new Set(question.phrases)].filter((phrase) => phrase.trim() !== "");
  const filled = layers.filter(({ source }) => countTools(source.place()) > 0);
  if (filled.length === 0 || within?.length === 0 || phrases.length === 0)
    return answer({ question, found: new Map(), embeddingTokens: 0 });

  const texts = phrases.map((phrase) => beginning(phrase, LONGEST_SEARCHED));
  const vectors = await embedTexts({ model: layers[0].source.model, texts, as: "queries" });
  const embedded = phrases.map((phrase, at) => ({
    phrase,
    text: texts[at] ?? "",
    vector: vectors[at] ?? [],
  }));
  const found = new Map<string, Hit[]>();
  const hidden = new Set<string>();
  let embeddingTokens = estimateTokens(texts);
  for (const layer of filled) {
    const opened = await searchLayer({ layer, question, embedded, hidden });
    embeddingTokens += opened.embeddingTokens;
    for (const [phrase, hits] of opened.found) {
      found.set(phrase, joinLayers({ upper: found.get(phrase) ?? [], lower: hits, topK }));
    }
    if (layer !== filled.at(-1)) for (const id of opened.ids) hidden.add(id);
  }
  return answer({ question, found, embeddingTokens });
}

/** Asks one layer for all phrases. */
async function searchLayer({
  layer: { source, openIndex, openLexical, readAdapter },
  question: { topK, threshold, within, lexical: withWords },
  embedded,
  hidden,
}: {
  layer: SearchLayer;
  question: SearchQuestion;
  /** Phrases, as far as they are read. */
  embedded: readonly { phrase: string; text: string; vector: number[] }[];
  hidden: ReadonlySet<string>;
}): Promise<{ found: Map<string, Hit[]>; ids: readonly string[]; embeddingTokens: number }> {
  const dimension = embedded[0]?.vector.length ?? 0;
  const { index, embeddingTokens } = await openIndex(dimension);
  const known = new Set(index.ids);
  const wantedIds = within ? within.filter((id) => known.has(id)) : index.ids;
  const allowed = new Set(wantedIds.filter((id) => !hidden.has(id)));
  const weights = readAdapter({ ...source.place(), model: source.model.name, dimension });
  const lexical = withWords ? openLexical() : undefined;
  const found = new Map<string, Hit[]>();
  for (const { phrase, text, vector } of embedded) {
    // Indexes answer in the process itself, whose other runs are to have their turn.
    await setImmediate();
    const wanted = { index, vector, topK, threshold, allowed };
    const hits = weights
      ? await adaptedHits({ source, weights, wanted })
      : await nearestTools(wanted);
    const joined = lexical && { ...source.place(), ...wanted, model: source.model.name, lexical };
    found.set(phrase, joined ? withLexicalHits({ ...joined, phrase: text, hits }) : hits);
  }
  return { found, ids: index.ids, embeddingTokens };
}

/**
 * The hits of a layer before the first of those below that is farther. Each keeps its own order, which an
 * adapter or words may have given.
 */
function joinLayers({
  upper,
  lower,
  topK,
}: {
  upper: readonly Hit[];
  lower: readonly Hit[];
  topK: number;
}): Hit[] {
  const joined = [...lower];
  let from = 0;
  for (const hit of upper) {
    const farther = joined.findIndex(({ distance }, at) => at >= from && distance > hit.distance);
    const place = farther === -1 ? joined.length : farther;
    joined.splice(place, 0, hit);
    from = place + 1;
  }
  return joined.slice(0, topK);
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
