import type { Embeddings } from "@langchain/core/embeddings";
import type { EmbeddingModel } from "../vectors/embedding.js";
import { type Hit, nearestTools } from "../vectors/nearest.js";
import type { RankEvidence } from "./rank.js";
import type { SearchIndex } from "../vectors/searchIndex.js";

// How near a tool has to be to a request depends on the library, so it is measured there: by the distance of everyday
// phrases that hardly any tool serves. That distance depends on the encoder and shrinks as tools are added, but fitting
// requests come nearer by much the same share in all kinds of libraries and encoders.

/** A tool that is not a hit because it is too far away. */
export interface Miss {
  id: string;
  /** From the request, or from a part of it that is nearer. */
  distance: number;
  /** The distance below which it would have been a hit. */
  needed: number;
}

/** What decides whether a tool is near enough. */
export type Judged = Pick<Hit, "id" | "distance"> & { evidence?: RankEvidence };

/** Divides the tools found for a request into hits and those that are too far away, each in the given order. */
export type Sieve = <Tool extends Judged>(
  tools: readonly Tool[],
) => { near: Tool[]; misses: Miss[] };

/**
 * What anybody may ask and few libraries have a tool for. Their median distance shows how far away requests are that
 * do not fit a library, so a few of them may fit it.
 */
export const EVERYDAY: readonly string[] = [
  "remember the name of my first teacher",
  "which colour suits a small bedroom",
  "make my dog stop barking at night",
  "explain why the sky is blue",
  "cheer me up after a bad day",
  "teach me to ride a bicycle",
  "what should I cook for my parents",
  "iron a shirt without creases",
  "who built the pyramids",
  "get a coffee stain out of a carpet",
  "write a wedding speech for my sister",
  "how do bees make honey",
  "fall asleep in a noisy room",
  "fix the squeaking door",
  "name three novels about the sea",
  "what would a vegetarian eat in Japan",
  "learn to juggle with four balls",
  "apologise to a neighbour for the noise",
  "when do roses have to be cut",
  "think of a costume for the carnival",
  "is it rude to yawn",
  "carve a whistle from a branch",
  "how old can a tortoise become",
  "decide who starts the game",
];

/**
 * How far a tool may be from a request, as a share of the distance of everyday phrases, for a given share of the
 * fitting requests to find something. Measured: the mean over public sets and two encoders (docs/retrieval.md).
 * The reach by meaning is larger because words do not bring tools nearer there.
 */
const REACH = {
  words: [
    [0, 0],
    [0.5, 0.31],
    [0.8, 0.544],
    [0.9, 0.688],
    [0.95, 0.783],
    [0.98, 0.87],
    [0.99, 0.92],
  ],
  meaning: [
    [0, 0],
    [0.5, 0.59],
    [0.8, 0.745],
    [0.9, 0.825],
    [0.95, 0.886],
    [0.98, 0.948],
    [0.99, 0.99],
  ],
} satisfies Record<string, Measured>;

/** Reaches by the share of requests that they keep, ascending. */
type Measured = (readonly [share: number, reach: number])[];

/** How much farther away a tool may be if the request mentions all of its name or its description. */
const FARTHER = { name: 0.13, description: 0.2 };

/** Each tool has to be nearer than a fixed distance; 0 for no limit. */
export function thresholdSieve(threshold: number): Sieve {
  const needed = threshold || Number.POSITIVE_INFINITY;
  return (tools) => {
    const missed = tools.filter(({ distance }) => distance >= needed);
    return {
      near: tools.filter(({ distance }) => distance < needed),
      misses: missed.map(({ id, distance }) => ({ id, distance, needed })),
    };
  };
}

/**
 * One tool that is near enough shows that the request fits this library, and keeps all tools: if each were judged by
 * itself, a quarter of the right tools would be lost in some sets.
 *
 * @param options.share of the fitting requests that should find something: 0 to 1
 * @param options.everyday distance of the everyday phrases in the library
 */
