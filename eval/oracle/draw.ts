import { inRandomOrder, randomFor } from "../statistics/random.js";

/** So many items, drawn by the seed and a purpose, in the order in which they came; all where there are no more. */
export function drawSome<Item>(
  items: readonly Item[],
  options: { count: number; seed: number; purpose: string },
): Item[] {
  const { count, seed, purpose } = options;
  const order = inRandomOrder([...items.keys()], randomFor(`${seed} ${purpose}`));
  const chosen = new Set(order.slice(0, count));
  return items.filter((_item, at) => chosen.has(at));
}

/** All items in an order drawn by the seed and a purpose: a longer part of it holds the shorter ones. */
export function drawOrder<Item>(
  items: readonly Item[],
  options: { seed: number; purpose: string },
): Item[] {
  return inRandomOrder(items, randomFor(`${options.seed} ${options.purpose}`));
}
