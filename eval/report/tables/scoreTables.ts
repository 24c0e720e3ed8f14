import type { Row, Summary } from "../../summary/summary.js";
import { formatFigure } from "../figureText.js";
import { publishedFigures } from "../publishedResults.js";
import { findScore, type ScoreInfo } from "../scores.js";
import { planningScores } from "./planningTable.js";
import { scoreTable } from "./scoreTable.js";
import { cell, type Table, type TableRow } from "./table.js";

/**
 * Scores of the first table, in the order of the paper's own: what was right, how well tools were
 * chosen, what it cost.
 */
const MAIN_SCORES = [
  "stateMatch",
  "sideEffects",
  "answerSubstring",
  "answerNumeric",
  "answerCorrected",
  "passed",
  "passedWithinBudget",
  "overBudget",
  "callMatch",
  "argumentMatch",
  "irrelevance",
  "toolPrecision",
  "toolRecall",
  "toolF1",
  "usd",
  "totalTokens",
];

/** The table in the layout of the paper, with its published figures where they apply. */
export function mainTable(summary: Summary): Table {
  const scores = MAIN_SCORES.flatMap((id) => findScore(summary, id) ?? []);
  return tulipTable({ summary, scores, caption: "Results by level and graph" });
}

/** The scores that the first table and that of plans leave out; absent where they have them all. */
export function furtherTable(summary: Summary): Table | undefined {
  const shown = [...MAIN_SCORES, ...planningScores(summary).map(({ id }) => id)];
  const scores = summary.scorers.filter(({ id }) => !shown.includes(id) && findScore(summary, id));
  if (scores.length === 0) return undefined;
  return tulipTable({ summary, scores, caption: "Further scores by level and graph" });
}

/** With the figures of the paper on Tulip Agent below the last row of each graph. */
function tulipTable(request: { summary: Summary; scores: ScoreInfo[]; caption: string }): Table {
  const { summary, scores } = request;
  return scoreTable({
    ...request,
    publishedAfter: ({ row, next }) =>
      next?.graph === row.graph ? [] : publishedRows({ summary, row, scores }),
  });
}

/** What the paper published for this graph and level, under the columns that it belongs to. */
function publishedRows(request: { summary: Summary; row: Row; scores: ScoreInfo[] }): TableRow[] {
  const { summary, row, scores } = request;
  const { graph, level } = row;
  const figures = publishedFigures({ benchmark: summary.benchmark.name, graph, level });
  return figures.flatMap(({ model, correctness, usd }) => {
    const published: Record<string, string> = {
      answerSubstring: formatFigure(correctness, "share"),
      ...(usd === undefined ? {} : { usd: formatFigure(usd, "usd") }),
    };
    const cells = scores.map(({ id }) => cell(published[id] ?? ""));
    // Nothing was published of the scores of some tables.
    const isEmpty = cells.every(({ text }) => text === "");
    return isEmpty ? [] : [{ published: true, cells: [cell(`published: ${model}`), ...cells] }];
  });
}
