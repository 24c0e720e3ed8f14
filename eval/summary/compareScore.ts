import type { Task } from "../benchmarks/benchmark.js";
import type { Scorer } from "../scorers/scorer.js";
import { bootstrapInterval, type Interval } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import { FEWEST_DIFFERING, RESOLUTION, wilcoxonSignedRank } from "../statistics/wilcoxon.js";
import { taskMeans } from "./pairedTests.js";
import type { Series } from "./series.js";

/** How one task changed from experiment a to experiment b. */
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
export interface ScoreComparison {
  score: string;
  graph: string;
  variant: string;
  /** Tasks that both have. */
  tasks: number;
  meanA: number;
  meanB: number;
  /** Mean of b minus mean of a, over the tasks. */
  difference: number;
  /** 95 % bootstrap interval of the difference. */
  interval: Interval;
  /** Tasks that differ. */
  differing: number;
  /** Two-sided Wilcoxon signed-rank test. */
  p: number;
  verdict: Verdict;
  better: number;
  worse: number;
  same: number;
  /** All tasks of both, in the order of a. */
  changes: TaskChange[];
}

/** Below this p, a difference is not attributed to chance. */
const SIGNIFICANT = 0.05;

/** Undefined if no common task has the score. */
export function compareScore(options: {
  scorer: Pick<Scorer, "id" | "better">;
  tasks: readonly Pick<Task, "id" | "level">[];
  first: Series;
  second: Series;
}): ScoreComparison | undefined {
  const { scorer, first } = options;
  const changes = taskChanges(options);
  if (changes.length === 0) return undefined;
  const { differing, p } = wilcoxonSignedRank(changes.map(({ a, b }) => [a, b] as const));
  const differences = changes.map(({ a, b }) => b - a);
  const [meanA, meanB] = [mean(changes.map(({ a }) => a)), mean(changes.map(({ b }) => b))];
  const count = (wanted: Change) => changes.filter(({ change }) => change === wanted).length;
  const change = changeOf(meanA, meanB, scorer.better);
  return {
    score: scorer.id,
    graph: first.graph,
    variant: first.variant,
    tasks: changes.length,
    meanA,
    meanB,
    difference: mean(differences),
    interval: bootstrapInterval(differences.map((each) => [each])),
    differing,
    p,
    verdict: isBeyondNoise({ p, differing }) && change !== "same" ? change : "within noise",
    better: count("better"),
    worse: count("worse"),
    same: count("same"),
    changes,
  };
}

/** Whether a difference is not attributed to chance, which takes at least six differing tasks. */
export function isBeyondNoise({ p, differing }: { p: number; differing: number }): boolean {
  return p < SIGNIFICANT && differing >= FEWEST_DIFFERING;
}

/** The common tasks that have the score, in the order of the benchmark. */
function taskChanges(options: {
  scorer: Pick<Scorer, "id" | "better">;
  tasks: readonly Pick<Task, "id" | "level">[];
  first: Series;
  second: Series;
}): TaskChange[] {
  const { scorer, tasks, first, second } = options;
  const meansA = taskMeans(first.runs, scorer.id);
  const meansB = taskMeans(second.runs, scorer.id);
  return tasks.flatMap(({ id, level }) => {
    const [a, b] = [meansA.get(id), meansB.get(id)];
    if (a === undefined || b === undefined) return [];
    return [{ task: id, level, a, b, change: changeOf(a, b, scorer.better) }];
  });
}

function changeOf(a: number, b: number, better: Scorer["better"]): Change {
  if (Math.abs(b - a) <= RESOLUTION * Math.max(Math.abs(a), Math.abs(b))) return "same";
  return b > a === (better === "lower") ? "worse" : "better";
}
