import { clipped } from "../../common/text.js";
import type { Aggregate, Row, Summary } from "../summary/summarizeRuns.js";
import {
  formatBeside,
  formatCount,
  formatDifference,
  formatFigure,
  formatP,
  NO_FIGURE,
} from "./figureText.js";
import {
  type Cell,
  cell,
  type Column,
  column,
  columnsOf,
  type Filled,
  rowFor,
  type Table,
} from "./report.js";
import {
  findScore,
  levelName,
  repetitions,
  rowsOfLevel,
  type ScoreInfo,
  seriesName,
  shownLevels,
  verdictOf,
} from "./scores.js";

/** Most runs that are shown; the records have all. */
const MOST_SHOWN = 100;

const MOST_LETTERS = 300;

/**
 * The scores of the main tables by kind: what was right, how well tools were chosen, what it cost. The judge by
 * numbers comes before the published one, which accepts 140 for 40.
 */
const KINDS: { caption: string; scores: string[] }[] = [
  {
    caption: "What was right, by level and graph",
    scores:
      "asAsked pathAnswer pathExact pathEdits costRatio ownChecker answerNumeric answerSubstring rightInAll falselySolved stateMatch sideEffects passed passedWithinBudget overBudget irrelevance solved".split(
        " ",
      ),
  },
  {
    caption: "Tools and calls, by level and graph",
    scores: ["callMatch", "argumentMatch", "toolPrecision", "toolRecall", "toolF1"],
  },
  { caption: "What it cost, by level and graph", scores: ["usd", "totalTokens"] },
];

