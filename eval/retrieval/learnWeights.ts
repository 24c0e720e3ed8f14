import { EVIDENCE, type Evidence } from "../../tools/library/searchWeights.js";
import type { JudgedRequest } from "./evidence.js";

/** Most steps; five to ten are usual. */
const MOST_STEPS = 50;

/** Learning ends when a step lowers the loss of a request by less than this. */
const LEAST_GAIN = 1e-7;

/** How often a step that overshoots may be halved. */
const MOST_HALVINGS = 20;

/** A number for each kind of evidence, in the order of `EVIDENCE`. */
type Vector = readonly number[];

/** A request as training data. */
interface Lesson {
  /** Its share of the mean loss. */
  share: number;
  /** The evidence of each candidate times the start weights. */
  rows: readonly Vector[];
  /** The wanted probability of each candidate. */
  targets: readonly number[];
}

/** What is minimised. */
interface Problem {
  lessons: readonly Lesson[];
  pull: number;
}

/**
 * Learns the weights of searches by listwise softmax: the probability over a request's candidates should be spread
 * evenly over the tools that it needs (Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach",
 * 2007). The loss is convex, so Newton's method finds its one minimum. Every set counts the same, however many
 * requests it has; a request none of whose tools is a candidate teaches nothing.
 *
 * @param options.start weights above 0
 * @param options.pull towards the start: half of it times the square of each weight's relative change is added to
 *   the loss of all requests together, so that few requests change little
 */
export function learnWeights(options: {
  sets: readonly (readonly JudgedRequest[])[];
  start: Evidence;
  pull: number;
}): Evidence {
  const { sets, start } = options;
  const lessons = lessonsOf(sets, start);
  const problem = { lessons, pull: options.pull / Math.max(lessons.length, 1) };
  let factors: Vector = EVIDENCE.map(() => 1);
  let loss = lossAt(problem, factors);
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const next = stepFrom(problem, factors, loss);
    if (loss - next.loss < LEAST_GAIN) break;
    ({ factors, loss } = next);
  }
  // A weight below 0 would count a match against the tool.
  const weights = EVIDENCE.map((kind, at) => [kind, start[kind] * Math.max(factors[at] ?? 1, 0)]);
  return Object.fromEntries(weights) as Evidence;
}

/** The mean of −log of the probability that some weights give to the needed tools. */
export function meanLoss(requests: readonly JudgedRequest[], weights: Evidence): number {
  const lessons = lessonsOf([requests], weights);
  return lossAt(
    { lessons, pull: 0 },
    EVIDENCE.map(() => 1),
  );
}

function lessonsOf(sets: readonly (readonly JudgedRequest[])[], start: Evidence): Lesson[] {
  const taught = sets
    .map((requests) => requests.filter(canTeach))
    .filter((requests) => requests.length > 0);
  return taught.flatMap((requests) =>
    requests.map(({ relevant, candidates }) => {
      const wanted = candidates.map(({ id }) => relevant.includes(id));
      const found = wanted.filter(Boolean).length;
      return {
        share: 1 / (requests.length * taught.length),
        rows: candidates.map(({ evidence }) =>
          EVIDENCE.map((kind) => start[kind] * evidence[kind]),
        ),
        targets: wanted.map((isWanted) => (isWanted ? 1 / found : 0)),
      };
    }),
  );
}

function canTeach({ relevant, candidates }: JudgedRequest): boolean {
  return candidates.some(({ id }) => relevant.includes(id));
}

/** A step of Newton's method, shortened if it overshoots. */
function stepFrom(problem: Problem, factors: Vector, loss: number) {
  const { gradient, curvature } = slopesAt(problem, factors);
  const direction = solve(curvature, gradient);
  for (let length = 1, halvings = 0; halvings < MOST_HALVINGS; length /= 2, halvings += 1) {
    const next = factors.map((factor, at) => factor - length * (direction[at] ?? 0));
    const nextLoss = lossAt(problem, next);
    if (nextLoss < loss) return { factors: next, loss: nextLoss };
  }
  return { factors, loss };
}

function lossAt({ lessons, pull }: Problem, factors: Vector): number {
  let loss = (pull / 2) * factors.reduce((sum, factor) => sum + (factor - 1) ** 2, 0);
  for (const { share, rows, targets } of lessons) {
    const logs = logSoftmax(rows, factors);
    for (const [at, target] of targets.entries()) {
      if (target > 0) loss -= share * target * (logs[at] ?? 0);
    }
  }
  return loss;
}

/** The first and second derivatives of the loss. */
function slopesAt({ lessons, pull }: Problem, factors: Vector) {
  const gradient = factors.map((factor) => pull * (factor - 1));
  const curvature = factors.map((_, one) => factors.map((__, other) => (one === other ? pull : 0)));
  for (const { share, rows, targets } of lessons) {
    const chances = logSoftmax(rows, factors).map(Math.exp);
    const mean = factors.map((_, one) =>
      rows.reduce((sum, row, at) => sum + (chances[at] ?? 0) * (row[one] ?? 0), 0),
    );
    for (const [at, row] of rows.entries()) {
      const chance = chances[at] ?? 0;
      const error = share * (chance - (targets[at] ?? 0));
      const spread = row.map((value, one) => value - (mean[one] ?? 0));
      for (const [one, line] of curvature.entries()) {
        gradient[one] = (gradient[one] ?? 0) + error * (row[one] ?? 0);
        const lift = share * chance * (spread[one] ?? 0);
        for (const [other, value] of spread.entries()) {
          line[other] = (line[other] ?? 0) + lift * value;
        }
      }
    }
  }
  return { gradient, curvature };
}

function logSoftmax(rows: readonly Vector[], factors: Vector): number[] {
  const scores = rows.map((row) => {
    let score = 0;
    for (const [at, value] of row.entries()) score += value * (factors[at] ?? 0);
    return score;
  });
  const best = Math.max(...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - best), 0);
  return scores.map((score) => score - best - Math.log(total));
}

/** Solves `matrix × x = right` for a symmetric positive matrix (Cholesky). */
function solve(matrix: readonly Vector[], right: Vector): number[] {
  const lower: number[][] = [];
  const cell = (row: number, column: number) => lower[row]?.[column] ?? 0;
  for (const [row, line] of matrix.entries()) {
    const values: number[] = [];
    lower.push(values);
    for (let column = 0; column <= row; column += 1) {
      let rest = line[column] ?? 0;
      for (let at = 0; at < column; at += 1) rest -= cell(row, at) * cell(column, at);
      // Evidence that no tool has, such as a provider, has no curvature: nothing is learned about it.
      values.push(row === column ? Math.sqrt(Math.max(rest, 1e-12)) : rest / cell(column, column));
    }
  }
  const forward: number[] = [];
  for (const [row, value] of right.entries()) {
    const known = forward.reduce((sum, each, at) => sum + cell(row, at) * each, 0);
    forward.push((value - known) / cell(row, row));
  }
  const solved = [...forward];
  for (let row = solved.length - 1; row >= 0; row -= 1) {
    let rest = forward[row] ?? 0;
    for (let at = row + 1; at < solved.length; at += 1) rest -= cell(at, row) * (solved[at] ?? 0);
    solved[row] = rest / cell(row, row);
  }
  return solved;
}
