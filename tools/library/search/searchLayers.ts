import { setImmediate } from "node:timers/promises";
import type { Matrix } from "../adapter/matrix.js";
import { CANDIDATES } from "../adapter/pool.js";
import { adaptedVector, rerankHits, type adapterReader } from "../adapter/storedAdapters.js";
import { asManyAsNeeded, rankTools } from "./rank.js";
import {
  type Miss,
  type SearchQuestion,
  type Sieve,
  fittingSieve,
  keepingUnsure,
  thresholdSieve,
} from "./searchQuestion.js";
import { type Hit, nearestTools } from "../vectors/nearest.js";
import type { IndexSource, OpenIndex } from "../vectors/openIndex.js";
import { joinWords, type LibraryWords } from "../words/openWords.js";
import type { ReadRequest } from "./request.js";
import type { SearchIndex } from "../vectors/searchIndex.js";
import { nearEnough, WEIGHTS } from "./searchWeights.js";

/** A library as a search sees it. */
export interface SearchLayer {
  source: IndexSource;
  openIndex: (dimension: number) => Promise<OpenIndex>;
  /** Opens the tools without their vectors. */
  openPlaces: () => SearchIndex;
  openWords: () => Promise<LibraryWords>;
  readAdapter: ReturnType<typeof adapterReader>;
}

/** Phrases with their vectors, ready to be searched for; by words alone, of no dimension. */
export interface EmbeddedPhrases {
  phrases: readonly {
    phrase: string;
    request: ReadRequest;
    vector: number[];
  }[];
  dimension: number;
  embeddingTokens: number;
}

/** What was found for a phrase. */
export interface FoundTools {
  hits: Hit[];
  misses: Miss[];
  /** Ids of the next likely tools, if as few hits as needed were wanted and not all tools are named anyway. */
  others?: string[];
}

/** Most tools that are named besides the hits. */
const MOST_OTHERS = 150;

/** What was found for each phrase, and what opening the layers cost. */
interface Searched {
  found: Map<string, FoundTools>;
  embeddingTokens: number;
}

interface LayeredSearch {
  /** The topmost first. */
  layers: readonly SearchLayer[];
  /** The library itself, whose weights and adapter count for all layers. */
  lowest: SearchLayer;
  question: SearchQuestion;
  embedded: EmbeddedPhrases;
}

/** Ranks the tools of all layers as one library, by words and by meaning. */
export async function searchByWords(search: LayeredSearch): Promise<Searched> {
  const { layers, lowest, question, embedded } = search;
  const { topK } = question;
  const opened = await openLayers(search);
  const ranking = {
    layers: opened.map(({ layer, index, allowed }) => ({
      place: layer.source.place(),
      index,
      allowed,
    })),
    words: joinWords(await Promise.all(layers.map(({ openWords }) => openWords()))),
    weights: question.ranking === "words" ? { ...WEIGHTS, near: 0 } : WEIGHTS,
    topK: question.asFewAsNeeded ? Math.max(MOST_OTHERS, topK) : topK,
  };
  const adapter = adapterOf(lowest, embedded.dimension);
  const sieve = sieveFor(lowest, question);
  const found = new Map<string, FoundTools>();
  for (const { phrase, request, vector } of embedded.phrases) {
    // Indexes answer in this process, whose other runs must get their turn.
    await setImmediate();
    const adapted = adapter && adaptedVector(vector, adapter);
    const ranked = await rankTools({ ...ranking, request, vector, adapted });
    const { near, misses } = sieve(ranked);
    const scores = ranked.map(({ score }) => score);
    const most = question.asFewAsNeeded ? asManyAsNeeded(scores) : scores.length;
    const shown = new Set(ranked.slice(0, most));
    const hits = near
      .filter((tool) => shown.has(tool))
      .slice(0, topK)
      .map(({ id, distance, score, evidence }) => ({
        id,
        distance,
        score,
        ...(question.explain ? { evidence } : {}),
      }));
    const isNaming = question.asFewAsNeeded && !question.allNamed;
    const others = near.slice(hits.length, hits.length + MOST_OTHERS).map(({ id }) => id);
    found.set(phrase, { hits, misses, ...(isNaming ? { others } : {}) });
  }
  return { found, embeddingTokens: tokensOf(opened) };
}

