import { join } from "node:path";
import { OFFLINE_MODEL } from "../../state/context.js";
import { writeWhole } from "../files.js";
import { formatCount, formatFigure, NO_FIGURE } from "../report/figureText.js";
import { document, listMarkdown, section, tableMarkdown } from "../report/tables/renderMarkdown.js";
import { cell, column, row, type Table, textColumn } from "../report/tables/table.js";
import type { CreationFigures, CreationRow } from "./creationFigures.js";

/**
 * Writes `report.md`.
 *
 * @param options.command reproduces the report
 * @returns the file
 */
export function writeCreationReport(options: {
  folder: string;
  figures: CreationFigures;
  command: string;
}): string {
  const file = join(options.folder, "report.md");
  writeWhole(file, creationReport(options));
  return file;
}

/** The report's text. */
export function creationReport(options: { figures: CreationFigures; command: string }): string {
  const { figures, command } = options;
  return document([
    modelLine(figures),
    "# Creating tools",
    `Made with \`${command}\`, version ${figures.version}, embeddings ${figures.embeddings}.`,
    listMarkdown(totalLines(figures)),
    tableMarkdown(requestsTable(figures)),
    NOTE,
    section("Not right", [listMarkdown(wrongTexts(figures))]),
    section("Hidden checks that fail", [listMarkdown(failingTexts(figures))]),
  ]);
}

const NOTE =
  "Drafts: replies with the wish for a tool; what was wrong with those that could not be used stands in brackets. Hidden: calls that the model was never shown, passed of all. A model that makes nothing is right about the one request that no tool can serve.";

/** What the model is: a reader must know this before looking at the figures. */
export function modelLine({ model }: Pick<CreationFigures, "model">): string {
  if (model === OFFLINE_MODEL) {
    return `Model: ${model}, which is a set of rules and no language model: it cannot write code, and says so.`;
  }
  if (model.startsWith("simulated:")) {
    return `Model: ${model}, which is a script and no language model: it knows these requests and repeats drafts that were written beforehand, faults included. The figures show that the software works and say nothing about any model.`;
  }
  return `Model: ${model}.`;
}

/** The totals, one line each. */
export function totalLines(figures: CreationFigures): string[] {
  const { requests, right, wanted, made, madeRight, meanDrafts, hidden, faults } = figures;
  const counted = faults.map(({ fault, drafts }) => `${fault} ${drafts}`).join(", ");
  return [
    `right: ${right} of ${requests} requests`,
    `tools created or updated: ${made} of the ${wanted} that were wanted`,
    `all hidden checks passed as well: ${madeRight} of ${wanted}`,
    `hidden checks passed: ${hidden.passed} of ${hidden.of}`,
    `drafts for each of these tools: ${meanDrafts === null ? NO_FIGURE : meanDrafts.toFixed(2)}`,
    `drafts that could not be used: ${counted || "none"}`,
    costLine(figures),
  ];
}

function costLine({ tokens, estimated, usd }: CreationFigures): string {
  const counted = `tokens: ${formatCount(tokens)}${estimated ? " (estimated)" : ""}`;
  return `${counted}, dollars: ${usd === null ? "not known" : formatFigure(usd, "usd")}`;
}

/** A row for each request. */
export function requestsTable({ rows, estimated }: CreationFigures): Table {
  return {
    caption: "Requests for tools",
    columns: [
      textColumn("request"),
      textColumn("theme"),
      textColumn("outcome"),
      textColumn("right"),
      textColumn("drafts"),
      column("hidden"),
      column("model calls"),
      column("tokens", estimated ? "estimated" : undefined),
      column("time"),
    ],
    groups: [{ rows: rows.map(rowOf) }],
  };
}

function rowOf(judged: CreationRow) {
  const { request, theme, outcome, right, drafts, faults, hidden, modelCalls, tokens, ms } = judged;
  return row([
    request,
    theme,
    outcome,
    right ? "yes" : "no",
    cell(`${drafts}`, faults.length > 0 ? faults.join(", ") : undefined),
    hidden ? `${hidden.passed}/${hidden.of}` : NO_FIGURE,
    formatCount(modelCalls),
    formatCount(tokens),
    formatFigure(ms, "ms"),
  ]);
}

function wrongTexts({ rows }: CreationFigures): string[] {
  return rows.filter(({ right }) => !right).map(({ request, why }) => `${request}: ${why}`);
}

function failingTexts({ rows }: CreationFigures): string[] {
  return rows.flatMap(({ request, hidden }) =>
    (hidden?.failing ?? []).map(({ check, got }) => `${request}: ${check}; ${got}`),
  );
}
