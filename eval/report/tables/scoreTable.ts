import type { Aggregate, Row, Summary } from "../../summary/summary.js";
import { formatBeside, formatCount, NO_FIGURE } from "../figureText.js";
import {
  levelName,
  repetitions,
  rowsOfLevel,
  type ScoreInfo,
  seriesName,
  shownLevels,
} from "../scores.js";
import { type Cell, cell, type Column, type Table, type TableRow, textColumn } from "./table.js";

/** A row for each graph and variant at each level, with a column for each score. */
export function scoreTable(request: {
  summary: Summary;
  scores: ScoreInfo[];
  caption: string;
  /** Published figures that follow a row; `next` is undefined for the last row of its level. */
  publishedAfter: (place: { row: Row; next: Row | undefined }) => TableRow[];
}): Table {
  const { summary, scores, caption, publishedAfter } = request;
  const severalRuns = repetitions(summary) > 1;
  return {
    caption,
    grouping: "Level",
    columns: [textColumn("Graph"), ...scores.map(columnOf)],
    groups: shownLevels(summary).flatMap((level) => {
      const rows = rowsOfLevel(summary, level);
      const shown = rows.flatMap((row, index) => [
        ...(hasValue(row, scores) ? [rowOf(row, scores, severalRuns)] : []),
        ...publishedAfter({ row, next: rows[index + 1] }),
      ]);
      return shown.length === 0 ? [] : [{ heading: groupHeading(level, rows), rows: shown }];
    }),
  };
}

function hasValue({ aggregates }: Row, scores: readonly ScoreInfo[]): boolean {
  return scores.some(({ id }) => aggregates[id] !== undefined);
}

/** Whether the table has published figures. */
export function hasPublishedRows({ groups }: Table): boolean {
  return groups.some(({ rows }) => rows.some(({ published }) => published));
}

/** Says "less is better" for counts and shares; for costs it is obvious. */
function columnOf({ label, better, unit }: ScoreInfo): Column {
  const isSaid = better === "lower" && (unit === "count" || unit === "share");
  return { label, numeric: true, ...(isSaid ? { note: "less is better" } : {}) };
}

function groupHeading(level: string, rows: Row[]): string {
  const tasks = rows.reduce((most, row) => Math.max(most, row.tasks), 0);
  return `${levelName(level)} · ${formatCount(tasks)} ${tasks === 1 ? "task" : "tasks"}`;
}

function rowOf(row: Row, scores: ScoreInfo[], severalRuns: boolean): TableRow {
  const figures = scores.map(({ id, unit }) => figureCell(row.aggregates[id], unit, severalRuns));
  return { cells: [cell(seriesName(row)), ...figures] };
}

/** Mean ± deviation and the interval; for costs also the interquartile mean. */
function figureCell(
  aggregate: Aggregate | undefined,
  unit: ScoreInfo["unit"],
  severalRuns: boolean,
): Cell {
  if (!aggregate) return cell(NO_FIGURE);
  const { mean, sdOverRuns, low, high, interquartileMean } = aggregate;
  const format = (value: number) => formatBeside(value, unit, mean);
  if (unit === "usd" && mean === 0) return cell(format(mean));
  const deviation = severalRuns ? ` ± ${format(sdOverRuns)}` : "";
  const interval = `${format(low)}–${format(high)}`;
  const note = isCost(unit) ? `${interval}, iqm ${format(interquartileMean)}` : interval;
  return cell(`${format(mean)}${deviation}`, note);
}

function isCost(unit: ScoreInfo["unit"]): boolean {
  return unit === "usd" || unit === "tokens" || unit === "ms";
}
