import { InvalidSetting } from "../../common/errors.js";
import type { Task } from "../benchmarks/benchmark.js";
import type { Scorer } from "../scorers/scorer.js";
import { bootstrapInterval } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import { FEWEST_DIFFERING, RESOLUTION, wilcoxonSignedRank } from "../statistics/wilcoxon.js";
import { comparedScores, type Series, seriesOf, taskMeans } from "./series.js";
import type { SeriesName } from "./series.js";
import type { Summary } from "./summarizeRuns.js";

/** What changed between two experiments on the same benchmark. */
export type Comparison = ReturnType<typeof comparison>;

/** One of the two experiments, with what only it has. */
export type ComparedExperiment = ReturnType<typeof comparedExperiment>;

interface TaskChange {
  task: string;
  level: string;
  /** Means over the runs of the task. */
  a: number;
  b: number;
  change: Change;
}

/** Follows the score's direction: fewer tokens are better. */
export type Change = "better" | "worse" | "same";

/** `within noise` if chance alone may explain the difference. */
export type Verdict = "better" | "worse" | "within noise";

/** One score of one graph under one variant in both experiments, over the tasks that both have. */
export type ScoreComparison = NonNullable<ReturnType<typeof compareScore>>;

/**
 * What changed from experiment a to experiment b, task by task, for each graph under the same variant
 * in both. A difference counts as better or worse where p is below 0.05 over at least six tasks that
 * differ; with fewer, no difference could be told from noise.
 *
 * @throws InvalidSetting if their benchmarks differ
 */
export function comparison({ a, b }: { a: Summary; b: Summary }) {
  requireSameBenchmark(a.benchmark, b.benchmark);
  const seriesA = seriesOf(a.runs);
  const seriesB = seriesOf(b.runs);
  const pairs = seriesA.flatMap((first) => {
    const second = seriesB.find((each) => isSameSeries(each, first));
    return second ? [{ first, second }] : [];
  });
  const scores = comparedScores([...a.runs, ...b.runs]);
  const scorers = a.scorers.filter(({ id }) => scores.includes(id));
  return {
    a: comparedExperiment(a, b),
    b: comparedExperiment(b, a),
    benchmark: a.benchmark,
    scorers,
    scores: scores.flatMap((id) =>
      pairs.flatMap(({ first, second }) => {
        const scorer = scorers.find((each) => each.id === id);
        return (scorer && compareScore({ scorer, tasks: a.tasks, first, second })) ?? [];
      }),
    ),
  };
}

/** @throws InvalidSetting if the tasks or tools of two experiments differ */
export function requireSameBenchmark(
  a: Pick<Summary["benchmark"], "name" | "hash">,
  b: Pick<Summary["benchmark"], "name" | "hash">,
): void {
  if (a.hash === b.hash) return;
  const names = [a.name, b.name];
  throw new InvalidSetting({
    setting: "results to compare",
    problem:
      names[0] === names[1]
        ? `both are about a benchmark called ${names[0]}, but its tasks or tools have changed in between`
        : `the first are about the benchmark ${names[0]}, the second about ${names[1]}`,
    hint: "Compare experiments over the same benchmark, and run one of them again if it has changed",
  });
}

function comparedExperiment(one: Summary, other: Summary) {
  const { name, facts, standIns, missing } = one;
  const others = new Set(other.tasks.map(({ id }) => id));
  const otherSeries = seriesOf(other.runs);
  return {
    name,
    facts,
    standIns,
    missing,
    onlyTasks: one.tasks.map(({ id }) => id).filter((id) => !others.has(id)),
    onlySeries: seriesOf(one.runs)
      .filter((series) => !otherSeries.some((each) => isSameSeries(each, series)))
      .map(({ graph, variant }) => ({ graph, variant })),
  };
}

function isSameSeries(a: SeriesName, b: SeriesName): boolean {
  return a.graph === b.graph && a.variant === b.variant;
}

/** Below this p, a difference is not attributed to chance. */
const SIGNIFICANT = 0.05;

/** Undefined if no common task has the score. */
function compareScore(options: {
  scorer: Pick<Scorer, "id" | "better">;
  tasks: readonly Pick<Task, "id" | "level">[];
  first: Series;
  second: Series;
}) {
  const { scorer, tasks, first, second } = options;
  const [meansA, meansB] = [first, second].map(({ runs }) => taskMeans(runs, scorer.id));
  const changes = tasks.flatMap(({ id, level }): TaskChange[] => {
    const [a, b] = [meansA?.get(id), meansB?.get(id)];
    if (a === undefined || b === undefined) return [];
    return [{ task: id, level, a, b, change: changeOf(a, b, scorer.better) }];
  });
  if (changes.length === 0) return undefined;
  const { differing, p } = wilcoxonSignedRank(changes.map(({ a, b }) => [a, b] as const));
  const differences = changes.map(({ a, b }) => b - a);
  const [meanA, meanB] = [mean(changes.map(({ a }) => a)), mean(changes.map(({ b }) => b))];
  const count = (wanted: Change) => changes.filter(({ change }) => change === wanted).length;
  const change = changeOf(meanA, meanB, scorer.better);
  const verdict: Verdict =
    isBeyondNoise({ p, differing }) && change !== "same" ? change : "within noise";
  return {
    score: scorer.id,
    graph: first.graph,
    variant: first.variant,
    /** That both have. */
    tasks: changes.length,
    meanA,
    meanB,
    difference: mean(differences),
    /** 95 % bootstrap interval of the difference. */
    interval: bootstrapInterval(differences.map((each) => [each])),
    differing,
    p,
    verdict,
    better: count("better"),
    worse: count("worse"),
    same: count("same"),
    /** All tasks of both, in the order of a. */
    changes,
  };
}

/** Whether a difference is not attributed to chance, which takes at least six differing tasks. */
export function isBeyondNoise({ p, differing }: { p: number; differing: number }): boolean {
  return p < SIGNIFICANT && differing >= FEWEST_DIFFERING;
}

function changeOf(a: number, b: number, better: Scorer["better"]): Change {
  if (Math.abs(b - a) <= RESOLUTION * Math.max(Math.abs(a), Math.abs(b))) return "same";
  return b > a === (better === "lower") ? "worse" : "better";
}
