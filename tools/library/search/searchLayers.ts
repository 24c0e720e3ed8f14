import { setImmediate } from "node:timers/promises";
import type { Matrix } from "../adapter/matrix.js";
import { adaptedVector, type adapterReader } from "../adapter/storedAdapters.js";
import { asManyAsNeeded, nextLikely, rankTools, type RankedLayer } from "./rank.js";
import {
  type Miss,
  type SearchQuestion,
  type Sieve,
  fittingSieve,
  keepingUnsure,
  thresholdSieve,
} from "./searchQuestion.js";
import { listToolIds } from "../records/records.js";
import type { Hit } from "../vectors/nearest.js";
import type { OpenIndex } from "../vectors/openIndex.js";
import type { IndexSource } from "../vectors/vectors.js";
import type { LibraryWords } from "../words/openWords.js";
import type { ReadRequest } from "./request.js";
import { nearEnough, WEIGHTS_BY } from "./searchWeights.js";

/** A library as a search sees it. */
export interface SearchLayer {
  source: IndexSource;
  openIndex: (dimension: number) => Promise<OpenIndex>;
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

/** Most tools that are hits, or named besides them. */
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

/** Ranks the tools of all layers as one library, by words, by meaning, or by both. */
export async function searchLayers(search: LayeredSearch): Promise<Searched> {
  const { lowest, question, embedded } = search;
  const { topK, ranking: by = "both" } = question;
  const isSparing = question.asFewAsNeeded && by !== "meaning";
  const kinOf = by === "meaning" ? undefined : question.kinOf;
  const opened = await openLayers(search);
  const ranking = {
    layers: await Promise.all(
      opened.map(async (open) => ({ ...open, words: await open.layer.openWords() })),
    ),
    weights: WEIGHTS_BY[by],
    topK: isSparing ? Math.max(MOST_OTHERS, topK) : topK,
    kinOf,
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
    const most = isSparing ? asManyAsNeeded(ranked) : ranked.length;
    const shown = new Set(ranked.slice(0, most));
    const hits = near
      .filter((tool) => shown.has(tool))
      .slice(0, topK)
      .map(({ id, distance, score }) => ({
        id,
        distance,
        ...(by === "meaning" ? {} : { score }),
      }));
    const isNaming = isSparing && !question.allNamed;
    const isNear = new Set(near.map(({ id }) => id));
    const others =
      isNaming &&
      nextLikely(ranked, hits.length, question)
        .map(({ id }) => id)
        .filter((id) => isNear.has(id));
    found.set(phrase, { hits, misses, ...(others && { others }) });
  }
  return { found, embeddingTokens: tokensOf(opened) };
}

/** A layer with its index; without one if it is searched by words alone. */
interface OpenLayer extends Omit<RankedLayer, "words"> {
  layer: SearchLayer;
  embeddingTokens: number;
}

/** Opens the indexes of the layers; what a layer above has too is not allowed in those below. */
async function openLayers({ layers, question, embedded }: LayeredSearch): Promise<OpenLayer[]> {
  const { dimension } = embedded;
  const within = question.within && new Set(question.within);
  const opened: OpenLayer[] = [];
  let hidden: ReadonlySet<string> = new Set();
  for (const layer of layers) {
    const open: Partial<OpenIndex> = dimension > 0 ? await layer.openIndex(dimension) : {};
    const { index, embeddingTokens = 0 } = open;
    const above = hidden;
    const isAllowed = (id: string) => !above.has(id) && (within?.has(id) ?? true);
    const among = within && [...within].filter(isAllowed);
    const place = layer.source.place();
    opened.push({ layer, place, index, isAllowed, among, embeddingTokens });
    if (layer !== layers.at(-1)) hidden = new Set([...above, ...listToolIds(place)]);
  }
  return opened;
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
