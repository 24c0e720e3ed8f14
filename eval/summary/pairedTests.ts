import { mean } from "../statistics/descriptive.js";
import { pairedTest } from "../statistics/wilcoxon.js";
import { type Series, valuesByTask } from "./series.js";
import type { PairedTest, ScoredRun } from "./summary.js";

/**
 * Scores that say whether a run was right, the strictest first. Which of them apply depends on what a benchmark
 * provides: a change of a world, answers, facts and a budget, gold calls.
 */
export const STRICTEST_FIRST: readonly string[] = [
  "stateMatch",
  "answerNumeric",
  "passedWithinBudget",
  "passed",
  "callMatch",
];

/** The cost that is compared with correctness; unlike dollars, it is known for every model. */
const COST = "totalTokens";

/** The scores for comparing graphs: the verdicts that apply to some run, and tokens. */
export function comparedScores(runs: readonly ScoredRun[]): string[] {
  return [...STRICTEST_FIRST, COST].filter((score) =>
    runs.some(({ scores }) => scores[score] !== undefined),
  );
}

/**
 * Tests between all graphs under the same variant of the settings, and between all variants of the same graph, over
 * the tasks that both have. The p-values are not corrected for the number of tests.
 */
export function pairedTests(options: {
  series: readonly Series[];
  scores: readonly string[];
}): PairedTest[] {
  const { series, scores } = options;
  return scores.flatMap((score) => {
    const means = series.map(({ runs }) => taskMeans(runs, score));
    return series.flatMap((a, index) =>
      series.slice(index + 1).flatMap((b, offset): PairedTest[] => {
        if (a.variant !== b.variant && a.graph !== b.graph) return [];
        const [first, second] = [means[index], means[index + 1 + offset]];
        const test = first && second && pairedTest(first, second);
        return test && test.pairs > 0 ? [{ score, a: nameOf(a), b: nameOf(b), ...test }] : [];
      }),
    );
  });
}

/** The mean of a score for each task. */
export function taskMeans(runs: readonly ScoredRun[], score: string): Map<string, number> {
  return new Map([...valuesByTask(runs, score)].map(([task, values]) => [task, mean(values)]));
}

function nameOf({ graph, variant }: Series): PairedTest["a"] {
  return { graph, variant };
}
