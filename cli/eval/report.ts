import { writeFiles } from "../../eval/files.js";
import { replayReport } from "../../eval/replay/replayReport.js";
import { comparisonReport } from "../../eval/report/comparisonReport.js";
import { experimentReport } from "../../eval/report/experimentReport.js";
import type { Gate } from "../../eval/report/gates.js";
import { reportHtml } from "../../eval/report/html.js";
import { reportMarkdown } from "../../eval/report/markdown.js";
import { chartFiles } from "../../eval/report/pictures.js";
import { type Report, runsCsv } from "../../eval/report/report.js";
import { readResults } from "../../eval/runs/experimentFolder.js";
import { comparison } from "../../eval/summary/compare.js";
import { summarizeResults } from "../../eval/summary/summarizeRuns.js";
import type { Aggregate, Row, Summary } from "../../eval/summary/summary.js";
import type { CommandForm } from "../command.js";
import { printHanging, printJson, printTable } from "../printing/print.js";
import { printReplay } from "./replay.js";

/** `tulipgraph eval report DIR [DIR]` */
export const REPORT: CommandForm = {
  about: "Write the report of an experiment, or compare two",
  args: {
    "<folder>": "results of eval run",
    "[folder]": "later results to compare with the first",
  },
  examples: ["tulipgraph eval report results/math", "tulipgraph eval report before after"],
  run: async (folder: string, other: string | undefined, { json }: { json?: boolean }) => {
    const results = readResults(folder);
    if (results.experiment.definition.replay && other === undefined) {
      await printReplay(results, json);
      if (!json) writeReport(folder, "report", await replayReport(results));
      return;
    }
    const summary = summarizeResults(results);
    if (other === undefined) await report(folder, summary, json);
    else compare(other, summary, summarizeResults(readResults(other)), json);
  },
};

async function report(folder: string, summary: Summary, json?: boolean): Promise<void> {
  printSummary(summary, json);
  if (json) return;
  const made = await experimentReport(summary);
  writeReport(folder, "report", made, { "runs.csv": runsCsv(summary), ...chartFiles(made) });
}

function compare(folder: string, a: Summary, b: Summary, json?: boolean): void {
  const compared = comparison({ a, b });
  if (json) return printJson(compared);
  const made = comparisonReport(compared);
  process.stdout.write(`${reportMarkdown(made)}\n`);
  writeReport(folder, "comparison", made);
}

function writeReport(
  folder: string,
  name: string,
  made: Report,
  others: Record<string, string> = {},
): void {
  const own = { [`${name}.html`]: reportHtml(made), [`${name}.md`]: reportMarkdown(made) };
  const files = { ...own, ...others };
  const written = writeFiles(folder, files).filter((file) => !file.endsWith(".svg"));
  for (const file of written) process.stderr.write(`wrote ${file}\n`);
}

/** The figures that fit on a terminal, in the order of their columns. */
const SHOWN = [
  "asAsked",
  "pathAnswer",
  "pathExact",
  "pathEdits",
  "costRatio",
  "ownChecker",
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
export function printSummary(summary: Summary, json?: boolean, gates: readonly Gate[] = []): void {
  const { runs: _runs, ...figures } = summary;
  if (json) printJson(gates.length > 0 ? { ...figures, gates } : figures);
  else printSummaryTable(summary);
}

/** Prints the means of an experiment by graph and level. */
function printSummaryTable(summary: Summary): void {
  const { scorers, standIns, missing } = summary;
  const rows = shownRows(summary);
  const shown = SHOWN.flatMap((id) => scorers.find((scorer) => scorer.id === id) ?? []).filter(
    ({ id }) => rows.some(({ aggregates }) => aggregates[id]),
  );
  const varied = rows.some(({ variant }) => variant !== "");
  const labels = ({ graph, variant, level, runs }: Row) =>
    varied ? [graph, variant, level, `${runs}`] : [graph, level, `${runs}`];
  printTable({
    keys: varied ? 3 : 2,
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
  for (const note of standIns) printHanging({ text: note });
  if (missing > 0) process.stdout.write(`${missing} planned runs have no result yet.\n`);
}

/** With a single level, the rows for all levels would repeat it. */
function shownRows({ rows, levels }: Summary): Row[] {
  return levels.length === 1 ? rows.filter(({ level }) => level === levels[0]) : rows;
}

function cell(aggregate: Aggregate | undefined, unit: Summary["scorers"][number]["unit"]): string {
  if (!aggregate) return "-";
  if (unit === "usd") return `$${aggregate.mean.toFixed(4)}`;
  return unit === "share" || unit === "count"
    ? aggregate.mean.toFixed(2)
    : aggregate.mean.toFixed(0);
}
