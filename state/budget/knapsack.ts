/** Items and a budget; each price is more than 0 and at most the budget. */
interface PriceGridInput {
  items: readonly { price: number; bound: number }[];
  budget: number;
}

/** Prices and a budget in whole cells of a table; prices in the order of the items. */
interface PriceGrid {
  prices: number[];
  budget: number;
}

/**
 * Most cells of the table, items × budget: 20 MB and less than 50 ms.
 * 200 tools and a budget of 10,000 whole units take two fifths of it.
 */
export const MOST_CELLS = 5_000_000;

/** The usual error, as a share of the budget. */
const ERROR_SHARE = 1 / 1000;

/** Prices with more decimals than this count as real numbers: they come from measurements. */
const MOST_DECIMALS = 6;

/** A tool that may get a share of the budget. */
export interface Candidate {
  tool: string;
  /** Expected usefulness of one call for this request, 0 to 1. */
  value: number;
  /** Most calls that are worth granting: the frequency bound. */
  bound: number;
  /** Units of the budget for one call. */
  price: number;
}

/** A candidate and the calls it is granted. */
export interface ToolAllowance extends Candidate {
  /** Calls granted, 0 to `bound`. */
  quota: number;
}

/** How a budget is divided among tools, in the order of the candidates. */
export interface Allowance {
  tools: ToolAllowance[];
  /** Sum of price × quota; at most the budget. */
  cost: number;
  value: number;
}

/**
 * The most valuable calls that a budget can pay: a bounded knapsack by dynamic programming, as the
 * knapsack of BTP (Zheng et al. 2024, arXiv:2402.15960).
 *
 * With f(0, j) = 0, tool i of value v, price c and bound F has
 * f(i, j) = max over 0 ≤ k ≤ F of f(i − 1, j − kc) + kv. The recurrence reads row i − 1; as printed in
 * the paper it reads the row that it writes, which buys a tool more often than F allows.
 *
 * The quotas are those of the published code, which makes F single items of each tool, replaces a cell only by a
 * strictly larger one, begins at the smallest j of the largest value and traces back from the last item: ties favour
 * the cheaper allowance, then the earlier candidates. In these terms k is the least that attains the maximum. Values
 * are counted in whole parts of about 10⁻¹² of the largest sum, so that no tie is decided by the rounding of sums.
 *
 * A free tool is granted all calls up to its bound; a tool of value 0 gets none.
 * Time and memory grow with tools × budget and not with bounds, because a sliding-window maximum fills each row. Whole and decimal prices are exact; others have the error that `priceGrid` states.
 */
export function solveKnapsack({
  candidates,
  budget,
}: {
  candidates: readonly Candidate[];
  /** 0 leaves only free tools. */
  budget: number;
}): Allowance {
  const quotas = candidates.map(({ value, bound, price }) =>
    value > 0 && price <= budget ? bound : 0,
  );
  if (costOf(candidates, quotas) > budget) {
    const items = candidates.flatMap((candidate, at) =>
      candidate.price > 0 && (quotas[at] ?? 0) > 0 ? [{ ...candidate, at }] : [],
    );
    const counts = mostValuable({ items, budget });
    items.forEach(({ at }, item) => (quotas[at] = counts[item] ?? 0));
  }
  const tools = candidates.map((candidate, at) => ({ ...candidate, quota: quotas[at] ?? 0 }));
  return {
    tools,
    // Rounding of floats may push the sum above the budget although the calls fit.
    cost: Math.min(budget, costOf(candidates, quotas)),
    value: tools.reduce((sum, { value, quota }) => sum + value * quota, 0),
  };
}

function costOf(candidates: readonly Candidate[], quotas: readonly number[]): number {
  return candidates.reduce((sum, { price }, at) => sum + price * (quotas[at] ?? 0), 0);
}

/** How often to buy each item if not all can be paid for. */
function mostValuable({ items, budget }: { items: readonly Candidate[]; budget: number }) {
  const grid = priceGrid({ items, budget });
  const values = wholeValues(items, grid.budget);
  const best = new Float64Array(grid.budget + 1);
  const rows = items.map(({ bound }, item) => {
    return addItem({ best, bound, price: grid.prices[item] ?? 0, value: values[item] ?? 0 });
  });
  let left = best.indexOf(best.at(-1) ?? 0);
  const counts = items.map(() => 0);
  for (let item = items.length - 1; item >= 0; item -= 1) {
    const count = rows[item]?.[left] ?? 0;
    counts[item] = count;
    left -= count * (grid.prices[item] ?? 0);
  }
  return counts;
}

/** Sums of whole numbers are exact up to here, with a bit to spare for rounding each. */
const MOST_EXACT = 2 ** 52;

