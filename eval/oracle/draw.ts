import { sha256 } from "../../tools/library/hash.js";
import { type Random, seededRandom } from "../statistics/random.js";

/** So many items, drawn by the seed and a purpose, in the order in which they came; all where there are no more. */
export function drawSome<Item>(
  items: readonly Item[],
  options: { count: number; seed: number; purpose: string },
): Item[] {
  const { count, seed, purpose } = options;
  const positions = shuffled([...items.keys()], randomFor(seed, purpose)).slice(0, count);
  const chosen = new Set(positions);
  return items.filter((_item, at) => chosen.has(at));
}

/** All items in an order drawn by the seed and a purpose: a longer part of it holds the shorter ones. */
export function drawOrder<Item>(
  items: readonly Item[],
  options: { seed: number; purpose: string },
): Item[] {
  return shuffled(items, randomFor(options.seed, options.purpose));
}

function randomFor(seed: number, purpose: string): Random {
  return seededRandom(Number.parseInt(sha256(`${seed} ${purpose}`).slice(0, 8), 16));
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item);
}
