import { clipped } from "../../common/text.js";
import type { Summary } from "../summary/summary.js";
import { formatCount, formatDifference, formatFigure, formatP, NO_FIGURE } from "./figureText.js";
import { cell, columnsOf, type Filled, rowFor, type Table } from "./report.js";
import { seriesName, verdictOf } from "./scores.js";

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

/** Most runs that are shown; the records have all. */
const MOST_SHOWN = 100;

/** Most characters of an answer or a reason. */
const MOST_LETTERS = 300;

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