/** The columns of the report "AI Agent 007", in its order and with its names. */
const PLAN_COLUMNS: Record<string, string> = {
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

/** A table for each kind with scores that apply. */
export function mainTables(summary: Summary): Table[] {
  return KINDS.flatMap(({ caption, scores: ids }) => {
    const scores = ids.flatMap((id) => findScore(summary, id) ?? []);
    return scoreTable(summary, scores, caption);
  });
}

/** How good solutions are as plans; none if no gold calls are known. */
export function planningTables(summary: Summary): Table[] {
  return scoreTable(summary, planningScores(summary), "Solutions as plans, by level and graph");
}

/** The scores that are in neither the main tables nor the table of plans. */
export function furtherTables(summary: Summary): Table[] {
  const shown = [
    ...KINDS.flatMap((kind) => kind.scores),
    ...planningScores(summary).map(({ id }) => id),
  ];
  const scores = summary.scorers.filter(({ id }) => !shown.includes(id) && findScore(summary, id));
  return scoreTable(summary, scores, "Further scores by level and graph");
}

function planningScores(summary: Summary): ScoreInfo[] {
  if (!findScore(summary, "irrelevantRate")) return [];
  return Object.entries(PLAN_COLUMNS).flatMap(([id, label]) => {
    const score = findScore(summary, id);
    return score ? [{ ...score, label }] : [];
  });
}

/** A row for each graph and variant at each level, with a column for each score; no table without scores. */
function scoreTable(summary: Summary, scores: ScoreInfo[], caption: string): Table[] {
  if (scores.length === 0) return [];
  const severalRuns = repetitions(summary) > 1;
  const groups = shownLevels(summary).flatMap((level) => {
    const rows = rowsOfLevel(summary, level);
    const tasks = Math.max(0, ...rows.map((row) => row.tasks));
    const shown = rows
      .filter(({ aggregates }) => scores.some(({ id }) => aggregates[id] !== undefined))
      .map((row) => rowOf(row, scores, severalRuns));
    const heading = `${levelName(level)} · ${formatCount(tasks)} ${tasks === 1 ? "task" : "tasks"}`;
    return shown.length === 0 ? [] : [{ heading, rows: shown }];
  });
  const columns = [column("Graph", "text"), ...scores.map(columnOf)];
  return [{ caption, grouping: "Level", columns, groups }];
}

/** Says "less is better" for counts and shares; for costs it is obvious. */
function columnOf({ label, better, unit }: ScoreInfo): Column {
  const isSaid = better === "lower" && (unit === "count" || unit === "share");
  return { ...column(label), ...(isSaid ? { note: "less is better" } : {}) };
}

function rowOf(row: Row, scores: ScoreInfo[], severalRuns: boolean): Cell[] {
  const figures = scores.map(({ id, unit }) => figureCell(row.aggregates[id], unit, severalRuns));
  return [cell(seriesName(row)), ...figures];
}

/** Mean ± deviation and the interval; for costs also the interquartile mean. */
function figureCell(
  aggregate: Aggregate | undefined,
  unit: ScoreInfo["unit"],
  severalRuns: boolean,
): Cell {
  if (!aggregate) return cell(NO_FIGURE);
  const { mean, sdOverRuns, low, high, interquartileMean } = aggregate;
  const format = (value: number) => formatBeside(value, unit, mean);
  if (unit === "usd" && mean === 0) return cell(format(mean));
  const deviation = severalRuns ? ` ± ${format(sdOverRuns)}` : "";
  const interval = `${format(low)}–${format(high)}`;
  const isCost = unit === "usd" || unit === "tokens" || unit === "ms";
  const note = isCost ? `${interval}, iqm ${format(interquartileMean)}` : interval;
  return cell(`${format(mean)}${deviation}`, note);
}

/** The paired tests between graphs and between variants; none if nothing was compared. */
export function testsTables({ scorers, tests }: Summary): Table[] {
  const scorerOf = (score: string) => scorers.find(({ id }) => id === score);
  return tableOf("Wilcoxon signed-rank tests over the means of tasks", tests, [
    ["Score", "text", ({ score }) => scorerOf(score)?.label ?? score],
    ["A", "text", ({ a }) => seriesName(a)],
    ["B", "text", ({ b }) => seriesName(b)],
    [
      "A − B",
      "number",
      ({ score, meanDifference }) =>
        formatDifference(meanDifference, scorerOf(score)?.unit ?? "count"),
    ],
    ["p", "number", ({ p }) => formatP(p)],
    ["Pairs", "number", ({ pairs }) => formatCount(pairs)],
    ["Differing", "number", ({ differing }) => formatCount(differing)],
  ]);
}

/** The usage of each stage as means per run; none if no stage is known. */
export function stagesTables({ stages }: Summary): Table[] {
  return tableOf("Model calls and tokens of each stage, means per run", stages, [
    ["Graph", "text", seriesName],
    ["Stage", "text", ({ stage }) => stage],
    ["Model calls", "number", ({ modelCalls }) => formatCount(modelCalls, 2)],
    ["Input tokens", "number", ({ inputTokens }) => formatCount(inputTokens)],
    ["Of these cached", "number", ({ cachedTokens }) => formatCount(cachedTokens)],
    ["Output tokens", "number", ({ outputTokens }) => formatCount(outputTokens)],
    ["Dollars", "number", ({ usd }) => (usd === null ? NO_FIGURE : formatFigure(usd, "usd"))],
  ]);
}

/** The cost of embedding the libraries; none if none was used. */
export function librariesTables({ libraries }: Summary): Table[] {
  return tableOf("Embedding of the tool libraries, apart from the runs", libraries, [
    ["Library", "text", ({ library }) => library],
    ["Embeddings", "text", ({ embeddings }) => embeddings],
    ["Tools", "number", ({ tools }) => formatCount(tools)],
    ["Tokens", "number", ({ embeddingTokens }) => formatCount(embeddingTokens)],
    ["Dollars", "number", ({ usd }) => (usd === null ? "price unknown" : formatFigure(usd, "usd"))],
  ]);
}

/** The definition and source of every score. */
export function definitionsTables({ scorers }: Summary): Table[] {
  return tableOf("Definitions of the scores", scorers, [
    ["Score", "text", ({ label, id }) => cell(label, id)],
    ["Definition", "prose", ({ definition }) => definition],
    ["Source", "prose", ({ source = NO_FIGURE }) => source],
  ]);
}

/** The runs that were wrong or could not be judged, with why and where to look; none if all were right. */
export function runsTables({ tasks, runs }: Summary): Table[] {
  const queries = new Map(tasks.map(({ id, query }) => [id, query]));
  const wrong = runs.filter((run) => Object.keys(run.problems).length > 0 || verdictOf(run) === 0);
  const shown = wrong.slice(0, MOST_SHOWN);
  const counts = `${formatCount(shown.length)} of ${formatCount(wrong.length)}`;
  return tableOf(`Runs that were not right: ${counts}`, shown, [
    [
      "Task",
      "text",
      ({ record: { task } }) => cell(task, clipped(queries.get(task) ?? "", MOST_LETTERS)),
    ],
    ["Graph", "text", ({ record }) => cell(seriesName(record), `run ${record.run}`)],
    ["Ended", "text", ({ record }) => record.status],
    [
      "Answer",
      "prose",
      ({ record: { answer, error }, problems }) =>
        cell(clipped(error ?? answer, MOST_LETTERS), Object.values(problems)[0]),
    ],
    ["Thread", "text", ({ record }) => record.threadId],
  ]);
}

/** A row for each thing; no table without things. */
function tableOf<Thing>(
  caption: string,
  things: readonly Thing[],
  filled: readonly Filled<Thing>[],
): Table[] {
  if (things.length === 0) return [];
  const rows = things.map((thing) => rowFor(filled, thing));
  return [{ caption, columns: columnsOf(filled), groups: [{ rows }] }];
}
