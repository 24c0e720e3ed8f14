import { InvalidSetting } from "../../common/errors.js";
import { type Allowance, type Candidate, solveKnapsack } from "./knapsack.js";

/** What past requests say about one tool; each row is a past request that called it. */
export interface ToolEvidence {
  tool: string;
  rows: readonly EvidenceRow[];
}

export interface EvidenceRow {
  /** Number of the past request, the same in the evidence of every tool. */
  query: number;
  /** Cosine between the past request and this one, −1 to 1. */
  similarity: number;
  /** Judged calls of the tool in that request. */
  calls: number;
  /** Those that were helpful. */
  helpful: number;
}

/** The temperature of the published weights, exp(cos − 1): past requests weigh between 0.14 and 1. */
export const PUBLISHED_TEMPERATURE = 1;

/**
 * Evidence whose weights become exp((similarity − 1) / T): the lower the temperature, the more similar requests
 * outweigh the others. The published weights hardly tell a related request from an unrelated one.
 */
export function sharpened(
  evidence: readonly ToolEvidence[],
  temperature: number,
): readonly ToolEvidence[] {
  if (temperature === PUBLISHED_TEMPERATURE) return evidence;
  return evidence.map(({ tool, rows }) => ({
    tool,
    rows: rows.map((row) => ({ ...row, similarity: 1 + (row.similarity - 1) / temperature })),
  }));
}

/** What one call of a tool is worth for a request, and how many calls are worth granting. */
export type ToolValue = Omit<Candidate, "price">;

export interface Valuation {
  /** As in the published code of BTP, or as in its paper: see {@link valuesOf}. */
  rounding: "code" | "paper";
  /** τ: a tool of less value gets no calls. */
  threshold: number;
}

/** The published code's value of a tool that nothing is known about. */
const PRIOR_VALUE = 0.1;

/** The prior counts as this many past calls for the very same request. */
const PRIOR_WEIGHT = 1;

/**
 * Divides a budget among tools for a request: {@link valuesOf}, then `solveKnapsack`.
 *
 * @throws {@link InvalidSetting} for a tool without a price
 */
export function allowanceOf(
  options: {
    evidence: readonly ToolEvidence[];
    /** Units for a call, by id of the tool. */
    prices: Readonly<Record<string, number>>;
    budget: number;
  } & Valuation,
): Allowance {
  const { prices, budget, ...valued } = options;
  const candidates = valuesOf(valued).map((value) => ({ ...value, price: priceOf(value, prices) }));
  return solveKnapsack({ candidates, budget });
}

/**
 * Value and frequency bound of each tool, in the order of the evidence, as BTP has them (Zheng et al.
 * 2024, arXiv:2402.15960). A past request weighs w = exp(similarity − 1); the paper's exp(similarity)
 * is the same but for a constant, which cancels wherever there is no prior.
 *
 * |          | `code`                                  | `paper`                                   |
 * | -------- | --------------------------------------- | ----------------------------------------- |
 * | value    | (Σ w·helpful + 0.1) / (Σ w·calls + 1)   | Σ w·helpful / Σ w·calls; 0.1 without rows |
 * | F of one | calls, at most 1 where none was helpful | calls                                     |
 * | bound    | 1 without rows, asked first; 0 below τ; | 0 below τ; 1 without rows;                |
 * |          | else Σ wF / Σ w rounded, halves to even | else Σ wF / Σ w rounded down              |
 *
 * "Without rows" means that no judged call of the tool is known; rows of no calls count as absent. The
 * code grants such a tool one call even if τ is higher, so that it can become known. F and its cap are
 * per tool and past request. A past request that did not call a tool says nothing about it.
 */
export function valuesOf(options: { evidence: readonly ToolEvidence[] } & Valuation): ToolValue[] {
  const { evidence, rounding, threshold } = options;
  return evidence.map(({ tool, rows }) => {
    const tally = tallyOf(rows, similarityWeight);
    const value = valueOf(tally, rounding);
    return { tool, value, bound: boundOf({ tally, value, rounding, threshold }) };
  });
}

/** Weight of a past request by similarity alone; 1 for the same request. */
export function similarityWeight({ similarity }: EvidenceRow): number {
  return Math.exp(similarity - 1);
}

/** Weighted sums over the past requests in which one tool was called. */
export interface Tally {
  /** Σ w; 0 without rows. */
  weight: number;
  /** Σ w·calls */
  calls: number;
  /** Σ w·helpful */
  helpful: number;
  /** Σ w·calls, with one call for each request in which none helped. */
  cappedCalls: number;
}

/** Adds up rows; weights must be above 0. A plain loop, as a tool may have 10⁵ rows. */
export function tallyOf(
  rows: readonly EvidenceRow[],
  weightOf: (row: EvidenceRow) => number,
): Tally {
  const tally = { weight: 0, calls: 0, helpful: 0, cappedCalls: 0 };
  for (const row of rows) {
    if (row.calls <= 0) continue;
    const weight = weightOf(row);
    tally.weight += weight;
    tally.calls += weight * row.calls;
    tally.helpful += weight * row.helpful;
    tally.cappedCalls += weight * (row.helpful > 0 ? row.calls : Math.min(row.calls, 1));
  }
  return tally;
}

/** Expected usefulness of a call, 0 to 1: see {@link valuesOf}. */
export function valueOf({ calls, helpful }: Tally, rounding: Valuation["rounding"]): number {
  if (rounding === "paper" && calls > 0) return helpful / calls;
  return (helpful + PRIOR_VALUE * PRIOR_WEIGHT) / (calls + PRIOR_WEIGHT);
}

/** Most calls worth granting to a tool of this value: see {@link valuesOf}. */
export function boundOf(options: { tally: Tally; value: number } & Valuation): number {
  const { tally, value, rounding, threshold } = options;
  const unknown = tally.weight === 0;
  if (rounding === "code" && unknown) return 1;
  if (value < threshold) return 0;
  if (unknown) return 1;
  return rounding === "code"
    ? roundHalfToEven(steady(tally.cappedCalls / tally.weight))
    : Math.floor(steady(tally.calls / tally.weight));
}

/** Makes a mean of threes exactly 3: a hair less would be rounded down to 2. */
function steady(mean: number): number {
  return Math.round(mean * 1e9) / 1e9;
}

function roundHalfToEven(amount: number): number {
  const below = Math.floor(amount);
  if (amount - below !== 0.5) return Math.round(amount);
  return below % 2 === 0 ? below : below + 1;
}

function priceOf({ tool }: ToolValue, prices: Readonly<Record<string, number>>): number {
  const price = Object.hasOwn(prices, tool) ? prices[tool] : undefined;
  if (price !== undefined) return price;
  throw new InvalidSetting({
    setting: `price of tool "${tool}"`,
    problem: "is missing",
    hint: "Give a price for each tool of the evidence",
  });
}
