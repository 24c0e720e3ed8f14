import { tokensOf } from "./names.js";
import { allWorkItems } from "./rows.js";
import type { WorkItem, WorkWorld } from "./state.js";

/** As many similar items are given at most. */
const MOST_SIMILAR = 5;

/** Items that are alike to a smaller degree than this, of 1 at most, are not similar. */
const LEAST_SIMILAR = 0.25;

/** The title says what an item is about; many texts are much the same. */
const TITLE_SHARE = 0.75;

/**
 * The items most like one item, the most similar first and older ones first among equals. How alike two
 * are is the overlap of the words of their titles, and to a quarter that of their texts (Jaccard
 * coefficients).
 */
export function similarTo(world: WorkWorld, item: WorkItem): WorkItem[] {
  return allWorkItems(world)
    .filter(({ id }) => id !== item.id)
    .map((other) => ({ other, similarity: similarity(item, other) }))
    .filter((each) => each.similarity >= LEAST_SIMILAR)
    .toSorted((left, right) => right.similarity - left.similarity)
    .slice(0, MOST_SIMILAR)
    .map(({ other }) => other);
}

function similarity(left: WorkItem, right: WorkItem): number {
  const titles = overlap(left.title, right.title);
  return TITLE_SHARE * titles + (1 - TITLE_SHARE) * overlap(left.body, right.body);
}

function overlap(left: string, right: string): number {
  const [words, others] = [new Set(tokensOf(left)), new Set(tokensOf(right))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared === 0 ? 0 : shared / new Set([...words, ...others]).size;
}
