import {
  type EvidenceRow,
  type ToolEvidence,
  type ToolValue,
  type Valuation,
  boundOf,
  similarityWeight,
  tallyOf,
  valueOf,
} from "./toolValues.js";

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
    const after = tallyOf(rows, (row) => similarityWeight(row) * factorOf(row, past, factors));
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

function factorOf({ query }: EvidenceRow, { places }: Past, factors: Float64Array): number {
  return factors[places.get(query) ?? -1] ?? 1;
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
