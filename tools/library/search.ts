import { setImmediate } from "node:timers/promises";
import { InvalidSetting } from "../../common/errors.js";
import type { Matrix } from "./adapter/matrix.js";
import { CANDIDATES } from "./adapter/pool.js";
import { adaptedVector, rerankHits } from "./adapter/rerank.js";
import type { adapterReader } from "./adapter/storedAdapters.js";
import { asManyAsNeeded } from "./cut.js";
import { type EmbeddingModel, embedTexts, estimateTokens } from "./embedding.js";
import { type Hit, nearestTools } from "./nearest.js";
import {
  calibratedSieve,
  type everydayMeasure,
  everydayTexts,
  everydayVectors,
  type Miss,
  type Sieve,
  thresholdSieve,
} from "./misses.js";
import type { IndexSource } from "./openIndex.js";
import { bringNeeded } from "./needs.js";
import { type RankedLayer, rankTools } from "./rank.js";
import { hasTools } from "./records.js";
import { embeddedTexts, type Ranking, type ReadRequest, readRequest } from "./request.js";
import type { SearchIndex } from "./searchIndex.js";
import type { SearchWeights } from "./searchWeights.js";
import { searchWeightsOf } from "./storedWeights.js";
import { partTwins } from "./twins.js";
import { joinWords, type LibraryWords } from "./openWords.js";

/** A question to a library. */
export interface SearchQuestion {
  /** Each is embedded once, however often it is given; a blank one finds nothing, and of a long one the beginning is read. */
  phrases: readonly string[];
  /** At most this many hits for each phrase; 1 or more. */
  topK: number;
  /**
   * Hits are nearer than this, in squared L2 distance (0 to 4), but for what others need. 0: no
   * threshold.
   */
  threshold?: number;
  /**
   * Share of the requests that fit the library that are to find something, 0 to 1: what is near enough for that is
   * told by the library itself. Absent and 1: however far. A threshold, if there is one, holds in its place.
   */
  keepShare?: number;
  /** Searches among these tools only; ids that the library does not have are ignored. */
  within?: readonly string[];
  /** What tools are ranked by; default: both. */
  ranking?: Ranking;
  /** Leaves out what has next to no chance of being wanted, so that clear winners stand nearly alone. */
  asFewAsNeeded?: boolean;
  /** In the place of the library's own. */
  weights?: SearchWeights;
  /** Says of each hit what its score is the sum of; not by meaning alone. */
  explain?: boolean;
}

/** What a search found for one phrase. */
export interface PhraseResult {
  phrase: string;
  /** The best first; by meaning alone and without an adapter, the nearest. */
  hits: Hit[];
  /** Nothing in the library is near enough. */
  abstained: boolean;
  /** Tools among the best `topK` that are too far away to be hits, the least far first; absent where none are. */
  misses?: Miss[];
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
    index: SearchIndex;
    embeddingTokens: number;
  }>;
  openWords: () => Promise<LibraryWords>;
  readAdapter: ReturnType<typeof adapterReader>;
  measureEveryday: ReturnType<typeof everydayMeasure>;
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
  const { within } = question;
  requireUsable(question);
  const phrases = [...new Set(question.phrases)].filter((phrase) => phrase.trim() !== "");
  const [top, ...rest] = layers.filter(({ source }) => hasTools(source.place()));
  if (!top || within?.length === 0 || phrases.length === 0)
    return answer({ question, found: new Map(), embeddingTokens: 0 });
  const filled = [top, ...rest] as const;
  const read = phrases.map((phrase) => readPhrase(phrase, question));
  const { model } = top.source;
  const embedded = await embedPhrases({ model, read, isCalibrated: isCalibrated(question) });
  const searched =
    question.ranking === "meaning"
      ? await searchByMeaning({ layers: filled, question, embedded })
      : await searchByWords({ layers: filled, question, embedded });
  const embeddingTokens = searched.embeddingTokens + embedded.embeddingTokens;
  return answer({ question, found: searched.found, embeddingTokens });
}

/** A phrase as far as it is read. */
interface ReadPhrase {
  phrase: string;
  request: ReadRequest;
  /** Texts that are embedded for it: itself and its parts. */
  texts: string[];
}

/** The whole and its parts, each as its vector. */
interface EmbeddedPhrases {
  phrases: readonly (ReadPhrase & { vectors: number[][] })[];
  dimension: number;
  embeddingTokens: number;
  /** Vectors of everyday phrases, where it is by them that a hit is known to be near enough. */
  everyday: number[][];
}

function readPhrase(phrase: string, { ranking }: SearchQuestion): ReadPhrase {
  const texts = embeddedTexts(phrase, ranking);
  const [text = ""] = texts;
  return { phrase, request: readRequest(text), texts };
}

