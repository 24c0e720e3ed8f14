import { inRandomOrder, randomFor } from "../statistics/random.js";

/** At most `count` items, drawn by the seed and a purpose, in their original order. */
export function drawSome<Item>(
  items: readonly Item[],
  options: { count: number; seed: number; purpose: string },
): Item[] {
  const { count, seed, purpose } = options;
  const order = inRandomOrder([...items.keys()], randomFor(`${seed} ${purpose}`));
  const chosen = new Set(order.slice(0, count));
  return items.filter((_item, at) => chosen.has(at));
}

/** All items in an order drawn by the seed and a purpose; each longer prefix contains the shorter ones. */
export function drawOrder<Item>(
  items: readonly Item[],
  options: { seed: number; purpose: string },
): Item[] {
  return inRandomOrder(items, randomFor(`${options.seed} ${options.purpose}`));
}
