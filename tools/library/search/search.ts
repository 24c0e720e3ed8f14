import { setImmediate } from "node:timers/promises";
import { estimateTokens } from "../../../common/tokens.js";
import { adaptedVector, type adapterReader } from "../adapter/storedAdapters.js";
import { hasTools, listToolIds } from "../records/records.js";
import { embedTexts } from "../vectors/embedding.js";
import type { Hit } from "../vectors/nearest.js";
import type { OpenIndex } from "../vectors/openIndex.js";
import type { IndexSource } from "../vectors/vectors.js";
import type { LibraryWords } from "../words/openWords.js";
import { asManyAsNeeded, nextLikely, type Ranked, type RankedLayer, rankTools } from "./rank.js";
import { embeddedText, readRequest, searchedText } from "./request.js";
import { type Miss, type SearchQuestion, requireUsable } from "./searchQuestion.js";
import { nearEnough, WEIGHTS_BY } from "./searchWeights.js";

/** What a search found for one phrase. */
export interface PhraseResult {
  phrase: string;
  /** The best first; by meaning alone and without an adapter, the nearest. */
  hits: Hit[];
  /** Nothing in the library is near enough; the hits, if there are any, are only the nearest. */
  abstained: boolean;
  /** Tools among the best `topK` that are too far away to be hits, the closest miss first; absent if there are none. */
  misses?: Miss[];
  /** Ids of the next likely tools, if as few hits as needed were wanted and not all tools are named anyway. */
  others?: string[];
}

/** What was found for each phrase, in the order in which the phrases were given. */
export interface SearchResults {
  results: PhraseResult[];
  /**
   * Estimated as a quarter of the characters of all texts that were embedded: the phrases, and tools that had
   * no vector of this embedding model yet.
   */
  embeddingTokens: number;
}

/** A library as a search sees it. */
export interface SearchLayer {
  source: IndexSource;
  openIndex: (dimension: number) => Promise<OpenIndex>;
  openWords: () => Promise<LibraryWords>;
  readAdapter: ReturnType<typeof adapterReader>;
}

type Found = Omit<PhraseResult, "phrase">;

/** Most tools that are hits, or named besides them. */
const MOST_OTHERS = 150;

/**
 * Answers a question with the current revision of a library, or of several in layers, whose tools are ranked as those of
 * one. All phrases are embedded in one call, and a tool hides those with its id in the layers below.
 *
 * @param options.layers of one embedding model; the topmost first, the library itself last, whose weights and adapter
 * count for all
 */
export async function searchLibrary({
  layers,
  question,
}: {
  layers: readonly SearchLayer[];
  question: SearchQuestion;
}): Promise<SearchResults> {
  requireUsable(question);
  const { topK, ranking: by = "both", threshold, nearOnly, within } = question;
  const phrases = [...new Set(question.phrases)].filter((phrase) => phrase.trim() !== "");
  const filled = layers.filter(({ source }) => hasTools(source.place()));
  const lowest = filled.at(-1);
  const found = new Map<string, Found>();
  const answer = (embeddingTokens: number): SearchResults => {
    const nothing: Found = { hits: [], abstained: true };
    const results = question.phrases.map((phrase) => ({
      phrase,
      ...(found.get(phrase) ?? nothing),
    }));
    return { results, embeddingTokens };
  };
  if (!lowest || within?.length === 0 || phrases.length === 0) return answer(0);
  const { model } = lowest.source;
  const isByWordsAlone = by === "words" && !nearOnly && !threshold;
  const texts = isByWordsAlone ? [] : [...new Set(phrases.map(embeddedText))];
  const vectors = texts.length > 0 ? await embedTexts({ model, texts, as: "queries" }) : [];
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]));
  const dimension = vectors[0]?.length ?? 0;
  const opened = await openLayers({ layers: filled, within, dimension });
  const isSparing = question.asFewAsNeeded === true && by !== "meaning";
  const ranking = {
    layers: opened,
    weights: WEIGHTS_BY[by],
    topK: isSparing ? Math.max(MOST_OTHERS, topK) : topK,
    kinOf: by === "meaning" ? undefined : question.kinOf,
  };
  const adapter = lowest.readAdapter({ ...lowest.source.place(), model: model.name, dimension });
  for (const phrase of phrases) {
    // Indexes answer in this process, whose other runs must get their turn.
    await setImmediate();
    const vector = vectorOf.get(embeddedText(phrase)) ?? [];
    const adapted = adapter && adaptedVector(vector, adapter);
    const request = readRequest(searchedText(phrase));
    const ranked = await rankTools({ ...ranking, request, vector, adapted });
    found.set(phrase, foundAmong(ranked, { question, isSparing, model: model.name }));
  }
  return answer(
    opened.reduce((sum, { embeddingTokens }) => sum + embeddingTokens, estimateTokens(texts)),
  );
}