async function embedPhrases(options: {
  model: EmbeddingModel;
  read: readonly ReadPhrase[];
  isCalibrated: boolean;
}): Promise<EmbeddedPhrases> {
  const { model, read, isCalibrated } = options;
  const everyday = isCalibrated ? everydayTexts(model) : [];
  const texts = [...new Set([...read.flatMap((each) => each.texts), ...everyday])];
  const vectors = await embedTexts({ model, texts, as: "queries" });
  const vectorOf = new Map(texts.map((text, at) => [text, vectors[at] ?? []]));
  return {
    phrases: read.map((each) => ({
      ...each,
      vectors: each.texts.map((text) => vectorOf.get(text) ?? []),
    })),
    dimension: vectors[0]?.length ?? 0,
    embeddingTokens: estimateTokens(texts),
    everyday: isCalibrated
      ? everydayVectors({ model, vectorOf: (text) => vectorOf.get(text) })
      : [],
  };
}

/** Whether the library itself says what is near enough. */
function isCalibrated({ threshold, keepShare = 1 }: SearchQuestion): boolean {
  return threshold === undefined && keepShare < 1;
}

/** What is near enough, by a threshold or by what the lowest layer says. */
async function sieveOf(options: {
  opened: readonly OpenLayer[];
  question: SearchQuestion;
  everyday: readonly (readonly number[])[];
}): Promise<Sieve> {
  const { opened, question, everyday: vectors } = options;
  const { threshold = 0, keepShare = 1, within } = question;
  const lowest = opened.at(-1);
  if (!lowest || !isCalibrated(question)) return thresholdSieve(threshold);
  const { layer, index } = lowest;
  const everyday = await layer.measureEveryday({ index, within, vectors });
  return calibratedSieve({ share: keepShare, everyday });
}

/** Searches of several layers: what they found for each phrase, and what opening them cost. */
interface Searched {
  found: Map<string, Found>;
  embeddingTokens: number;
}

/** What was found for a phrase. */
interface Found {
  hits: Hit[];
  misses: Miss[];
}

type Layers = readonly [SearchLayer, ...SearchLayer[]];

async function searchByWords(options: {
  layers: Layers;
  question: SearchQuestion;
  embedded: EmbeddedPhrases;
}): Promise<Searched> {
  const { layers, question, embedded } = options;
  const { topK, asFewAsNeeded = false, explain = false } = question;
  const opened = await openLayers({ ...options, dimension: embedded.dimension });
  const [top, ...rest] = opened.map(({ layer, index, allowed }) => ({
    place: layer.source.place(),
    index,
    allowed,
  }));
  const words = joinWords(await Promise.all(layers.map(({ openWords }) => openWords())));
  const adapt = adapterOf(layers, embedded.dimension);
  const weights = weightsFor(layers, question);
  const sieve = await sieveOf({ opened, question, everyday: embedded.everyday });
  const found = new Map<string, Found>();
  for (const { phrase, texts, request, vectors } of embedded.phrases) {
    // Indexes answer in the process itself, whose other runs are to have their turn.
    await setImmediate();
    const [vector = [], ...parts] = vectors;
    const adapted = adapt?.(vector);
    const layered = [top, ...rest] as [RankedLayer, ...RankedLayer[]];
    const ranked = await rankTools({
      layers: layered,
      words,
      request,
      vector,
      parts,
      adapted,
      weights,
      topK,
    });
    const scores = ranked.map(({ score }) => score);
    const most = asFewAsNeeded ? asManyAsNeeded(scores, weights.floor) : scores.length;
    const shown = new Set(ranked.slice(0, most).map(({ id }) => id));
    const least = scores[most - 1] ?? 0;
    const { near, misses } = sieve(ranked);
    const needed = bringNeeded({ layers: layered, text: texts[0] ?? "", vector, ranked: near });
    const hits = partTwins(layered, needed)
      .filter(({ id, score, neededBy }) => shown.has(id) || (neededBy && score >= least))
      .slice(0, topK)
      .map(({ id, distance, score, evidence, neededBy, twinOf }) => ({
        id,
        distance,
        score,
        ...(explain ? { evidence } : {}),
        ...(neededBy && { neededBy }),
        ...(twinOf && { twinOf }),
      }));
    found.set(phrase, { hits, misses });
  }
  return { found, embeddingTokens: sum(opened.map((each) => each.embeddingTokens)) };
}

