import type { ToolEvidence } from "./evidence.js";
import {
  type ToolValue,
  type Valuation,
  type WeightedRow,
  boundOf,
  valueOf,
  weightedRows,
} from "./values.js";

/** A call of this run; null where no judge could tell whether it was helpful. */
export interface ObservedCall {
  tool: string;
  helpful: boolean | null;
}

/** Calls that a tool's value counts as beside this run's verdicts: as many as the prior of values. */
const PRIOR_CALLS = 1;

/** How likely a tool is to help in a request that did not call it, as a share of its mean. */
const UNCALLED_SHARE = 1 / 2;

/** How much the outcomes of other tools may raise a value, and by one over this they may lower it. */
const MOST_LIFT = 2;

/**
 * Values and bounds for what is left of a run whose first calls were seen, in the order of the
 * evidence. Goes beyond BTP (Zheng et al. 2024, arXiv:2402.15960), where a plan is made once.
 *
 * 1. _Past requests that went like this one weigh more_, by how likely each made this run's verdicts,
 *    as in naive Bayes. Where a tool of mean value v was called, it helps with a chance p of its
 *    helpful calls smoothed by one call of value v, so that no weight becomes 0; where it was not
 *    called, p = v / 2, for it was probably not needed. A tool that was judged here multiplies the
 *    weight by (p / v)^s · ((1 − p) / (1 − v))^(1 − s), s being the share of its verdicts that were
 *    helpful: calls of one tool for one request say nearly the same again, and so count once
 *    together. The weights keep their sum, and so does what the prior weighs beside them.
 * 2. _A tool's own verdicts change its value directly_: it becomes the mean of the value, counted as
 *    one call, and of the verdicts. A first failure halves it. They take no part in the tool's own
 *    weights, which would count them twice and could let a failure raise its value.
 * 3. _Needed outputs are worth more_: the value is multiplied by P(tool is called) over the past
 *    requests weighted anew, divided by the same over those weighted by similarity alone, within 1/2
 *    to 2 and never above a value of 1. What went along with that which has helped gains, and so does
 *    an alternative of what has failed; an alternative of what has helped loses.
 * 4. The bound is that of the new weights and value, less the calls made here, judged or not.
 *
 * With nothing observed this is `valuesOf`. A failure never raises the value of its tool. Verdicts are
 * counted, so that their order does not matter. Calls of tools without evidence change nothing.
 */
export function replannedValues(
  options: {
    evidence: readonly ToolEvidence[];
    observed: readonly ObservedCall[];
  } & Valuation,
): ToolValue[] {
  const { evidence, observed, rounding, threshold } = options;
  const outcomes = evidence.map((one) => outcomeOf(one, observed));
  const judged = outcomes.filter(({ helped, failed }) => helped + failed > 0);
  const past = pastRequests(outcomes);
  const factorsOfAll = factorsBy(judged, past);
  return outcomes.map((outcome) => {
    const { tool, rows, calls } = outcome;
    const factors = judged.includes(outcome)
      ? factorsBy(
          judged.filter((other) => other !== outcome),
          past,
        )
      : factorsOfAll;
    const reweighted = rows.map((row) => ({
      ...row,
      weight: row.weight * (factors.get(row.query) ?? 1),
    }));
    const expected = valueOf({ rows: reweighted, rounding });
    const lift = liftBetween(rows, reweighted);
    const value = Math.min(1, lift * meanWithVerdicts(expected, outcome));
    const bound = boundOf({ rows: reweighted, value, rounding, threshold });
    return { tool, value, bound: Math.max(0, bound - calls) };
  });
}

/** What this run has seen of a tool, beside its past, weighted by similarity. */
interface Outcome {
  tool: string;
  rows: WeightedRow[];
  calls: number;
  helped: number;
  failed: number;
}

function outcomeOf({ tool, rows }: ToolEvidence, observed: readonly ObservedCall[]): Outcome {
  const calls = observed.filter((call) => call.tool === tool);
  return {
    tool,
    rows: weightedRows(rows),
    calls: calls.length,
    helped: calls.filter(({ helpful }) => helpful === true).length,
    failed: calls.filter(({ helpful }) => helpful === false).length,
  };
}

/** Past requests that called any of the tools, by number, with their weights by similarity. */
function pastRequests(outcomes: readonly Outcome[]): Map<number, number> {
  return new Map(outcomes.flatMap(({ rows }) => rows.map(({ query, weight }) => [query, weight])));
}

/** What the weights of past requests are multiplied by for what these tools did here: step 1. */
function factorsBy(judged: readonly Outcome[], past: Map<number, number>): Map<number, number> {
  if (judged.length === 0) return new Map();
  const logs = new Map([...past.keys()].map((query) => [query, 0]));
  for (const outcome of judged) {
    const { called, uncalled } = logAgreement(outcome);
    for (const [query, log] of logs) logs.set(query, log + (called.get(query) ?? uncalled));
  }
  const most = [...logs.values()].reduce((one, other) => Math.max(one, other), -Infinity);
  const raw = new Map([...logs].map(([query, log]) => [query, Math.exp(log - most)]));
  const before = sum([...past.values()]);
  const after = sum([...past].map(([query, weight]) => weight * (raw.get(query) ?? 0)));
  return new Map([...raw].map(([query, factor]) => [query, (factor * before) / after]));
}

/** Logarithms of what one tool's verdicts multiply weights by, where it was called and where not. */
function logAgreement(outcome: Outcome): { called: Map<number, number>; uncalled: number } {
  const { rows, helped, failed } = outcome;
  // With the code's prior it lies strictly between 0 and 1, as quotients need it.
  const mean = valueOf({ rows, rounding: "code" });
  const share = helped / (helped + failed);
  const logOf = (chance: number): number =>
    share * Math.log(chance / mean) + (1 - share) * Math.log((1 - chance) / (1 - mean));
  return {
    called: new Map(
      rows.map(({ query, helpful, calls }) => [query, logOf((helpful + mean) / (calls + 1))]),
    ),
    uncalled: logOf(UNCALLED_SHARE * mean),
  };
}

function meanWithVerdicts(expected: number, { helped, failed }: Outcome): number {
  return (PRIOR_CALLS * expected + helped) / (PRIOR_CALLS + helped + failed);
}

/** Step 3. All weights have the same sum before and after, which the quotient therefore leaves out. */
function liftBetween(before: readonly WeightedRow[], after: readonly WeightedRow[]): number {
  if (before.length === 0) return 1;
  const lift = sum(after.map(({ weight }) => weight)) / sum(before.map(({ weight }) => weight));
  return Math.min(MOST_LIFT, Math.max(1 / MOST_LIFT, lift));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
