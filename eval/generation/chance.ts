import { hashedShare, shuffled } from "../statistics/random.js";

/** Random choices that depend only on a seed, on every machine. */
export interface Chance {
  /** A number in [0, 1). */
  number(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(range: { least: number; most: number }): number;
  /** One of the items; undefined if there are none. */
  pick<Item>(items: readonly Item[]): Item | undefined;
  /** All items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** Hexadecimal digits of a hash in one number. */
const DIGITS = 8;

/** Makes choices by hashes of a seed and a counter: good enough to draw examples. */
export function chanceOf(...seed: readonly (string | number)[]): Chance {
  let drawn = 0;
  const number = () => {
    drawn += 1;
    return hashedShare(JSON.stringify([...seed, drawn]), DIGITS);
  };
  const below = (count: number) => Math.floor(number() * count);
  return {
    number,
    whole: ({ least, most }) => least + below(most - least + 1),
    pick: (items) => (items.length > 0 ? items[below(items.length)] : undefined),
    shuffled: (items) => shuffled(items, number),
  };
}