export function calibratedSieve({ share, everyday }: { share: number; everyday: number }): Sieve {
  const judge = (tool: Judged): Miss => {
    const distance = tool.evidence?.closest ?? tool.distance;
    const reach = reachOf(share, tool.evidence ? REACH.words : REACH.meaning);
    return { id: tool.id, distance, needed: everyday * (reach + fartherBy(tool.evidence)) };
  };
  return (tools) => {
    const judged = tools.map(judge);
    const isFitting = judged.some(({ distance, needed }) => distance < needed);
    return isFitting ? { near: [...tools], misses: [] } : { near: [], misses: judged };
  };
}

/** Keeps all tools where none is near enough. */
export function keepingUnsure(sieve: Sieve): Sieve {
  return (tools) => {
    const sieved = sieve(tools);
    return sieved.near.length > 0 ? sieved : { near: [...tools], misses: sieved.misses };
  };
}

/** How much farther away a tool may be for what the request mentions of it, as a share of the everyday distance. */
function fartherBy(said: Partial<RankEvidence> = {}): number {
  const { name = 0, description = 0 } = said;
  return FARTHER.name * name + FARTHER.description * description;
}

/** The smallest reach at which a tool is a hit. */
export function reachNeeded({ tool, everyday }: { tool: Judged; everyday: number }): number {
  return (tool.evidence?.closest ?? tool.distance) / everyday - fartherBy(tool.evidence);
}

function reachOf(share: number, measured: Measured): number {
  const above = measured.findIndex(([each]) => each >= share);
  const [nextShare, next] = measured[above] ?? [1, 4];
  const [lastShare, last] = measured[above === -1 ? measured.length - 1 : above - 1] ?? [0, 0];
  return nextShare === share
    ? next
    : last + ((next - last) * (share - lastShare)) / (nextShare - lastShare);
}

/** If a search is restricted to more tools than this, the distance is that of the whole library. */
const FEW = 1000;

/** In a library of more tools, a change of so small a share of them does not matter. */
const LARGE = { tools: 5000, share: 0.1 };

/** Measures how far everyday phrases are from a library, again only once its tools have changed much. */
export function everydayMeasure() {
  let latest: { index: SearchIndex; among: string; distance: number } | undefined;
  return async (options: {
    index: SearchIndex;
    within: readonly string[] | undefined;
    vectors: readonly (readonly number[])[];
  }): Promise<number> => {
    const { index, vectors } = options;
    const within = options.within && options.within.length <= FEW ? options.within : undefined;
    const among = JSON.stringify(within ?? []);
    if (latest?.among === among && isMuchTheSame(latest.index, index)) return latest.distance;
    const allowed = within && new Set(within.filter((id) => index.has(id)));
    const distances: number[] = [];
    for (const vector of vectors) {
      const [nearest] = await nearestTools({ index, vector, topK: 1, allowed });
      if (nearest) distances.push(nearest.distance);
    }
    latest = { index, among, distance: median(distances) };
    return latest.distance;
  };
}

function isMuchTheSame(one: SearchIndex, other: SearchIndex): boolean {
  if (one === other) return true;
  const isLarge = Math.min(one.size, other.size) > LARGE.tools;
  return isLarge && Math.abs(one.size - other.size) < LARGE.share * one.size;
}

/** The greatest distance if there is nothing to measure: better to find too much than too little. */
function median(distances: readonly number[]): number {
  return distances.toSorted((one, other) => one - other)[distances.length >> 1] ?? 4;
}

/** Vectors of the everyday phrases, embedded once for each encoder in use. */
const EMBEDDED = new WeakMap<Embeddings, number[][]>();

/** The everyday phrases that an encoder has not embedded yet: all or none. */
export function everydayTexts({ embeddings }: EmbeddingModel): readonly string[] {
  return EMBEDDED.has(embeddings) ? [] : EVERYDAY;
}

/** @param options.vectorOf gives the vectors of those that `everydayTexts` returned */
export function everydayVectors(options: {
  model: EmbeddingModel;
  vectorOf: (text: string) => number[] | undefined;
}): number[][] {
  const { model, vectorOf } = options;
  const known = EMBEDDED.get(model.embeddings);
  if (known) return known;
  const vectors = EVERYDAY.flatMap((text) => {
    const vector = vectorOf(text);
    return vector ? [vector] : [];
  });
  EMBEDDED.set(model.embeddings, vectors);
  return vectors;
}
