import { STRICTEST_FIRST } from "../summary/series.js";
import type { Scorer } from "../scorers/scorer.js";
import { ALL_LEVELS, type Row, type Summary } from "../summary/summarizeRuns.js";
import type { ScoredRun, SeriesName } from "../summary/series.js";

/** What reports show of a scorer. */
export type ScoreInfo = Omit<Scorer, "score">;

/** For tasks that no tool can solve, calling none is right. */
const VERDICTS = [...STRICTEST_FIRST, "irrelevance"];

/** The verdicts that apply to runs of this experiment, the strictest first. */
export function verdictScores(summary: Summary): ScoreInfo[] {
  return VERDICTS.flatMap((id) => findScore(summary, id) ?? []);
}

/** The id of the strictest verdict that applies to a run; undefined if none does. */
export function verdictNameOf(run: ScoredRun): string | undefined {
  return VERDICTS.find((score) => run.scores[score] !== undefined);
}

/** Whether a run was right: the strictest verdict that applies to it; undefined if none does. */
export function verdictOf(run: ScoredRun): number | undefined {
  const id = verdictNameOf(run);
  return id === undefined ? undefined : run.scores[id];
}

/** The scorer with that id, if it applies to some run of the experiment. */
export function findScore(summary: Summary, id: string): ScoreInfo | undefined {
  const applies = summary.rows.some((row) => row.aggregates[id] !== undefined);
  return applies ? summary.scorers.find((scorer) => scorer.id === id) : undefined;
}

/** The cost for comparisons: dollars if they are known for every run and not all 0, else tokens. */
export function costScore(summary: Summary): ScoreInfo | undefined {
  const rows = rowsOfLevel(summary, ALL_LEVELS);
  const known = rows.every((row) => row.aggregates["usd"]?.runs === row.runs);
  const paid = rows.some((row) => (row.aggregates["usd"]?.mean ?? 0) > 0);
  return findScore(summary, known && paid ? "usd" : "totalTokens");
}

/** The rows of a level, in the order of the experiment. */
export function rowsOfLevel(summary: Summary, level: string): Row[] {
  return summary.rows.filter((row) => row.level === level);
}

/** The rows of a level to which a score applies, each with its figure. */
export function figuresOf(summary: Summary, { id }: ScoreInfo, level = ALL_LEVELS) {
  return rowsOfLevel(summary, level).flatMap((row) => {
    const figure = row.aggregates[id];
    return figure ? [{ row, ...figure }] : [];
  });
}

/** The levels to show: those of the benchmark and all together, or only the latter if there is one level. */
export function shownLevels(summary: Summary): string[] {
  const own = summary.levels.filter((level) => level !== ALL_LEVELS);
  return own.length > 1 ? [...own, ALL_LEVELS] : [ALL_LEVELS];
}

/** A level in words. */
export function levelName(level: string): string {
  return level === ALL_LEVELS ? "all tasks" : level;
}

/** A graph with the settings that distinguish it within the experiment. */
export function seriesName({ graph, variant }: SeriesName): string {
  return variant === "" ? graph : `${graph} · ${variant}`;
}

/** How often each task was run. */
export function repetitions(summary: Summary): number {
  return summary.runs.reduce((most, { record }) => Math.max(most, record.run), 0);
}
