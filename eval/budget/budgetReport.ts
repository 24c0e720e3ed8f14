import { writeFiles } from "../files.js";
import { drawSvg } from "../report/charts/render.js";
import { formatCount } from "../report/figureText.js";
import {
  document,
  escapeMarkdown,
  section,
  tableMarkdown,
} from "../report/tables/renderMarkdown.js";
import type { Table } from "../report/tables/table.js";
import { type BudgetChart, budgetCharts } from "./charts.js";
import type { BudgetFigures } from "./budgetFigures.js";
import { BTP_PAPER } from "./publishedBudget.js";
import {
  budgetsTable,
  mainTable,
  allowancesTable,
  SWEPT_FIGURES,
  testsTable,
  thresholdsTable,
} from "./budgetTables.js";

/** Folder of the charts, beside the report. */
const IMAGES = "images";

/**
 * Writes the report: `report.md` and its charts as SVG files.
 *
 * @param options.command reproduces the report
 * @returns the files written
 */
export async function writeBudgetReport(options: {
  folder: string;
  figures: BudgetFigures;
  command: string;
}): Promise<string[]> {
  const { folder, figures, command } = options;
  const charts = budgetCharts(figures);
  const drawings = charts.map(
    async (chart) => [imageOf(chart), await drawSvg(chart.spec)] as const,
  );
  return writeFiles(folder, {
    "report.md": budgetReport({ figures, charts, command }),
    ...Object.fromEntries(await Promise.all(drawings)),
  });
}

/** The report's text. */
export function budgetReport(options: {
  figures: BudgetFigures;
  charts: readonly BudgetChart[];
  command: string;
}): string {
  const { figures, charts, command } = options;
  const chart = (name: string) =>
    charts
      .filter((each) => each.name === name)
      .map((each) => `![${each.title}](${imageOf(each)})`)
      .join("");
  return document([
    "# Budgets",
    INTRODUCTION,
    `Made with \`${command}\`.`,
    ...warnings(figures),
    section(`Under one budget: R = ${figures.budget}, τ = ${figures.threshold}`, [
      MAIN_NOTE,
      tableMarkdown(mainTable(figures)),
      chart("budget-cost"),
    ]),
    section("Paired tests", [TESTS_NOTE, tableMarkdown(testsTable(figures))]),
    section("Granted and actual use", [ALLOWANCES_NOTE, tableMarkdown(allowancesTable(figures))]),
    section("Under other budgets", [
      BUDGETS_NOTE,
      chart("budget-sweep"),
      ...SWEPT_FIGURES.map((swept) => captioned(budgetsTable(figures, swept))),
    ]),
    section("With other thresholds", [
      THRESHOLDS_NOTE,
      chart("budget-threshold"),
      ...SWEPT_FIGURES.map((swept) => captioned(thresholdsTable(figures, swept))),
    ]),
  ]);
}

function imageOf({ name }: BudgetChart): string {
  return `${IMAGES}/${name}.svg`;
}

function captioned(table: Table): string {
  return `**${table.caption}**\n\n${tableMarkdown(table)}`;
}

/** What a reader must know before looking at the figures. */
function warnings({ overspent, brokenOff }: BudgetFigures): string[] {
  return [
    warning("went over a budget that holds in the graph", overspent),
    warning("broke off, and so failed", brokenOff),
  ].filter(Boolean);
}

/** Most runs that are named; the others are only counted. */
const NAMES_SHOWN = 10;

function warning(what: string, runs: readonly string[]): string {
  if (runs.length === 0) return "";
  const names = runs.slice(0, NAMES_SHOWN).join("; ");
  const rest = runs.length > NAMES_SHOWN ? "; …" : "";
  const counted = `${formatCount(runs.length)} ${runs.length === 1 ? "run" : "runs"}`;
  return `> **${counted} ${what}:** ${escapeMarkdown(names + rest)}`;
}

const INTRODUCTION = `A simulated policy, which is no language model, in a simulated world of tools with prices: the
figures say how the graphs spend a budget, not how well a model does. Published figures stand in
italics; they were measured by others with a language model on other tools, and are here to compare
tendencies, not values.`;

const MAIN_NOTE = `PR: requests answered with all their facts. PBC: the same for no more than R. AC: units spent on calls
a request. RFBC: requests whose calls cost more than R, solved or not. #Use: executed calls a request
(definitions: ${BTP_PAPER}). In brackets 95 % bootstrap intervals over requests. The oracle knows each
tool's reliability and use, but not how the next call will come out; its figures are expectations.`;

const TESTS_NOTE = `Two-sided Wilcoxon signed-rank tests over the requests that both have; p is that of one test alone, not
corrected for the number of tests.`;

const ALLOWANCES_NOTE = `What a run was first granted against what it used in the end (table 4 of ${BTP_PAPER}).`;

const BUDGETS_NOTE = `Graphs that ignore budgets make the same run under each, which is judged again; all others were run
under each.`;

const THRESHOLDS_NOTE = `A tool whose value for the request is less than τ is granted no calls.`;
