import { type EmbeddingModel, embedTexts } from "../vectors/embedding.js";
import { estimateTokens } from "../../../common/tokens.js";
import { type Miss, type SearchQuestion, requireUsable } from "./searchQuestion.js";
import type { Hit } from "../vectors/nearest.js";
import { hasTools } from "../records/records.js";
import { embeddedText, readRequest, searchedText } from "./request.js";
import {
  type EmbeddedPhrases,
  type FoundTools,
  searchLayers,
  type SearchLayer,
} from "./searchLayers.js";

/** What a search found for one phrase. */
export interface PhraseResult {
  phrase: string;
  /** The best first; by meaning alone and without an adapter, the nearest. */
  hits: Hit[];
  /** Nothing in the library is near enough; the hits, if there are any, are only the nearest. */
  abstained: boolean;
  /** Tools among the best `topK` that are too far away to be hits, the closest miss first; absent if there are none. */
  misses?: Miss[];
  /** Ids of the next likely tools, if as few hits as needed were wanted. */
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

/**
 * Answers a question with the current revision of a library, or of several in layers. A phrase is embedded once for
 * all layers, and a tool hides those with its id in the layers below.
 *
 * @param options.layers of one embedding model; the topmost first, the library itself last
 */
export async function searchLibrary({
  layers,
  question,
}: {
  layers: readonly SearchLayer[];
  question: SearchQuestion;
}): Promise<SearchResults> {
  requireUsable(question);
  const phrases = [...new Set(question.phrases)].filter((phrase) => phrase.trim() !== "");
  const filled = layers.filter(({ source }) => hasTools(source.place()));
  const lowest = filled.at(-1);
  if (!lowest || question.within?.length === 0 || phrases.length === 0)
    return answer(question, new Map(), 0);
  const layered = { layers: filled, lowest, question };
  const { ranking, nearOnly, threshold } = question;
  const isByWordsAlone = ranking === "words" && !nearOnly && !threshold;
  const embedded = isByWordsAlone
    ? withoutVectors(phrases)
    : await embedPhrases(lowest.source.model, phrases);
  const searched = await searchLayers({ ...layered, embedded });
  const embeddingTokens = searched.embeddingTokens + embedded.embeddingTokens;
  return answer(question, searched.found, embeddingTokens);
}

function withoutVectors(phrases: readonly string[]): EmbeddedPhrases {
  const read = phrases.map((phrase) => ({ phrase, request: readRequest(searchedText(phrase)) }));
  const none = read.map((phrase) => ({ ...phrase, vector: [] }));
  return { phrases: none, dimension: 0, embeddingTokens: 0 };
}

/** Embeds the phrases in one call. */
async function embedPhrases(
  model: EmbeddingModel,
  phrases: readonly string[],
): Promise<EmbeddedPhrases> {
  const read = phrases.map((phrase) => ({ phrase, text: embeddedText(phrase) }));
  const texts = [...new Set(read.map(({ text }) => text))];
  const vectors = await embedTexts({ model, texts, as: "queries" });
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at] ?? []]));
  return {
    phrases: read.map(({ phrase, text }) => ({
      phrase,
      request: readRequest(searchedText(phrase)),
      vector: vectorOf.get(text) ?? [],
    })),
    dimension: vectors[0]?.length ?? 0,
    embeddingTokens: estimateTokens(texts),
  };
}

function answer(
  question: SearchQuestion,
  found: ReadonlyMap<string, FoundTools>,
  embeddingTokens: number,
): SearchResults {
  const results = question.phrases.map((phrase) => {
    const { hits, misses, others } = found.get(phrase) ?? { hits: [], misses: [] };
    const missed = new Set(misses.map(({ id }) => id));
    const closest = misses.toSorted((one, other) => excessOf(one) - excessOf(other));
    return {
      phrase,
      hits: [...hits],
      abstained: hits.every(({ id }) => missed.has(id)),
      ...(misses.length > 0 ? { misses: closest.slice(0, question.topK) } : {}),
      ...(others ? { others } : {}),
    };
  });
  return { results, embeddingTokens };
}

/** How far away a tool lies, as a multiple of the distance needed. */
function excessOf({ distance, needed }: Miss): number {
  return distance / needed;
}
