import { InvalidSetting } from "../../common/errors.js";
import type { Scorer } from "../scorers/scorer.js";
import { compareScore, type ScoreComparison } from "./compareScore.js";
import { comparedScores } from "./pairedTests.js";
import { seriesOf } from "./series.js";
import type { SeriesName, Summary } from "./summary.js";

/** What changed between two experiments on the same benchmark. */
export interface Comparison {
  a: ComparedExperiment;
  b: ComparedExperiment;
  benchmark: Summary["benchmark"];
  scorers: Omit<Scorer, "score">[];
  scores: ScoreComparison[];
}

/** One of the two experiments, with what only it has. */
export interface ComparedExperiment {
  name: string;
  facts: Summary["facts"];
  offline: boolean;
  missing: number;
  onlyTasks: string[];
  onlySeries: SeriesName[];
}

/**
 * What changed from experiment a to experiment b, task by task, for each graph under the same variant
 * in both. A difference counts as better or worse where p is below 0.05 over at least six tasks that
 * differ; with fewer, no difference could be told from noise.
 *
 * @throws InvalidSetting if their benchmarks differ
 */
export function comparison({ a, b }: { a: Summary; b: Summary }): Comparison {
  requireSameBenchmark(a, b);
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

function requireSameBenchmark(a: Summary, b: Summary): void {
  if (a.benchmark.hash === b.benchmark.hash) return;
  const names = [a.benchmark.name, b.benchmark.name];
  throw new InvalidSetting({
    setting: "results to compare",
    problem:
      names[0] === names[1]
        ? `both are about a benchmark called ${names[0]}, but its tasks or tools have changed in between`
        : `the first are about the benchmark ${names[0]}, the second about ${names[1]}`,
    hint: "Compare experiments over the same benchmark, and run one of them again if it has changed",
  });
}

function comparedExperiment(one: Summary, other: Summary): ComparedExperiment {
  const { name, facts, offline, missing } = one;
  const others = new Set(other.tasks.map(({ id }) => id));
  const otherSeries = seriesOf(other.runs);
  return {
    name,
    facts,
    offline,
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
