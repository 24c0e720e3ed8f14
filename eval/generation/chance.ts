import { hashedShare } from "../statistics/random.js";

/** Choices that the same seed makes in the same way, on every machine. */
export interface Chance {
  /** A number in [0, 1). */
  number(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(range: { least: number; most: number }): number;
  /** One of the items; undefined where there are none. */
  pick<Item>(items: readonly Item[]): Item | undefined;
  /** All items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** Hexadecimal digits of a hash that make one number. */
const DIGITS = 8;

/** Makes choices by hashes of a seed and of how many choices were made: good enough to draw examples. */
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
    shuffled(items) {
      const left = [...items];
      return items.flatMap(() => left.splice(below(left.length), 1));
    },
  };
}
