import { ALL_LEVELS, type Summary } from "../../summary/summary.js";
import { publishedPlanning } from "../publishedResults.js";
import { findScore, type ScoreInfo } from "../scores.js";
import { PLANNING_NOTE, PUBLISHED_PLANNING_NOTE } from "../reportWords.js";
import { hasPublishedRows, scoreTable } from "./scoreTable.js";
import { cell, type Table, type TableRow } from "./table.js";

/** The columns of the report "AI Agent 007", in its order and with its names. */
const COLUMNS: Record<string, string> = {
  irrelevantRate: "IR",
  necessaryRate: "NR",
  hallucinationRate: "HR",
  missingRate: "MR",
  bleu: "BLEU",
  rougeL: "ROUGE-L",
  sequenceMatch: "Correct path",
  modelCalls: "API calls",
  totalTokens: "Tokens",
};

/** How good solutions are as plans; absent if no gold calls are known. */
export function planningTable(summary: Summary): Table | undefined {
  const scores = planningScores(summary);
  if (scores.length === 0) return undefined;
  return scoreTable({
    summary,
    scores,
    caption: "Solutions as plans, by level and graph",
    publishedAfter: ({ row, next }) =>
      row.level === ALL_LEVELS && !next ? publishedRows(summary, scores) : [],
  });
}

/** The scores of the table, with its column names; none if there is no table. */
export function planningScores(summary: Summary): ScoreInfo[] {
  if (!findScore(summary, "irrelevantRate")) return [];
  return Object.entries(COLUMNS).flatMap(([id, label]) => {
    const score = findScore(summary, id);
    return score ? [{ ...score, label }] : [];
  });
}

/** How to read the table. */
export function planningNote(table: Table): string {
  return hasPublishedRows(table) ? `${PLANNING_NOTE} ${PUBLISHED_PLANNING_NOTE}` : PLANNING_NOTE;
}

function publishedRows({ benchmark }: Summary, scores: readonly ScoreInfo[]): TableRow[] {
  return publishedPlanning(benchmark.name).map(({ method, figures }) => ({
    published: true,
    cells: [
      cell(`published: ${method}`),
      // With the printed decimals.
      ...scores.map(({ id }) => cell(figures[id]?.toFixed(3) ?? "")),
    ],
  }));
}
