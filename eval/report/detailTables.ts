import { clipped } from "../../common/text.js";
import type { Summary } from "../summary/summary.js";
import { formatCount, formatDifference, formatFigure, formatP, NO_FIGURE } from "./figureText.js";
import { type Cell, cell, column, row, type Table } from "./report.js";
import { seriesName, verdictOf } from "./scores.js";

/** The paired tests between graphs and between variants; none if nothing was compared. */
export function testsTables({ scorers, tests }: Summary): Table[] {
  const columns = [
    column("Score", "text"),
    column("A", "text"),
    column("B", "text"),
    column("A − B"),
    column("p"),
    column("Pairs"),
    column("Differing"),
  ];
  const rows = tests.map((test) => {
    const scorer = scorers.find(({ id }) => id === test.score);
    return row([
      scorer?.label ?? test.score,
      seriesName(test.a),
      seriesName(test.b),
      formatDifference(test.meanDifference, scorer?.unit ?? "count"),
      formatP(test.p),
      formatCount(test.pairs),
      formatCount(test.differing),
    ]);
  });
  return tableOf("Wilcoxon signed-rank tests over the means of tasks", columns, rows);
}

/** The usage of each stage as means per run; none if no stage is known. */
export function stagesTables({ stages }: Summary): Table[] {
  const columns = [
    column("Graph", "text"),
    column("Stage", "text"),
    column("Model calls"),
    column("Input tokens"),
    column("Output tokens"),
  ];
  const rows = stages.map((share) =>
    row([
      seriesName(share),
      share.stage,
      formatCount(share.modelCalls, 2),
      formatCount(share.inputTokens),
      formatCount(share.outputTokens),
    ]),
  );
  return tableOf("Model calls and tokens of each stage, means per run", columns, rows);
}

/** The cost of embedding the libraries; none if none was used. */
export function librariesTables({ libraries }: Summary): Table[] {
  const columns = [
    column("Library", "text"),
    column("Embeddings", "text"),
    column("Tools"),
    column("Tokens"),
    column("Dollars"),
  ];
  const rows = libraries.map(({ library, embeddings, tools, embeddingTokens, usd }) =>
    row([
      library,
      embeddings,
      formatCount(tools),
      formatCount(embeddingTokens),
      usd === null ? "price unknown" : formatFigure(usd, "usd"),
    ]),
  );
  return tableOf("Embedding of the tool libraries, apart from the runs", columns, rows);
}

/** The definition and source of every score. */
export function definitionsTables({ scorers }: Summary): Table[] {
  const columns = [
    column("Score", "text"),
    column("Definition", "prose"),
    column("Source", "prose"),
  ];
  const rows = scorers.map(({ id, label, definition, source }) =>
    row([cell(label, id), definition, source ?? NO_FIGURE]),
  );
  return tableOf("Definitions of the scores", columns, rows);
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
  const columns = [
    column("Task", "text"),
    column("Graph", "text"),
    column("Ended", "text"),
    column("Answer", "prose"),
    column("Thread", "text"),
  ];
  const rows = shown.map(({ record, problems }) => {
    const { task, answer, error } = record;
    return row([
      cell(task, clipped(queries.get(task) ?? "", MOST_LETTERS)),
      cell(seriesName(record), `run ${record.run}`),
      record.status,
      cell(clipped(error ?? answer, MOST_LETTERS), Object.values(problems)[0]),
      record.threadId,
    ]);
  });
  const counts = `${formatCount(shown.length)} of ${formatCount(wrong.length)}`;
  return tableOf(`Runs that were not right: ${counts}`, columns, rows);
}

function tableOf(caption: string, columns: Table["columns"], rows: Cell[][]): Table[] {
  return rows.length === 0 ? [] : [{ caption, columns, groups: [{ rows }] }];
}
