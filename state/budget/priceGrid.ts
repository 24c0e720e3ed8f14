import { InvalidSetting } from "../../common/errors.js";

/** Items and a budget; each price is more than 0 and at most the budget. */
interface PriceGridInput {
  items: readonly { price: number; bound: number }[];
  budget: number;
  /** Most of the budget, in units, that rounding may waste; {@link ERROR_SHARE} if absent. */
  maxError?: number;
}

/** Prices and a budget in whole cells of a table; prices in the order of the items. */
interface PriceGrid {
  prices: number[];
  budget: number;
  /** λ: cells that stand for one unit of the budget. */
  cellsPerUnit: number;
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

/**
 * Makes prices and budget whole numbers, which a table over the budget needs.
 *
 * - Exact if the prices are whole, or decimals that a power of ten makes whole, and the table fits into
 *   {@link MOST_CELLS}. Their greatest common divisor is one cell; the rest of the budget below one cell buys nothing
 *   and is dropped.
 * - Otherwise with λ = (N + 1) / ε as in BTP (Zheng et al. 2024, arXiv:2402.15960): prices ⌈λc⌉, budget ⌊λR⌋, where N
 *   is the most calls that the budget can pay. Calls that fit the cells fit the budget; what the cells count as left is
 *   off by less than ε; and all calls that cost at most R − ε together fit the cells, so the result is worth at least
 *   as much as the best of those. ε is `maxError`, else {@link ERROR_SHARE} of the budget, or the least that {@link
 *   MOST_CELLS} allows if that is more.
 *
 * @throws {@link InvalidSetting} for a `maxError` that is not above 0 or needs too large a table
 */
export function priceGrid(input: PriceGridInput): PriceGrid {
  checkError(input.maxError);
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
  return {
    prices: prices.map((price) => price / cell),
    budget: cells,
    cellsPerUnit: scale / cell,
  };
}

/** The whole parts of a unit that fit the budget: 0.29 has 29 hundredths, though 0.29 × 100 < 29. */
function wholeBudget(budget: number, scale: number): number {
  const nearest = Math.round(budget * scale);
  return nearest / scale <= budget ? nearest : nearest - 1;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

function roundedGrid({ items, budget, maxError }: PriceGridInput): PriceGrid {
  const rounded = mostCalls(items, budget) + 1;
  const mostColumns = Math.max(2, Math.floor(MOST_CELLS / items.length));
  const leastError = (rounded * budget) / (mostColumns - 1);
  if (maxError !== undefined && maxError < leastError) {
    throw new InvalidSetting({
      setting: "maxError",
      problem: `${maxError} is too small for ${items.length} tools and a budget of ${budget}`,
      hint: `Give ${leastError.toPrecision(3)} or more`,
    });
  }
  const cellsPerUnit = rounded / (maxError ?? Math.max(budget * ERROR_SHARE, leastError));
  return {
    prices: items.map(({ price }) => Math.ceil(price * cellsPerUnit)),
    budget: Math.floor(budget * cellsPerUnit),
    cellsPerUnit,
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

function checkError(maxError: number | undefined): void {
  if (maxError === undefined || (maxError > 0 && Number.isFinite(maxError))) return;
  throw new InvalidSetting({
    setting: "maxError",
    problem: `${maxError} is not an amount above 0`,
    hint: "Give units of the budget, or leave it out",
  });
}
