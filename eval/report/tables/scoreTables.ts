import type { Aggregate, Row, Summary } from "../../summary/summary.js";
import { formatBeside, formatCount, formatFigure, NO_FIGURE } from "../numbers.js";
import { publishedFigures } from "../paper.js";
import {
  findScore,
  levelName,
  repetitions,
  rowsOfLevel,
  type ScoreInfo,
  seriesName,
  shownLevels,
} from "../scores.js";
import { type Cell, cell, type Column, type Table, type TableRow } from "./table.js";

/**
 * Scores of the first table, in the order of the paper's own: what was right, how well tools were
 * chosen, what it cost.
 */
const MAIN_SCORES = [
  "stateMatch",
  "sideEffects",
  "answerSubstring",
  "answerNumeric",
  "answerCorrected",
  "passed",
  "passedWithinBudget",
  "overBudget",
  "callMatch",
  "argumentMatch",
  "irrelevance",
  "toolPrecision",
  "toolRecall",
  "toolF1",
  "usd",
  "totalTokens",
];

/** The table in the layout of the paper, with its published figures where they apply. */
export function mainTable(summary: Summary): Table {
  const scores = MAIN_SCORES.flatMap((id) => findScore(summary, id) ?? []);
  return scoreTable({ summary, scores, caption: "Results by level and graph" });
}

/** The table has figures of others. */
export function hasPublishedRows({ groups }: Table): boolean {
  return groups.some(({ rows }) => rows.some(({ published }) => published));
}

/** The scores that the first table leaves out; absent where it has them all. */
export function furtherTable(summary: Summary): Table | undefined {
  const scores = summary.scorers.filter(
    ({ id }) => !MAIN_SCORES.includes(id) && findScore(summary, id),
  );
  if (scores.length === 0) return undefined;
  return scoreTable({ summary, scores, caption: "Further scores by level and graph" });
}

function scoreTable(request: { summary: Summary; scores: ScoreInfo[]; caption: string }): Table {
  const { summary, scores, caption } = request;
  const severalRuns = repetitions(summary) > 1;
  return {
    caption,
    grouping: "Level",
    columns: [{ label: "Graph", numeric: false }, ...scores.map(columnOf)],
    groups: shownLevels(summary).map((level) => {
      const rows = rowsOfLevel(summary, level);
      return {
        heading: groupHeading(level, rows),
        rows: rows.flatMap((row, index) => [
          rowOf({ row, scores, severalRuns }),
          ...(rows[index + 1]?.graph === row.graph ? [] : publishedRows({ summary, row, scores })),
        ]),
      };
    }),
  };
}

/** Fewer is not better in all counts, as it is in costs, so that it has to be said. */
function columnOf({ label, better, unit }: ScoreInfo): Column {
  const isSaid = better === "lower" && (unit === "count" || unit === "share");
  return { label, numeric: true, ...(isSaid ? { note: "less is better" } : {}) };
}

function groupHeading(level: string, rows: Row[]): string {
  const tasks = rows.reduce((most, row) => Math.max(most, row.tasks), 0);
  return `${levelName(level)} · ${formatCount(tasks)} ${tasks === 1 ? "task" : "tasks"}`;
}

function rowOf(request: { row: Row; scores: ScoreInfo[]; severalRuns: boolean }): TableRow {
  const { row, scores, severalRuns } = request;
  const figures = scores.map(({ id, unit }) =>
    figureCell({ aggregate: row.aggregates[id], unit, severalRuns }),
  );
  return { cells: [cell(seriesName(row)), ...figures] };
}

/** Mean ± deviation, and the interval; for costs the interquartile mean, too. */
function figureCell(request: {
  aggregate: Aggregate | undefined;
  unit: ScoreInfo["unit"];
  severalRuns: boolean;
}): Cell {
  const { aggregate, unit, severalRuns } = request;
  if (!aggregate) return cell(NO_FIGURE);
  const { mean, sdOverRuns, low, high, interquartileMean } = aggregate;
  const format = (value: number) => formatBeside(value, unit, mean);
  if (unit === "usd" && mean === 0) return cell(format(mean));
  const deviation = severalRuns ? ` ± ${format(sdOverRuns)}` : "";
  const interval = `${format(low)}–${format(high)}`;
  const note = isCost(unit) ? `${interval}, iqm ${format(interquartileMean)}` : interval;
  return cell(`${format(mean)}${deviation}`, note);
}

/** What the paper published for this graph and level, under the columns that it belongs to. */
function publishedRows(request: { summary: Summary; row: Row; scores: ScoreInfo[] }): TableRow[] {
  const { summary, row, scores } = request;
  const { graph, level } = row;
  const figures = publishedFigures({ benchmark: summary.benchmark.name, graph, level });
  return figures.flatMap(({ model, correctness, usd }) => {
    const published: Record<string, string> = {
      answerSubstring: formatFigure(correctness, "share"),
      ...(usd === undefined ? {} : { usd: formatFigure(usd, "usd") }),
    };
    const cells = scores.map(({ id }) => cell(published[id] ?? ""));
    // Nothing was published of the scores of some tables.
    const isEmpty = cells.every(({ text }) => text === "");
    return isEmpty ? [] : [{ published: true, cells: [cell(`published: ${model}`), ...cells] }];
  });
}

function isCost(unit: ScoreInfo["unit"]): boolean {
  return unit === "usd" || unit === "tokens" || unit === "ms";
}
