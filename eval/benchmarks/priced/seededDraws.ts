import { inRandomOrder, type Random, randomFor } from "../../statistics/random.js";

/**
 * Draws that belong to one thing alone: what is drawn for it stays the same, however many other things
 * there are and in whatever order they come.
 *
 * @param about names the thing, the seed first
 */
export function drawsFor(...about: readonly (string | number)[]): Random {
  return randomFor(about.join("\n"));
}

/** @throws RangeError when there is nothing to choose from */
export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const [chosen] = someOf(items, { count: 1, random });
  if (chosen === undefined) throw new RangeError("there is nothing to choose from");
  return chosen;
}

/** Different items in random order; all of them where there are no more than wanted. */
export function someOf<Item>(
  items: readonly Item[],
  { count, random }: { count: number; random: Random },
): Item[] {
  return inRandomOrder(items, random).slice(0, count);
}

/** Evenly between two numbers. */
export function between({ least, most }: { least: number; most: number }, random: Random): number {
  return least + random() * (most - least);
}

/** A whole number, both ends included. */
export function wholeBetween(range: { least: number; most: number }, random: Random): number {
  return Math.floor(between({ least: range.least, most: range.most + 1 }, random));
}
