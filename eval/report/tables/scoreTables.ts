import type { Row, Summary } from "../../summary/summary.js";
import { formatFigure } from "../figureText.js";
import { publishedFigures } from "../publishedResults.js";
import { findScore, type ScoreInfo } from "../scores.js";
import { planningScores } from "./planningTable.js";
import { scoreTable } from "./scoreTable.js";
import { cell, type Table, type TableRow } from "./table.js";

/**
 * Scores of the first tables, those of one kind together: what was right, the judge by numbers before the published
 * one, which also takes 140 for 40; how well tools were chosen; what it cost.
 */
const KINDS: { caption: string; scores: string[] }[] = [
  {
    caption: "What was right, by level and graph",
    scores: [
      "answerNumeric",
      "answerCorrected",
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

/** A table for each kind of scores that apply, with the published figures of the paper where these do. */
export function mainTables(summary: Summary): Table[] {
  return KINDS.flatMap(({ caption, scores: ids }) => {
    const scores = ids.flatMap((id) => findScore(summary, id) ?? []);
    return scores.length === 0 ? [] : [tulipTable({ summary, scores, caption })];
  });
}

/** The scores that the first tables and that of plans leave out; absent where they have them all. */
export function furtherTable(summary: Summary): Table | undefined {
  const shown = [
    ...KINDS.flatMap((kind) => kind.scores),
    ...planningScores(summary).map(({ id }) => id),
  ];
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