/** Finds the nearest tools of each layer, puts them in the order of its adapter if it has one, and joins them. */
export async function searchByMeaning(search: LayeredSearch): Promise<Searched> {
  const { lowest, question, embedded } = search;
  const { topK } = question;
  const found = new Map<string, FoundTools>();
  const opened = await openLayers(search);
  const sieve = sieveFor(lowest, question);
  for (const { layer, index, allowed } of opened) {
    const adapter = adapterOf(layer, embedded.dimension);
    for (const { phrase, vector } of embedded.phrases) {
      await setImmediate();
      const wanted = { index, vector, topK, allowed };
      const { near, misses } = adapter
        ? await adaptedHits({ source: layer.source, adapter, wanted, sieve })
        : sieve(await nearestTools(wanted));
      const upper = found.get(phrase) ?? { hits: [], misses: [] };
      found.set(phrase, {
        hits: joinHits(upper.hits, near, topK),
        misses: [...upper.misses, ...misses],
      });
    }
  }
  return { found, embeddingTokens: tokensOf(opened) };
}

/** The nearest candidates that are near enough, in the order of the adapter. */
async function adaptedHits(options: {
  source: IndexSource;
  adapter: Matrix;
  wanted: Parameters<typeof nearestTools>[0];
  sieve: Sieve;
}): Promise<{ near: Hit[]; misses: Miss[] }> {
  const { source, adapter, wanted, sieve } = options;
  const { topK, vector } = wanted;
  const candidates = await nearestTools({ ...wanted, topK: Math.max(CANDIDATES, topK) });
  const { near: hits, misses } = sieve(candidates);
  const model = source.model.name;
  const near = rerankHits({ ...source.place(), model, vector, weights: adapter, hits });
  return { near: near.slice(0, topK), misses };
}

/**
 * Inserts each hit of a layer before the first one below that is farther away. Both lists keep their own order,
 * which an adapter may have given.
 */
function joinHits(upper: readonly Hit[], lower: readonly Hit[], topK: number): Hit[] {
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

/** A layer with its index. */
interface OpenLayer extends OpenIndex {
  layer: SearchLayer;
  /** Ids that may be found; all if absent. */
  allowed: ReadonlySet<string> | undefined;
}

/** Opens the indexes of the layers; what a layer above has too is not allowed in those below. */
async function openLayers({ layers, question, embedded }: LayeredSearch): Promise<OpenLayer[]> {
  const opened: OpenLayer[] = [];
  const hidden = new Set<string>();
  for (const layer of layers) {
    const { dimension } = embedded;
    const { index, embeddingTokens } =
      dimension > 0
        ? await layer.openIndex(dimension)
        : { index: layer.openPlaces(), embeddingTokens: 0 };
    const allowed = allowedIds(index, question.within, hidden);
    opened.push({ layer, index, allowed, embeddingTokens });
    if (layer !== layers.at(-1)) for (const id of index.ids()) hidden.add(id);
  }
  return opened;
}

/** Undefined if all are allowed, so that no search of a large library goes through all its ids. */
function allowedIds(
  index: SearchIndex,
  within: readonly string[] | undefined,
  hidden: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (!within && hidden.size === 0) return undefined;
  const ids = within ? within.filter((id) => index.has(id)) : index.ids();
  return new Set(ids.filter((id) => !hidden.has(id)));
}

function tokensOf(opened: readonly OpenLayer[]): number {
  return opened.reduce((sum, { embeddingTokens }) => sum + embeddingTokens, 0);
}

/** Decides what is near enough, by the threshold or by the usual distance of the encoder. */
function sieveFor({ source }: SearchLayer, question: SearchQuestion): Sieve {
  const { threshold, nearOnly, keepUnsure } = question;
  const sieve =
    nearOnly && threshold === undefined
      ? fittingSieve(nearEnough(source.model.name))
      : thresholdSieve(threshold ?? 0);
  return keepUnsure ? keepingUnsure(sieve) : sieve;
}

function adapterOf({ source, readAdapter }: SearchLayer, dimension: number): Matrix | undefined {
  return readAdapter({ ...source.place(), model: source.model.name, dimension });
}
