import { sha256 } from "../../tools/library/records/hash.js";

/** A source of numbers in [0, 1). */
export type Random = () => number;

/**
 * A generator that gives the same numbers for the same seed on every machine: mulberry32 (Tommy
 * Ettinger, public domain), 32 bits of state, enough for resampling and nothing secret.
 *
 * @param seed any integer; its lowest 32 bits count
 */
export function seededRandom(seed: number): Random {
  let state = Math.trunc(seed) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Numbers that depend only on a thing's name: the same whatever else is drawn, in whatever order. */
export function randomFor(thing: string): Random {
  return seededRandom(Number.parseInt(sha256(thing).slice(0, 8), 16));
}

/** A number in [0, 1) from the first twelve hexadecimal digits of a text's hash. */
export function hashedShare(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 12), 16) / 16 ** 12;
}

/** All items in random order, by one draw for each. */
export function inRandomOrder<Item>(items: readonly Item[], random: Random): Item[] {
  const placed = items.map((item) => ({ item, place: random() }));
  return placed.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