/** @param ranked all tools that the search considers, best first */
function foundAmong(
  ranked: readonly Ranked[],
  options: { question: SearchQuestion; isSparing: boolean; model: string },
): Found {
  const { question, isSparing, model } = options;
  const { near, misses } = divided(ranked, question, model);
  const most = isSparing ? asManyAsNeeded(ranked) : ranked.length;
  const shown = new Set(ranked.slice(0, most));
  const hits = near
    .filter((tool) => shown.has(tool))
    .slice(0, question.topK)
    .map(({ score, id, distance }) =>
      question.ranking === "meaning" ? { id, distance } : { id, distance, score },
    );
  const missed = new Set(misses.map(({ id }) => id));
  const ids = new Set(near.map(({ id }) => id));
  const isNaming = isSparing && !question.allNamed;
  const next = isNaming ? nextLikely(ranked, hits.length, question) : [];
  const others = next.map(({ id }) => id).filter((id) => ids.has(id));
  return {
    hits,
    abstained: hits.every(({ id }) => missed.has(id)),
    ...(misses.length > 0 && { misses: misses.slice(0, question.topK) }),
    ...(isNaming && { others }),
  };
}

/** Opens the layers; what a layer above has too is not allowed in those below. */
async function openLayers(options: {
  layers: readonly SearchLayer[];
  within: readonly string[] | undefined;
  /** Of the phrases' vectors; 0 for a search by words alone, which needs no index. */
  dimension: number;
}): Promise<(RankedLayer & { embeddingTokens: number })[]> {
  const { layers, dimension } = options;
  const within = options.within && new Set(options.within);
  const opened: Awaited<ReturnType<typeof openLayers>> = [];
  let hidden: ReadonlySet<string> = new Set();
  for (const layer of layers) {
    const open: Partial<OpenIndex> = dimension > 0 ? await layer.openIndex(dimension) : {};
    const { index, embeddingTokens = 0 } = open;
    const words = await layer.openWords();
    const above = hidden;
    const isAllowed = (id: string) => !above.has(id) && (within?.has(id) ?? true);
    const among = within && [...within].filter(isAllowed);
    const place = layer.source.place();
    opened.push({ place, words, index, isAllowed, among, embeddingTokens });
    if (layer !== layers.at(-1)) hidden = new Set([...above, ...listToolIds(place)]);
  }
  return opened;
}

/**
 * Divides tools into those that are near enough to be hits, in their order, and the others, the closest miss first. With a
 * threshold, each has to be nearer than that. With `nearOnly` one tool that is near enough shows that the request fits this
 * library, and keeps all: if each were judged by itself, a quarter of the right tools would be lost in some sets.
 */
function divided(
  tools: readonly Ranked[],
  { threshold, nearOnly, keepUnsure }: SearchQuestion,
  model: string,
): { near: readonly Ranked[]; misses: Miss[] } {
  const isByFit = nearOnly && threshold === undefined;
  const needed = isByFit ? nearEnough(model) : threshold || Number.POSITIVE_INFINITY;
  const near = tools.filter(({ distance }) => distance < needed);
  if (isByFit && near.length > 0) return { near: tools, misses: [] };
  const misses = tools
    .filter(({ distance }) => distance >= needed)
    .map(({ id, distance }) => ({ id, distance, needed }))
    .toSorted((one, other) => one.distance - other.distance);
  return { near: keepUnsure && near.length === 0 ? tools : near, misses };
}
