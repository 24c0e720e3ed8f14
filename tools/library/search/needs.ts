import { givingWord, neededIds } from "../records/ids.js";
import type { Hit } from "../vectors/nearest.js";
import { byScore, type Ranked, type RankedLayer } from "./rank.js";
import { definitionsAt } from "../records/records.js";
import type { Neighbour } from "../vectors/searchIndex.js";
import { havingOf, placeIn, positionOf } from "../words/wordEntries.js";
import { readPostings } from "../words/wordRows.js";

/** A ranked tool, and why it has its place. */
export type RankedHit = Omit<Ranked, "evidence"> & Pick<Hit, "evidence" | "neededBy">;

/** How many of the best hits bring what they need; those behind are rarely wanted themselves. */
const BRINGING = 10;

/** What a tool needs is brought, and what that needs, but no more. */
const STEPS = 2;

/** If more tools give an id, it is unclear which of them is needed. */
const MOST_GIVERS = 3;

/** In a larger library, ids with the same name mean different things unless they are of one provider. */
const LARGE = 1000;

/**
 * How much less a tool that is brought scores than the one that needs it. Chosen on public sets: smaller values put
 * it before tools that requests ask for, larger ones find less.
 */
const LESS = 1.25;

/** Signs that a request states ids itself. */
const STATED = /\b(?:ids?|tokens?|keys?)\b|#\d+|\b\d{6,}\b|\b[\da-f]{8}-[\da-f]{4}/iu;

/**
 * Puts tools that give ids close behind the tools that ask for them, marked by `neededBy`: no request for
 * `delete_event` mentions what `search_events` has to find first. A request that states an id itself brings none.
 *
 * @param options.text of the request
 * @param options.vector of the request
 * @param options.ranked the best first
 */
export function bringNeeded(options: {
  layers: readonly RankedLayer[];
  text: string;
  vector: readonly number[];
  ranked: readonly Ranked[];
}): RankedHit[] {
  const { layers, text, vector, ranked } = options;
  if (STATED.test(text)) return [...ranked];
  const all = new Map<string, RankedHit>(ranked.map((tool) => [tool.id, tool]));
  let bringing: RankedHit[] = ranked.slice(0, BRINGING);
  for (let step = 0; step < STEPS; step += 1) {
    const needs = readNeeds(layers, bringing);
    const givers = readGivers(layers, [...needs.values()].flat(), vector);
    const brought = bringing.flatMap(({ id, score }) =>
      (needs.get(id) ?? [])
        .flatMap((word) => givers.get(word) ?? [])
        .map((giver) => ({ ...giver, score: score - LESS, neededBy: id })),
    );
    bringing = brought.filter((tool) => {
      const isHigher = tool.score > (all.get(tool.id)?.score ?? Number.NEGATIVE_INFINITY);
      if (isHigher) all.set(tool.id, tool);
      return isHigher;
    });
  }
  return [...all.values()].toSorted(byScore);
}

/** For each tool, the index words of the tools that give the ids it needs. */
function readNeeds(layers: readonly RankedLayer[], tools: readonly RankedHit[]) {
  const positions = tools.map(({ position }) => position);
  const needing = layers.flatMap(({ place }) => definitionsAt({ ...place, positions }));
  const isLarge = layers.some(({ index }) => index.size > LARGE);
  const known = needing.filter(({ provider }) => provider || !isLarge);
  return new Map(known.map((tool) => [tool.id, neededIds(tool).map((id) => givingWord(tool, id))]));
}

/** The tools that give an id and their distances, by the index word of the id; none if too many give it. */
function readGivers(
  layers: readonly RankedLayer[],
  words: readonly string[],
  vector: readonly number[],
): Map<string, Neighbour[]> {
  const givers = new Map<string, Neighbour[]>();
  for (const { place, index, allowed } of words.length > 0 ? layers : []) {
    for (const [word, postings] of readPostings({ ...place, words })) {
      if (havingOf(postings) > MOST_GIVERS) continue;
      const positions = postings.flatMap(({ segment, entries }) =>
        Array.from(entries, (entry) => positionOf(segment, placeIn(entry))),
      );
      const ids = definitionsAt({ ...place, positions }).map(({ id }) => id);
      const found = index.distances(
        vector,
        ids.filter((id) => allowed?.has(id) ?? true),
      );
      givers.set(word, [...(givers.get(word) ?? []), ...found]);
    }
  }
  return givers;
}
