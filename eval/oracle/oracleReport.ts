import { writeFiles } from "../files.js";
import { document, tableSection } from "../report/tables/renderMarkdown.js";
import { BASELINE, type OracleFigures } from "./oracleFigures.js";
import { failuresTable, growthTable, longTable, mainTable, timeTable } from "./oracleTables.js";

/**
 * Writes the comparison as `report.md` and its figures as `figures.json`.
 *
 * @param options.command reproduces the comparison
 * @returns the files written
 */
export function writeOracleReport(options: {
  folder: string;
  figures: OracleFigures;
  command: string;
}): string[] {
  const { folder, figures, command } = options;
  return writeFiles(folder, {
    "report.md": oracleReport({ figures, command }),
    "figures.json": `${JSON.stringify(figures, null, 2)}\n`,
  });
}

/** The report's text. */
export function oracleReport(options: { figures: OracleFigures; command: string }): string {
  const { figures, command } = options;
  const { longPlan, delays } = figures;
  return document([
    "# Graphs compared with an oracle",
    INTRODUCTION,
    `Made with \`${command}\`.`,
    tableSection("All tasks", mainTable(figures), MAIN_NOTE),
    tableSection(
      `Tasks of ${longPlan} calls or more`,
      longTable(figures),
      `Shares of what ${BASELINE} needs are over the tasks on which both succeed.`,
    ),
    tableSection(
      "Wall time",
      timeTable(figures),
      `Every reply of the model takes ${delays.model} ms and every call of a tool ${delays.tool} ms, which are really waited for; calls on a world run one after another. Tasks of ${longPlan} calls or more.`,
    ),
    tableSection("Growing libraries", growthTable(figures), GROWTH_NOTE),
    tableSection("Runs that did not succeed", failuresTable(figures), FAILURES_NOTE),
  ]);
}

const INTRODUCTION = `A script that knows each task's gold calls stands in for a language model, so that the figures say what a
graph costs, and what its searches find, when the model makes no mistake; they are no model's. It calls only
tools that it is shown. As subtasks and search phrases it gives the words of the tool's name and of its
arguments, the same in every graph. Tasks that cannot be done whole, or whose gold calls their tools' own schemas
refuse, are left out. Tokens are those of OpenAI's o200k tokenizer, of the messages and the tools as they are sent.`;

const MAIN_NOTE = `Success: all gold calls were made with their arguments, the world (where the benchmark has one) was changed as it
should be and not otherwise, and the run says that it is solved. All else are means over all runs, of
failed ones, too, where nothing else is said. Tools without functions give seeded values of their \`returns\` type.`;

const GROWTH_NOTE = `The same tasks in libraries that are filled up with tools of another set, without those that bear the name
of one of the benchmark's own.`;

const FAILURES_NOTE = `The first reason that holds.`;
