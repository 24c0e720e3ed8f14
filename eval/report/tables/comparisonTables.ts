import type { Comparison } from "../../summary/compare.js";
import type { ScoreComparison } from "../../summary/compareScore.js";
import {
  formatBeside,
  formatCount,
  formatDifference,
  formatFigure,
  formatP,
} from "../figureText.js";
import { type ScoreInfo, seriesName } from "../scores.js";
import { cell, column, row, type Table, textColumn } from "./table.js";

/** Every score of every graph in both experiments, with the difference and its verdict. */
export function verdictsTable({ scorers, scores }: Comparison): Table {
  const known = scorers.filter(({ id }) => scores.some(({ score }) => score === id));
  return {
    caption: "Means over the tasks that both have",
    grouping: "Score",
    columns: [
      textColumn("Graph"),
      column("A"),
      column("B"),
      column("B − A"),
      column("p"),
      column("Tasks"),
      column("Better"),
      column("Worse"),
      textColumn("Verdict"),
    ],
    groups: known.map((scorer) => ({
      heading: scorer.label,
      rows: scores
        .filter(({ score }) => score === scorer.id)
        .map((each) => verdictRow(each, scorer)),
    })),
  };
}

function verdictRow(comparison: ScoreComparison, { unit }: ScoreInfo) {
  const { meanA, meanB, difference, interval, p, tasks, better, worse, verdict } = comparison;
  const ends = [interval.low, interval.high].map((end) => formatDifference(end, unit));
  return row([
    seriesName(comparison),
    formatFigure(meanA, unit),
    formatBeside(meanB, unit, meanA),
    cell(formatDifference(difference, unit), ends.join(" to ")),
    formatP(p),
    formatCount(tasks),
    formatCount(better),
    formatCount(worse),
    verdict,
  ]);
}

/** The tasks whose mean changed in some graph, with both means; absent if none did. */
export function changesTable({ scores }: Comparison, { id, unit }: ScoreInfo): Table | undefined {
  const comparisons = scores.filter(({ score }) => score === id);
  const changes = comparisons.map(
    (each) => new Map(each.changes.map((change) => [change.task, change])),
  );
  const levels = new Map(
    comparisons.flatMap((each) => each.changes.map(({ task, level }) => [task, level])),
  );
  const changed = [...levels.keys()].filter((task) =>
    changes.some((each) => (each.get(task)?.change ?? "same") !== "same"),
  );
  if (changed.length === 0) return undefined;
  return {
    caption: `Tasks that changed: ${formatCount(changed.length)} of ${formatCount(levels.size)}`,
    columns: [
      textColumn("Task"),
      textColumn("Level"),
      ...comparisons.map((each) => column(seriesName(each))),
    ],
    groups: [
      {
        rows: changed.map((task) =>
          row([
            task,
            levels.get(task) ?? "",
            ...changes.map((each) => {
              const found = each.get(task);
              if (!found || found.change === "same") return "";
              const values = [found.a, found.b].map((value) => formatFigure(value, unit));
              return cell(values.join(" → "), found.change);
            }),
          ]),
        ),
      },
    ],
  };
}
