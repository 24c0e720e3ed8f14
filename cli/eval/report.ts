import { Command } from "commander";
import { comparisonHtml, comparisonMarkdown } from "../../eval/report/comparison.js";
import { reportHtml } from "../../eval/report/html.js";
import { reportMarkdown } from "../../eval/report/markdown.js";
import { writeFiles } from "../../eval/files.js";
import { readResults } from "../../eval/runs/experimentFolder.js";
import { comparison } from "../../eval/summary/compare.js";
import { summarizeResults } from "../../eval/summary/summarizeResults.js";
import type { Summary } from "../../eval/summary/summary.js";
import { examples } from "../helpExamples.js";
import { printJson } from "../printing/print.js";
import { printSummary } from "./summaryTable.js";

/** `tulipgraph eval report DIR [DIR]` */
export function reportCommand(): Command {
  return new Command("report")
    .description("Write the report of an experiment, or what changed between two")
    .argument("<folder>", "results of eval run")
    .argument("[other]", "results to compare with: what changed from the first to this one")
    .option("--json", "print the figures as JSON and nothing else")
    .addHelpText(
      "after",
      examples(["tulipgraph eval report results/math", "tulipgraph eval report before after"]),
    )
    .action(async (folder: string, other: string | undefined, { json }: { json?: boolean }) => {
      const summary = await summaryOf(folder);
      if (other === undefined) await report({ folder, summary, json });
      else await compare({ folder: other, a: summary, b: await summaryOf(other), json });
    });
}

async function summaryOf(folder: string): Promise<Summary> {
  return await summarizeResults(readResults(folder));
}

async function report(options: {
  folder: string;
  summary: Summary;
  json?: boolean;
}): Promise<void> {
  const { folder, summary, json } = options;
  printSummary(summary, { json });
  if (json) return;
  writeReport(folder, {
    "report.html": await reportHtml(summary),
    "report.md": reportMarkdown(summary),
  });
}

async function compare(options: {
  folder: string;
  a: Summary;
  b: Summary;
  json?: boolean;
}): Promise<void> {
  const { folder, a, b, json } = options;
  const compared = comparison({ a, b });
  if (json) return printJson(compared);
  const markdown = comparisonMarkdown(compared);
  process.stdout.write(`${markdown}\n`);
  writeReport(folder, {
    "comparison.html": await comparisonHtml(compared),
    "comparison.md": markdown,
  });
}

function writeReport(folder: string, files: Record<string, string>): void {
  for (const file of writeFiles(folder, files)) process.stderr.write(`wrote ${file}\n`);
}
