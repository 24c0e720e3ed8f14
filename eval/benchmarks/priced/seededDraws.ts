import { inRandomOrder, type Random, randomFor } from "../../statistics/random.js";

/**
 * Draws for one thing: they do not depend on other things or their order.
 *
 * @param about the seed, then the name of the thing
 */
export function drawsFor(...about: readonly (string | number)[]): Random {
  return randomFor(about.join("\n"));
}

/** @throws RangeError if there is nothing to choose from */
export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const [chosen] = someOf(items, { count: 1, random });
  if (chosen === undefined) throw new RangeError("there is nothing to choose from");
  return chosen;
}

/** At most `count` different items in random order. */
export function someOf<Item>(
  items: readonly Item[],
  { count, random }: { count: number; random: Random },
): Item[] {
  return inRandomOrder(items, random).slice(0, count);
}

/** A uniform draw between two numbers. */
export function between({ least, most }: { least: number; most: number }, random: Random): number {
  return least + random() * (most - least);
}

/** A whole number, including both ends. */
export function wholeBetween(range: { least: number; most: number }, random: Random): number {
  return Math.floor(between({ least: range.least, most: range.most + 1 }, random));
}