/** Values as whole numbers, small enough that every affordable sum is exact. */
function wholeValues(items: readonly Candidate[], cells: number): number[] {
  const largest = items.reduce((most, { value }) => Math.max(most, value), 0);
  const decimals = Math.floor(Math.log10(MOST_EXACT / Math.max(1, cells) / largest));
  return items.map(({ value }) => Math.round(value * 10 ** decimals));
}

interface Row {
  /** Highest value for each number of cells, updated in place row by row. */
  best: Float64Array;
  price: number;
  value: number;
  bound: number;
}

/**
 * Adds an item in one pass, and returns how often it is bought for each number of cells. Amounts that differ by whole calls form a chain. Along it,
 * f(t) = max of g(s) + (t − s)v over t − F ≤ s ≤ t is the maximum of g(s) − sv in a sliding window,
 * kept in a queue of falling keys.
 */
function addItem({ best, price, value, bound }: Row): Uint32Array {
  const counts = new Uint32Array(best.length);
  const length = Math.ceil(best.length / price);
  const steps = new Uint32Array(length);
  const keys = new Float64Array(length);
  for (let first = 0; first < Math.min(price, best.length - price); first += 1) {
    let head = 0;
    let tail = 0;
    for (let step = 0, cell = first; cell < best.length; step += 1, cell += price) {
      const key = (best[cell] ?? 0) - step * value;
      // Of equal keys, the later one buys less.
      while (tail > head && (keys[tail - 1] ?? 0) <= key) tail -= 1;
      steps[tail] = step;
      keys[tail] = key;
      tail += 1;
      if ((steps[head] ?? 0) + bound < step) head += 1;
      best[cell] = (keys[head] ?? 0) + step * value;
      counts[cell] = step - (steps[head] ?? 0);
    }
  }
  return counts;
}

/**
 * Makes prices and budget whole numbers, which a table over the budget needs.
 *
 * - Exact if the prices are whole, or decimals that a power of ten makes whole, and the table fits into
 *   {@link MOST_CELLS}. Their greatest common divisor is one cell; the rest of the budget below one cell buys nothing
 *   and is dropped.
 * - Otherwise with λ = (N + 1) / ε as in BTP (Zheng et al. 2024, arXiv:2402.15960): prices ⌈λc⌉, budget ⌊λR⌋, where N
 *   is the most calls that the budget can pay. Calls that fit the cells fit the budget; what the cells count as left is
 *   off by less than ε; and all calls that cost at most R − ε together fit the cells, so the result is worth at least
 *   as much as the best of those. ε is {@link ERROR_SHARE} of the budget, or the least that {@link MOST_CELLS} allows if that is
 *   more.
 */
export function priceGrid(input: PriceGridInput): PriceGrid {
  return exactGrid(input) ?? roundedGrid(input);
}

function exactGrid({ items, budget }: PriceGridInput): PriceGrid | undefined {
  const scale = Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) => 10 ** decimals).find(
    (scale) => items.every(({ price }) => Math.round(price * scale) / scale === price),
  );
  if (scale === undefined) return undefined;
  const prices = items.map(({ price }) => Math.round(price * scale));
  const cell = prices.reduce(greatestCommonDivisor, 0);
  const cells = Math.floor(wholeBudget(budget, scale) / cell);
  if (items.length * (cells + 1) > MOST_CELLS) return undefined;
  return { prices: prices.map((price) => price / cell), budget: cells };
}

/** The whole parts of a unit that fit the budget: 0.29 has 29 hundredths, though 0.29 × 100 < 29. */
function wholeBudget(budget: number, scale: number): number {
  const nearest = Math.round(budget * scale);
  return nearest / scale <= budget ? nearest : nearest - 1;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

function roundedGrid({ items, budget }: PriceGridInput): PriceGrid {
  const rounded = mostCalls(items, budget) + 1;
  const mostColumns = Math.max(2, Math.floor(MOST_CELLS / items.length));
  const leastError = (rounded * budget) / (mostColumns - 1);
  const cellsPerUnit = rounded / Math.max(budget * ERROR_SHARE, leastError);
  return {
    prices: items.map(({ price }) => Math.ceil(price * cellsPerUnit)),
    budget: Math.floor(budget * cellsPerUnit),
  };
}

/** Calls if the cheapest are bought first. A partly paid call counts, because sums of floats stray. */
function mostCalls(items: PriceGridInput["items"], budget: number): number {
  let left = budget;
  let calls = 0;
  for (const { price, bound } of items.toSorted((one, other) => one.price - other.price)) {
    if (left <= 0) break;
    const bought = Math.min(bound, Math.ceil(left / price));
    calls += bought;
    left -= bought * price;
  }
  return calls;
}
