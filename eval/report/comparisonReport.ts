import { listed } from "../../common/text.js";
import type { ComparedExperiment, Comparison, ScoreComparison } from "../summary/compare.js";
import {
  formatBeside,
  formatCount,
  formatDifference,
  formatFigure,
  formatP,
} from "./figureText.js";
import { changeFound } from "./finding.js";
import {
  cell,
  column,
  columnsOf,
  type Filled,
  type Report,
  row,
  rowFor,
  type Section,
  type Table,
} from "./report.js";
import { type ScoreInfo, seriesName } from "./scores.js";

const VERDICT_NOTE =
  "Better and worse are said where the two-sided Wilcoxon signed-rank test over tasks gives p " +
  "below 0.05 and at least six tasks differ; fewer cannot reach it. All else is within noise. The " +
  "p-values are not corrected for the number of comparisons.";

/** The report on what changed between two experiments. */
export function comparisonReport(comparison: Comparison): Report {
  const { a, b, benchmark, scorers, scores } = comparison;
  // Costs change a little in every run: only scores that mean another outcome are shown task by task.
  const outcomes = scorers.filter(
    ({ id, unit }) => unit === "share" && scores.some(({ score }) => score === id),
  );
  return {
    title: `Comparison of two experiments on ${benchmark.name}`,
    finding: changeFound(comparison),
    warnings: [
      ...new Set([...a.standIns, ...b.standIns]),
      ...oneSidedNotes(a, "A"),
      ...oneSidedNotes(b, "B"),
    ],
    facts: [a, b].map(({ name, facts }, index) => ({
      heading: `${"AB".charAt(index)} · ${name}`,
      entries: facts,
    })),
    sections: [
      {
        id: "verdicts",
        title: "What changed",
        note: VERDICT_NOTE,
        tables: [verdictsTable(comparison)],
      },
      ...outcomes.map((score) => changesSection(comparison, score)),
    ],
  };
}

function oneSidedNotes(experiment: ComparedExperiment, letter: string): string[] {
  const { missing, onlyTasks, onlySeries } = experiment;
  return [
    missing > 0 ? `${formatCount(missing)} planned runs of ${letter} have no result yet.` : "",
    onlyTasks.length > 0
      ? `Only ${letter} has these tasks: ${listed(onlyTasks, NAMES_SHOWN)}.`
      : "",
    onlySeries.length > 0
      ? `Only ${letter} has these graphs and settings: ${listed(onlySeries.map(seriesName), NAMES_SHOWN)}.`
      : "",
  ].filter(Boolean);
}

const NAMES_SHOWN = 12;

function verdictsTable({ scorers, scores }: Comparison): Table {
  const groups = scorers.map(({ id, label, unit }) => {
    const own = scores.filter(({ score }) => score === id);
    return { heading: label, rows: own.map((each) => rowFor(verdictColumns(unit), each)) };
  });
  return {
    caption: "Means over the tasks that both have",
    grouping: "Score",
    columns: columnsOf(verdictColumns("count")),
    groups: groups.filter(({ rows }) => rows.length > 0),
  };
}

function verdictColumns(unit: ScoreInfo["unit"]): Filled<ScoreComparison>[] {
  const difference = (value: number) => formatDifference(value, unit);
  return [
    ["Graph", "text", seriesName],
    ["A", "number", ({ meanA }) => formatFigure(meanA, unit)],
    ["B", "number", ({ meanA, meanB }) => formatBeside(meanB, unit, meanA)],
    [
      "B − A",
      "number",
      ({ difference: between, interval: { low, high } }) =>
        cell(difference(between), [low, high].map(difference).join(" to ")),
    ],
    ["p", "number", ({ p }) => formatP(p)],
    ["Tasks", "number", ({ tasks }) => formatCount(tasks)],
    ["Better", "number", ({ better }) => formatCount(better)],
    ["Worse", "number", ({ worse }) => formatCount(worse)],
    ["Verdict", "text", ({ verdict }) => verdict],
  ];
}

function changesSection({ scores }: Comparison, { id, label, unit }: ScoreInfo): Section {
  const comparisons = scores.filter(({ score }) => score === id);
  const all = comparisons.flatMap((each) => each.changes);
  const levels = new Map(all.map(({ task, level }) => [task, level]));
  const changed = [...levels].filter(([task]) =>
    all.some((each) => each.task === task && each.change !== "same"),
  );
  const section = { id: `changes-${id}`, title: `${label}, task by task` };
  if (changed.length === 0) return { ...section, note: "No task changed." };
  const rows = changed.map(([task, level]) =>
    row([
      task,
      level,
      ...comparisons.map(({ changes }) => {
        const found = changes.find((each) => each.task === task);
        if (!found || found.change === "same") return "";
        const values = [found.a, found.b].map((value) => formatFigure(value, unit));
        return cell(values.join(" → "), found.change);
      }),
    ]),
  );
  const table = {
    caption: `Tasks that changed: ${formatCount(changed.length)} of ${formatCount(levels.size)}`,
    columns: [
      column("Task", "text"),
      column("Level", "text"),
      ...comparisons.map((each) => column(seriesName(each))),
    ],
    groups: [{ rows }],
  };
  return { ...section, tables: [table] };
}
