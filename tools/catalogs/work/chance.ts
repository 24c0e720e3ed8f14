/** Random choices, the same for the same seed. */
export interface Chance {
  /** A whole number from 0 to below `end`; 0 if `end` is not above 0. */
  below: (end: number) => number;
  one: <Value>(values: readonly Value[]) => Value;
  /** Different values in random order. */
  some: <Value>(values: readonly Value[], count: number) => Value[];
  happens: (probability: number) => boolean;
}

/** @param seed any whole number */
export function chanceFrom(seed: number): Chance {
  const next = mulberry32(seed);
  const below = (end: number) => Math.floor(next() * Math.max(0, end));
  return {
    below,
    one: (values) => values[below(values.length)] as (typeof values)[number],
    some(values, count) {
      const left = [...values];
      const chosen = Array.from({ length: Math.min(count, left.length) }, () =>
        left.splice(below(left.length), 1),
      );
      return chosen.flat();
    },
    happens: (probability) => next() < probability,
  };
}

/** Tommy Ettinger's generator of 32-bit numbers; returns numbers from 0 to below 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
