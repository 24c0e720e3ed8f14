import { writeFiles } from "../../eval/files.js";
import { comparisonReport } from "../../eval/report/comparisonReport.js";
import { experimentReport } from "../../eval/report/experimentReport.js";
import type { Gate } from "../../eval/report/gates.js";
import { reportHtml } from "../../eval/report/html.js";
import { reportMarkdown } from "../../eval/report/markdown.js";
import { chartFiles } from "../../eval/report/pictures.js";
import { mainTables } from "../../eval/report/scoreTables.js";
import { type Report, runsCsv } from "../../eval/report/report.js";
import { readResults } from "../../eval/runs/experimentFolder.js";
import { comparison } from "../../eval/summary/compare.js";
import { type Summary, summarizeRuns } from "../../eval/summary/summarizeRuns.js";
import type { CommandForm } from "../command.js";
import { printHanging, printJson, printLine, printTable } from "../printing/print.js";
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
      const { report: made } = await printReplay(results, json);
      if (!json) writeReport(folder, "report", made);
      return;
    }
    const summary = summarizeRuns(results);
    if (other === undefined) await report(folder, summary, json);
    else compare(other, summary, summarizeRuns(readResults(other)), json);
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
  printLine(reportMarkdown(made));
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

/** Prints the figures of an experiment, as JSON (without those of single runs) or as the main tables of its report. */
export function printSummary(summary: Summary, json?: boolean, gates: readonly Gate[] = []): void {
  const { runs: _runs, standIns, missing, ...figures } = summary;
  if (json) return printJson({ ...figures, standIns, missing, ...(gates.length > 0 && { gates }) });
  for (const { columns, groups, grouping = "" } of mainTables(summary)) {
    const [first = "", ...others] = columns.map(({ label }) => label);
    const rows = groups.flatMap(({ heading = "", rows: all }) =>
      all.map(([name, ...cells]) => [name?.text ?? "", heading, ...cells.map(({ text }) => text)]),
    );
    printTable({ keys: 2, rows: [[first, grouping, ...others], ...rows] });
    printLine("");
  }
  for (const note of standIns) printHanging({ text: note });
  if (missing > 0) printLine(`${missing} planned runs have no result yet.`);
}
