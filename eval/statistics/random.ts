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