async function searchByMeaning(options: {
  layers: Layers;
  question: SearchQuestion;
  embedded: EmbeddedPhrases;
}): Promise<Searched> {
  const { question, embedded } = options;
  const { topK } = question;
  const found = new Map<string, Found>();
  const opened = await openLayers({ ...options, dimension: embedded.dimension });
  const sieve = await sieveOf({ opened, question, everyday: embedded.everyday });
  for (const { layer, index, allowed } of opened) {
    const { source, readAdapter } = layer;
    const weights = readAdapter({
      ...source.place(),
      model: source.model.name,
      dimension: embedded.dimension,
    });
    for (const { phrase, vectors } of embedded.phrases) {
      await setImmediate();
      const wanted = { index, vector: vectors[0] ?? [], topK, allowed };
      const { near, misses } = weights
        ? await adaptedHits({ source, weights, wanted, sieve })
        : sieve(await nearestTools(wanted));
      const upper = found.get(phrase) ?? { hits: [], misses: [] };
      found.set(phrase, {
        hits: joinLayers({ upper: upper.hits, lower: near, topK }),
        misses: [...upper.misses, ...misses],
      });
    }
  }
  return { found, embeddingTokens: sum(opened.map((each) => each.embeddingTokens)) };
}

/** A layer with its index, and what of it may be found; all where that is absent. */
interface OpenLayer {
  layer: SearchLayer;
  index: SearchIndex;
  allowed: ReadonlySet<string> | undefined;
  embeddingTokens: number;
}

/** Opens the indexes of layers, and says of each what of it is not hidden by one above. */
async function openLayers(options: {
  layers: Layers;
  question: SearchQuestion;
  dimension: number;
}): Promise<OpenLayer[]> {
  const { layers, question, dimension } = options;
  const opened: OpenLayer[] = [];
  const hidden = new Set<string>();
  for (const layer of layers) {
    const { index, embeddingTokens } = await layer.openIndex(dimension);
    const allowed = allowedIds({ index, within: question.within, hidden });
    opened.push({ layer, index, allowed, embeddingTokens });
    if (layer !== layers.at(-1)) for (const id of index.ids()) hidden.add(id);
  }
  return opened;
}

/** Undefined where all are allowed, so that no search of a large library goes through all its ids. */
function allowedIds({
  index,
  within,
  hidden,
}: {
  index: SearchIndex;
  within: readonly string[] | undefined;
  hidden: ReadonlySet<string>;
}): ReadonlySet<string> | undefined {
  if (!within && hidden.size === 0) return undefined;
  const ids = within ? within.filter((id) => index.has(id)) : index.ids();
  return new Set(ids.filter((id) => !hidden.has(id)));
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

/** The nearest candidates that are near enough, in the order of the adapter. */
async function adaptedHits(options: {
  source: IndexSource;
  weights: Matrix;
  wanted: Parameters<typeof nearestTools>[0];
  sieve: Sieve;
}): Promise<{ near: Hit[]; misses: Miss[] }> {
  const { source, weights, wanted, sieve } = options;
  const { topK, vector } = wanted;
  const candidates = await nearestTools({ ...wanted, topK: Math.max(CANDIDATES, topK) });
  const { near: hits, misses } = sieve(candidates);
  const model = source.model.name;
  const near = rerankHits({ ...source.place(), model, vector, weights, hits });
  return { near: near.slice(0, topK), misses };
}

/** The lowest layer's adapter turns the vector of a request. */
function adapterOf(layers: Layers, dimension: number) {
  const { source, readAdapter } = layers.at(-1) ?? layers[0];
  const weights = readAdapter({ ...source.place(), model: source.model.name, dimension });
  return weights && ((vector: readonly number[]) => adaptedVector(vector, weights));
}

/** Those of the lowest layer, the library itself. */
function weightsFor(layers: Layers, { ranking, weights: given }: SearchQuestion): SearchWeights {
  const { source } = layers.at(-1) ?? layers[0];
  const model = source.model.name;
  const weights = given ?? searchWeightsOf({ ...source.place(), model });
  return ranking === "words" ? { ...weights, near: 0, nearPart: 0 } : weights;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function answer({
  question,
  found,
  embeddingTokens,
}: {
  question: SearchQuestion;
  found: ReadonlyMap<string, Found>;
  embeddingTokens: number;
}): SearchResults {
  const results = question.phrases.map((phrase) => {
    const { hits, misses } = found.get(phrase) ?? { hits: [], misses: [] };
    const least = misses.toSorted((one, other) => excessOf(one) - excessOf(other));
    return {
      phrase,
      hits: [...hits],
      abstained: hits.length === 0,
      ...(misses.length > 0 ? { misses: least.slice(0, question.topK) } : {}),
    };
  });
  return { results, embeddingTokens };
}

/** By how much of the distance needed a tool lies too far away. */
function excessOf({ distance, needed }: Miss): number {
  return distance / needed;
}

function requireUsable({ topK, threshold, keepShare = 1 }: SearchQuestion): void {
  if (!Number.isInteger(topK) || topK < 1) {
    throw new InvalidSetting({
      setting: "topK",
      problem: `${topK} is not a whole number of 1 or more`,
    });
  }
  if (!(keepShare >= 0 && keepShare <= 1)) {
    throw new InvalidSetting({
      setting: "keepShare",
      problem: `${keepShare} is not a share of requests`,
      hint: "Give a number from 0 to 1, such as 0.95",
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
