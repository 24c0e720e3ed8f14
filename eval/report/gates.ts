import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { comparison } from "../summary/compare.js";
import { ALL_LEVELS, type Summary } from "../summary/summarizeRuns.js";
import { SCORERS } from "../scorers/index.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import type { RunRecord } from "../runs/runRecord.js";
import type { Scorer } from "../scorers/scorer.js";
import { formatDifference, formatFigure } from "./figureText.js";
import { findScore, rowsOfLevel, seriesName, verdictScores } from "./scores.js";

/** The least that a graph has to reach in a score; the most, for scores of which less is better. */
export interface Threshold {
  graph: string;
  score: string;
  limit: number;
}

/** A condition on an experiment, and whether it holds. */
export interface Gate {
  name: string;
  passed: boolean;
  finding: string;
}

/**
 * @throws UnknownName for a graph that is not run, or a score that there is not
 * @throws InvalidSetting for a limit that no run can meet
 */
export function requireKnown(
  thresholds: readonly Threshold[],
  { graphs, ...subject }: { graphs: readonly string[] } & Judged,
): void {
  for (const { graph, score, limit } of thresholds) {
    if (!graphs.includes(graph)) {
      throw new UnknownName({ kind: "graph of this run", wanted: graph, available: graphs });
    }
    const scorer = SCORERS.find(({ id }) => id === score);
    if (scorer) {
      requireReachable({ graph, score, limit }, scorer, subject);
      continue;
    }
    const available = SCORERS.map(({ id }) => id);
    throw new UnknownName({ kind: "score", wanted: score, available });
  }
}

interface Judged {
  tasks: readonly Task[];
  world?: Benchmark["world"];
}

/** Scores that apply to all runs of a task or to none: a run that did nothing tells which. */
const TOLD_BY_TASKS =
  "asAsked answerNumeric answerSubstring callMatch argumentMatch toolPrecision toolRecall toolF1 toolMatch passed stateMatch sideEffects pathAnswer pathExact pathEdits ownChecker".split(
    " ",
  );

const NOTHING_DONE = { status: "solved", answer: "", calls: [], searches: [], stateDiff: {} };

function appliesTo({ score }: Scorer, task: Task, world: Judged["world"]): boolean {
  const run = NOTHING_DONE as unknown as RunRecord;
  try {
    return score({ task, run, benchmark: { argumentRule: "equal", world } }) !== undefined;
  } catch {
    return true;
  }
}

/** The gate would fail whatever happens: better known before anything is spent. */
function requireReachable(
  { graph, score, limit }: Threshold,
  scorer: Scorer,
  { tasks, world }: Judged,
): void {
  const { better, unit } = scorer;
  const refuse = (problem: string, hint?: string): never => {
    const setting = `--fail-under ${graph}:${score}=${limit}`;
    const verb = better === "higher" && limit < 0 ? "miss" : "meet";
    throw new InvalidSetting({ setting, problem: `no run can ${verb} it: ${problem}`, hint });
  };
  if (TOLD_BY_TASKS.includes(score) && !tasks.some((task) => appliesTo(scorer, task, world)))
    refuse("no task says what the score compares with");
  if (better !== "none" && limit < 0) refuse("the score is never below 0");
  if (better === "lower" || unit !== "share" || limit <= 1) return;
  refuse("the score is never above 1", limit <= 100 ? `${limit} % is ${limit / 100}` : undefined);
}

/** Whether each graph, under all its variants, reaches its limits. */
export function thresholdGates(summary: Summary, thresholds: readonly Threshold[]): Gate[] {
  return thresholds.flatMap((threshold) => {
    const rows = rowsOfLevel(summary, ALL_LEVELS).filter(({ graph }) => graph === threshold.graph);
    const scorer = findScore(summary, threshold.score);
    const name = `${threshold.graph}:${threshold.score}`;
    if (!scorer || rows.length === 0) {
      return [{ name, passed: false, finding: `${name} applies to no run` }];
    }
    const { label, better, unit } = scorer;
    const isCost = better === "lower";
    const wanted = `${isCost ? "at most" : "at least"} ${formatFigure(threshold.limit, unit)}`;
    return rows.map((row): Gate => {
      const { mean = Number.NaN, low = 0, high = 0 } = row.aggregates[threshold.score] ?? {};
      const [from, to] = [low, high].map((end) => formatFigure(end, unit));
      return {
        name: `${seriesName(row)}:${threshold.score}`,
        passed: isCost ? mean <= threshold.limit + SLACK : mean >= threshold.limit - SLACK,
        finding: `${seriesName(row)}: ${label} is ${formatFigure(mean, unit)} (${from}–${to}), ${wanted} is wanted`,
      };
    });
  });
}

/** A mean of ten runs that are right in nine is .9, whatever the sum of floating-point numbers is. */
const SLACK = 1e-9;

/**
 * Whether each graph is as good as in a baseline: a graph fails if the whole 95 % interval of the difference over the
 * tasks that both have lies on the worse side.
 */
export function baselineGates(summary: Summary, baseline: Summary): Gate[] {
  const [verdict] = verdictScores(summary);
  const { scores } = comparison({ a: baseline, b: summary });
  const compared = scores.filter(({ score }) => score === verdict?.id);
  if (!verdict || compared.length === 0) {
    const finding = "the baseline has no graph, settings and tasks with a verdict in common";
    return [{ name: "baseline", passed: false, finding }];
  }
  return compared.map((each): Gate => {
    const { meanA, meanB, interval } = each;
    const [before, now] = [meanA, meanB].map((mean) => formatFigure(mean, verdict.unit));
    const ends = [interval.low, interval.high].map((end) => formatDifference(end, verdict.unit));
    return {
      name: `${seriesName(each)}:baseline`,
      passed: interval.high >= 0,
      finding: `${seriesName(each)}: ${verdict.label} was ${before} and is ${now} (difference ${ends.join(" to ")}), no worse than the baseline is wanted`,
    };
  });
}
