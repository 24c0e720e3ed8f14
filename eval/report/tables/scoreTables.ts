import type { Row, Summary } from "../../summary/summary.js";
import { formatFigure } from "../figureText.js";
import { publishedFigures } from "../publishedResults.js";
import { findScore, type ScoreInfo } from "../scores.js";
import { planningScores } from "./planningTable.js";
import { scoreTable } from "./scoreTable.js";
import { cell, type Table, type TableRow } from "./table.js";

/**
 * The scores of the first tables by kind: what was right, how well tools were chosen, what it cost. The judge by
 * numbers comes before the published one, which accepts 140 for 40.
 */
const KINDS: { caption: string; scores: string[] }[] = [
  {
    caption: "What was right, by level and graph",
    scores: [
      "answerNumeric",
      "answerSubstring",
      "stateMatch",
      "sideEffects",
      "passed",
      "passedWithinBudget",
      "overBudget",
      "irrelevance",
    ],
  },
  {
    caption: "Tools and calls, by level and graph",
    scores: ["callMatch", "argumentMatch", "toolPrecision", "toolRecall", "toolF1"],
  },
  { caption: "What it cost, by level and graph", scores: ["usd", "totalTokens"] },
];

/** A table for each kind with scores that apply, and with the paper's figures if they apply. */
export function mainTables(summary: Summary): Table[] {
  return KINDS.flatMap(({ caption, scores: ids }) => {
    const scores = ids.flatMap((id) => findScore(summary, id) ?? []);
    return scores.length === 0 ? [] : [tulipTable({ summary, scores, caption })];
  });
}

/** The scores that are in neither the first tables nor the table of plans; absent if there are none. */
export function furtherTable(summary: Summary): Table | undefined {
  const shown = [
    ...KINDS.flatMap((kind) => kind.scores),
    ...planningScores(summary).map(({ id }) => id),
  ];
  const scores = summary.scorers.filter(({ id }) => !shown.includes(id) && findScore(summary, id));
  if (scores.length === 0) return undefined;
  return tulipTable({ summary, scores, caption: "Further scores by level and graph" });
}

/** A table with the figures of the paper on Tulip Agent below the last row of each graph. */
function tulipTable(request: { summary: Summary; scores: ScoreInfo[]; caption: string }): Table {
  const { summary, scores } = request;
  return scoreTable({
    ...request,
    publishedAfter: ({ row, next }) =>
      next?.graph === row.graph ? [] : publishedRows(summary, row, scores),
  });
}

/** The paper's figures for this graph and level, in their columns. */
function publishedRows(summary: Summary, row: Row, scores: ScoreInfo[]): TableRow[] {
  const { graph, level } = row;
  const figures = publishedFigures({ benchmark: summary.benchmark.name, graph, level });
  return figures.flatMap(({ model, correctness, usd }) => {
    const published: Record<string, string> = {
      answerSubstring: formatFigure(correctness, "share"),
      ...(usd === undefined ? {} : { usd: formatFigure(usd, "usd") }),
    };
    const cells = scores.map(({ id }) => cell(published[id] ?? ""));
    // For some tables nothing was published.
    const isEmpty = cells.every(({ text }) => text === "");
    return isEmpty ? [] : [{ published: true, cells: [cell(`published: ${model}`), ...cells] }];
  });
}
