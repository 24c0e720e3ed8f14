import type { Aggregate, Row, Summary } from "../../eval/summary/summary.js";
import { printJson, printTable } from "../printing/print.js";

/** The figures that fit on a terminal, in the order of their columns. */
const SHOWN = [
  "answerNumeric",
  "answerSubstring",
  "rightInAll",
  "falselySolved",
  "stateMatch",
  "sideEffects",
  "passed",
  "passedWithinBudget",
  "overBudget",
  "callMatch",
  "argumentMatch",
  "toolF1",
  "irrelevance",
  "solved",
  "totalTokens",
  "usd",
];

/** Prints the figures of an experiment, as JSON (without those of single runs) or as a table. */
export function printSummary(summary: Summary, { json }: { json?: boolean }): void {
  const { runs: _runs, ...figures } = summary;
  if (json) printJson(figures);
  else printSummaryTable(summary);
}

/** Prints the means of an experiment by graph and level. */
function printSummaryTable(summary: Summary): void {
  const { scorers, offline, missing } = summary;
  const rows = shownRows(summary);
  const shown = SHOWN.flatMap((id) => scorers.find((scorer) => scorer.id === id) ?? []).filter(
    ({ id }) => rows.some(({ aggregates }) => aggregates[id]),
  );
  const varied = rows.some(({ variant }) => variant !== "");
  const labels = ({ graph, variant, level, runs }: Row) =>
    varied ? [graph, variant, level, `${runs}`] : [graph, level, `${runs}`];
  printTable({
    rows: [
      [
        ...(varied ? ["graph", "variant"] : ["graph"]),
        "level",
        "runs",
        ...shown.map(({ label }) => label),
      ],
      ...rows.map((row) => [
        ...labels(row),
        ...shown.map(({ id, unit }) => cell(row.aggregates[id], unit)),
      ]),
    ],
  });
  if (offline) process.stdout.write(`${OFFLINE_NOTE}\n`);
  if (missing > 0) process.stdout.write(`${missing} planned runs have no result yet.\n`);
}

/** With a single level, the rows for all levels would repeat it. */
function shownRows({ rows, levels }: Summary): Row[] {
  return levels.length === 1 ? rows.filter(({ level }) => level === levels[0]) : rows;
}

const OFFLINE_NOTE = "Figures of the offline planner, which is not a language model.";

function cell(aggregate: Aggregate | undefined, unit: Summary["scorers"][number]["unit"]): string {
  if (!aggregate) return "-";
  if (unit === "usd") return `$${aggregate.mean.toFixed(4)}`;
  return unit === "share" || unit === "count"
    ? aggregate.mean.toFixed(2)
    : aggregate.mean.toFixed(0);
}
