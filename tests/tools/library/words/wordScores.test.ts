import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LibraryWords } from "../../../../tools/library/words/openWords.js";
import { readRequest } from "../../../../tools/library/search/request.js";
import {
  NUMBERS_EACH,
  placeIn,
  positionOf,
  type Posting,
  SEGMENT,
} from "../../../../tools/library/words/wordEntries.js";
import { scoreWords } from "../../../../tools/library/words/wordScores.js";
import { randomNumbers } from "../adapter/support.js";

/** More segments than scores are measured by. */
const SEGMENTS = 24;
const LENGTHS = [3, 8, 20, 60];

describe("the words of a request in a library of some 100,000 tools", () => {
  it("bring the same tools whether or not every tool is scored", () => {
    const libraries = fc.record({
      seed: fc.integer({ min: 1, max: 2 ** 31 }),
      shares: fc.array(fc.constantFrom(0.00002, 0.0005, 0.01, 0.2, 0.7), {
        minLength: 1,
        maxLength: 7,
      }),
      count: fc.constantFrom(1, 10, 100),
    });
    fc.assert(
      fc.property(libraries, ({ seed, shares, count }) => {
        const { words, positions } = libraryOf({ seed, shares });
        const terms = new Map(shares.map((_, word) => [`w${word}`, 1]));
        const request = { ...readRequest(""), terms };
        const { best, evidence } = scoreWords({ words, request, count });
        const all = positions
          .map((position) => ({ position, score: evidence(position).words }))
          .toSorted((one, other) => other.score - one.score || one.position - other.position);
        expect(best).toEqual(all.slice(0, count).map(({ position }) => position));
      }),
      { numRuns: 12 },
    );
  });

  it("are measured against all tools, whichever of them were looked at", () => {
    const { words, positions } = libraryOf({ seed: 7, shares: [0.3, 0.02] });
    const request = { ...readRequest(""), terms: new Map([["w0", 1]]) };
    const { evidence } = scoreWords({ words, request, count: 10 });
    const scores = positions.map((position) => evidence(position).words);
    const without = (words.tools - positions.length) * evidence(unsaid(positions)).words;
    const mean = (scores.reduce((sum, each) => sum + each, 0) + without) / words.tools;
    expect(Math.abs(mean)).toBeLessThan(0.01);
  });
});

/** A position that no list has. */
function unsaid(positions: readonly number[]): number {
  const said = new Set(positions);
  return Array.from({ length: SEGMENT }, (_, at) => at).find((at) => !said.has(at)) ?? 0;
}

/** A library in which each word is in a share of the tools, chosen by a seed. */
function libraryOf({ seed, shares }: { seed: number; shares: readonly number[] }) {
  const random = randomNumbers(seed);
  const segments = new Map<number, Float32Array>();
  for (let segment = 0; segment < SEGMENTS; segment += 1) {
    const numbers = new Float32Array(SEGMENT * NUMBERS_EACH);
    for (let at = 0; at < SEGMENT; at += 1) {
      numbers[at * NUMBERS_EACH] = 1 + (LENGTHS[Math.floor(random() * LENGTHS.length)] ?? 0);
    }
    segments.set(segment, numbers);
  }
  const postings = new Map<string, Posting[]>();
  const positions = new Set<number>();
  for (const [word, share] of shares.entries()) {
    const lists = [...segments.keys()].map((segment) => ({
      segment,
      entries: entriesOf(share, random),
    }));
    for (const { segment, entries } of lists)
      for (const entry of entries) positions.add(positionOf(segment, placeIn(entry)));
    postings.set(`w${word}`, lists);
  }
  const words: LibraryWords = {
    tools: SEGMENTS * SEGMENT,
    meanLength: 20,
    segments,
    postings: (wanted) =>
      new Map(
        wanted.flatMap((word) => (postings.has(word) ? [[word, postings.get(word) ?? []]] : [])),
      ),
  };
  return { words, positions: [...positions] };
}

/** Entries that count once or more in the lower fields. */
function entriesOf(share: number, random: () => number): Uint32Array {
  const entries: number[] = [];
  for (let at = 0; at < SEGMENT; at += 1) {
    if (random() < share) entries.push(at | ((1 + Math.floor(random() * 200)) << 12));
  }
  return Uint32Array.from(entries);
}
