import { givingWord, neededIds } from "./ids.js";
import type { Hit } from "./nearest.js";
import { byScore, type Ranked, type RankedLayer } from "./rank.js";
import { definitionsAt } from "./records.js";
import type { Neighbour } from "./searchIndex.js";
import { havingOf, placeIn, positionOf, readPostings } from "./wordIndex.js";

/** A ranked tool, and why it stands where it does. */
export type RankedHit = Omit<Ranked, "evidence"> & Pick<Hit, "evidence" | "neededBy" | "twinOf">;

/** Hits that bring what they need; those behind them are rarely wanted themselves. */
const BRINGING = 10;

/** A tool that is brought brings what it needs, and no more comes of those. */
const STEPS = 2;

/** Where more tools give an id, it is not clear which of them are needed. */
const MOST_GIVERS = 3;

/** In a larger library, ids of one name are of different things unless one provider has them. */
const LARGE = 1000;

/**
 * By how much a tool that is brought scores less than the one that needs it. Chosen on public sets: smaller values
 * put it before tools that requests ask for, larger ones find less.
 */
const LESS = 1.25;

/** What shows that a request states ids itself. */
const STATED = /\b(?:ids?|tokens?|keys?)\b|#\d+|\b\d{6,}\b|\b[\da-f]{8}-[\da-f]{4}/iu;

/**
 * Puts tools that give the ids which others ask for close behind these, marked by `neededBy`: no request for
 * `delete_event` says what `search_events` has to find before. One that states an id itself brings none.
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
    const givers = readGivers({ layers, words: [...needs.values()].flat(), vector });
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

/** For each tool the words of its ids' givers. */
function readNeeds(layers: readonly RankedLayer[], tools: readonly RankedHit[]) {
  const positions = tools.map(({ position }) => position);
  const needing = layers.flatMap(({ place }) => definitionsAt({ ...place, positions }));
  const isLarge = layers.some(({ index }) => index.size > LARGE);
  const known = needing.filter(({ provider }) => provider || !isLarge);
  return new Map(known.map((tool) => [tool.id, neededIds(tool).map((id) => givingWord(tool, id))]));
}

/** The tools that give an id, by its word, and how far they are; none where many do. */
function readGivers(options: {
  layers: readonly RankedLayer[];
  words: readonly string[];
  vector: readonly number[];
}): Map<string, Neighbour[]> {
  const { layers, words, vector } = options;
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
