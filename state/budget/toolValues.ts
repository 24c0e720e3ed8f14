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
function similarityWeight({ similarity }: EvidenceRow): number {
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
function tallyOf(rows: readonly EvidenceRow[], weightOf: (row: EvidenceRow) => number): Tally {
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
function boundOf(options: { tally: Tally; value: number } & Valuation): number {
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

/** A call of this run; `helpful` is null if no judge could tell. */
export interface ObservedCall {
  tool: string;
  helpful: boolean | null;
}

/** A tool's value counts as much as this many verdicts of this run. */
const PRIOR_CALLS = 1;

/** Chance that a tool helps in a request that did not call it, as a share of its mean value. */
const UNCALLED_SHARE = 1 / 2;

/** The outcomes of other tools may multiply a value by at most this, or divide it by it. */
const MOST_LIFT = 2;

/**
 * Values and bounds for the rest of a run, given the outcomes of its calls so far, in the order of the
 * evidence. Goes beyond BTP (Zheng et al. 2024, arXiv:2402.15960), where a budget is divided once.
 *
 * 1. _Past requests that went like this one weigh more_, by how likely each made this run's verdicts, as in
 *    naive Bayes. Where a tool of mean value v was called, it helps with a chance p of its helpful calls
 *    smoothed by one call of value v, so that no weight becomes 0; where it was not called, p = v / 2, because
 *    it was probably not needed. A tool that was judged here multiplies the weight by (p / v)^s · ((1 − p) / (1
 *    − v))^(1 − s), s being the share of its verdicts that were helpful: calls of one tool for one request say
 *    nearly the same, so together they count once. The weights keep their sum, and so does what the prior
 *    weighs beside them.
 * 2. _A tool's own verdicts change its value directly_: it becomes the mean of the value, counted as
 *    one call, and of the verdicts. A first failure halves it. They take no part in the tool's own
 *    weights, which would count them twice and could let a failure raise its value.
 * 3. _Needed outputs are worth more_: the value is multiplied by P(tool is called) over the past requests with
 *    the new weights, divided by the same with the weights by similarity alone, within 1/2 to 2; a value never
 *    exceeds 1. Tools that went along with what has helped gain, and so do alternatives to what has failed;
 *    alternatives to what has helped lose.
 * 4. The bound follows from the new weights and value, minus the calls made here, judged or not.
 *
 * With nothing observed this is `valuesOf`. A failure never raises the value of its tool. The order of verdicts
 * does not matter. Calls of tools without evidence change nothing.
 */
export function revisedValues(
  options: { evidence: readonly ToolEvidence[]; observed: readonly ObservedCall[] } & Valuation,
): ToolValue[] {
  const { evidence, observed, rounding, threshold } = options;
  const outcomes = evidence.map((one) => outcomeOf(one, observed));
  const past = pastRequests(evidence);
  const agreements = outcomes.map((outcome) => logAgreement(outcome, past));
  const factorsOfAll = factorsBy(agreements, past);
  return outcomes.map((outcome, at) => {
    const { tool, rows, calls, helped, failed } = outcome;
    const factors = agreements[at] ? factorsBy(agreements.toSpliced(at, 1), past) : factorsOfAll;
    const before = tallyOf(rows, similarityWeight);
    const after = tallyOf(rows, (row) => {
      const factor = factors[past.places.get(row.query) ?? -1] ?? 1;
      return similarityWeight(row) * factor;
    });
    // The sum of all weights is the same before and after, so it cancels.
    const lift = before.weight > 0 ? after.weight / before.weight : 1;
    const mean =
      (PRIOR_CALLS * valueOf(after, rounding) + helped) / (PRIOR_CALLS + helped + failed);
    const value = Math.min(1, mean * Math.min(MOST_LIFT, Math.max(1 / MOST_LIFT, lift)));
    const bound = boundOf({ tally: after, value, rounding, threshold });
    return { tool, value, bound: Math.max(0, bound - calls) };
  });
}

/** What this run has seen of a tool, with its past. */
interface Outcome extends ToolEvidence {
  calls: number;
  helped: number;
  failed: number;
}

function outcomeOf(evidence: ToolEvidence, observed: readonly ObservedCall[]): Outcome {
  const calls = observed.filter(({ tool }) => tool === evidence.tool);
  return {
    ...evidence,
    calls: calls.length,
    helped: calls.filter(({ helpful }) => helpful === true).length,
    failed: calls.filter(({ helpful }) => helpful === false).length,
  };
}

/** Past requests that called any of the tools, with their weights by similarity. */
interface Past {
  /** Index of a request, by its number. */
  places: Map<number, number>;
  weights: number[];
}

function pastRequests(evidence: readonly ToolEvidence[]): Past {
  const past: Past = { places: new Map(), weights: [] };
  for (const { rows } of evidence) {
    for (const row of rows) {
      if (row.calls <= 0 || past.places.has(row.query)) continue;
      past.places.set(row.query, past.weights.length);
      past.weights.push(similarityWeight(row));
    }
  }
  return past;
}

/** Factors on the weights of past requests that follow from these verdicts: step 1. */
function factorsBy(
  agreements: readonly (Float64Array | undefined)[],
  { weights }: Past,
): Float64Array {
  const logs = new Float64Array(weights.length);
  for (const agreement of agreements) {
    if (agreement === undefined) continue;
    for (let place = 0; place < logs.length; place += 1) {
      logs[place] = (logs[place] ?? 0) + (agreement[place] ?? 0);
    }
  }
  const most = logs.reduce((one, other) => Math.max(one, other), -Infinity);
  const factors = logs.map((log) => Math.exp(log - most));
  const before = weights.reduce((sum, weight) => sum + weight, 0);
  const after = weights.reduce((sum, weight, at) => sum + weight * (factors[at] ?? 0), 0);
  return factors.map((factor) => (factor * before) / after);
}

/** Logarithms of the factors that follow from one tool's verdicts; undefined if it has none. */
function logAgreement(
  { rows, helped, failed }: Outcome,
  { places, weights }: Past,
): Float64Array | undefined {
  if (helped + failed === 0) return undefined;
  // The code's prior keeps it strictly between 0 and 1, so the quotients exist.
  const mean = valueOf(tallyOf(rows, similarityWeight), "code");
  const share = helped / (helped + failed);
  const logOf = (chance: number): number =>
    share * Math.log(chance / mean) + (1 - share) * Math.log((1 - chance) / (1 - mean));
  const logs = new Float64Array(weights.length).fill(logOf(UNCALLED_SHARE * mean));
  for (const { query, helpful, calls } of rows) {
    const place = places.get(query);
    if (place !== undefined && calls > 0) logs[place] = logOf((helpful + mean) / (calls + 1));
  }
  return logs;
}
