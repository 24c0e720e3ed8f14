import type { Comparison } from "../../summary/compare.js";
import type { ScoreComparison } from "../../summary/compareScore.js";
import { formatBeside, formatCount, formatDifference, formatFigure, formatP } from "../numbers.js";
import { type ScoreInfo, seriesName } from "../scores.js";
import { cell, type Table } from "./table.js";

/** Every score of every graph in both experiments, with the difference and what it is worth. */
export function verdictsTable({ scorers, scores }: Comparison): Table {
  const known = scorers.filter(({ id }) => scores.some(({ score }) => score === id));
  return {
    caption: "Means over the tasks that both have",
    grouping: "Score",
    columns: [
      { label: "Graph", numeric: false },
      { label: "A", numeric: true },
      { label: "B", numeric: true },
      { label: "B − A", numeric: true },
      { label: "p", numeric: true },
      { label: "Tasks", numeric: true },
      { label: "Better", numeric: true },
      { label: "Worse", numeric: true },
      { label: "Verdict", numeric: false },
    ],
    groups: known.map((scorer) => ({
      heading: scorer.label,
      rows: scores
        .filter(({ score }) => score === scorer.id)
        .map((each) => ({ cells: verdictCells(each, scorer) })),
    })),
  };
}

function verdictCells(comparison: ScoreComparison, { unit }: ScoreInfo) {
  const { meanA, meanB, difference, interval, p, tasks, better, worse, verdict } = comparison;
  const ends = [interval.low, interval.high].map((end) => formatDifference(end, unit));
  return [
    cell(seriesName(comparison)),
    cell(formatFigure(meanA, unit)),
    cell(formatBeside(meanB, unit, meanA)),
    cell(formatDifference(difference, unit), ends.join(" to ")),
    cell(formatP(p)),
    cell(formatCount(tasks)),
    cell(formatCount(better)),
    cell(formatCount(worse)),
    cell(verdict),
  ];
}

/** The tasks whose mean changed in some graph, from what to what; absent where none did. */
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
      { label: "Task", numeric: false },
      { label: "Level", numeric: false },
      ...comparisons.map((each) => ({ label: seriesName(each), numeric: true })),
    ],
    groups: [
      {
        rows: changed.map((task) => ({
          cells: [
            cell(task),
            cell(levels.get(task) ?? ""),
            ...changes.map((each) => {
              const found = each.get(task);
              if (!found || found.change === "same") return cell("");
              const values = [found.a, found.b].map((value) => formatFigure(value, unit));
              return cell(values.join(" → "), found.change);
            }),
          ],
        })),
      },
    ],
  };
}
