import type { LibraryCost, Summary } from "../../summary/summary.js";
import { formatCount, formatDifference, formatFigure, formatP, NO_FIGURE } from "../figureText.js";
import { seriesName } from "../scores.js";
import { cell, column, row, type Table, textColumn } from "./table.js";

/** The paired tests between graphs and between variants; absent if there are none. */
export function testsTable(summary: Summary): Table | undefined {
  if (summary.tests.length === 0) return undefined;
  const scorers = new Map(summary.scorers.map((scorer) => [scorer.id, scorer]));
  return {
    caption: "Wilcoxon signed-rank tests over the means of tasks",
    columns: [
      textColumn("Score"),
      textColumn("A"),
      textColumn("B"),
      column("A − B"),
      column("p"),
      column("Pairs"),
      column("Differing"),
    ],
    groups: [
      {
        rows: summary.tests.map((test) => {
          const scorer = scorers.get(test.score);
          return row([
            scorer?.label ?? test.score,
            seriesName(test.a),
            seriesName(test.b),
            formatDifference(test.meanDifference, scorer?.unit ?? "count"),
            formatP(test.p),
            formatCount(test.pairs),
            formatCount(test.differing),
          ]);
        }),
      },
    ],
  };
}

/** The usage of each stage as means per run; absent if no stage is known. */
export function stagesTable(summary: Summary): Table | undefined {
  const series = [...new Set(summary.stages.map(seriesName))];
  if (series.length === 0) return undefined;
  return {
    caption: "Model calls and tokens of each stage, means per run",
    grouping: "Graph",
    columns: [
      textColumn("Stage"),
      column("Model calls"),
      column("Input tokens"),
      column("Output tokens"),
    ],
    groups: series.map((name) => ({
      heading: name,
      rows: summary.stages
        .filter((share) => seriesName(share) === name)
        .map((share) =>
          row([
            share.stage,
            formatCount(share.modelCalls, 2),
            formatCount(share.inputTokens),
            formatCount(share.outputTokens),
          ]),
        ),
    })),
  };
}

/** The cost of embedding the libraries, in total and per run; absent if none was used. */
export function librariesTable(summary: Summary): Table | undefined {
  if (summary.libraries.length === 0) return undefined;
  return {
    caption: "Embedding of the tool libraries, apart from the runs",
    columns: [
      textColumn("Library"),
      textColumn("Embeddings"),
      column("Tools"),
      column("Tokens"),
      column("Dollars"),
      column("Runs served"),
      column("Tokens a run"),
      column("Dollars a run"),
    ],
    groups: [
      {
        rows: summary.libraries.map((library) =>
          row([
            library.library,
            library.embeddings,
            formatCount(library.tools),
            formatCount(library.embeddingTokens),
            library.usd === null ? "price unknown" : formatFigure(library.usd, "usd"),
            formatCount(library.runs),
            perRun(library, library.embeddingTokens, "tokens"),
            perRun(library, library.usd, "usd"),
          ]),
        ),
      },
    ],
  };
}

/** The definition and source of every score. */
export function definitionsTable(summary: Summary): Table {
  return {
    caption: "Definitions of the scores",
    columns: [
      textColumn("Score"),
      { label: "Definition", numeric: false, prose: true },
      { label: "Source", numeric: false, prose: true },
    ],
    groups: [
      {
        rows: summary.scorers.map(({ id, label, definition, source }) =>
          row([cell(label, id), definition, source ?? NO_FIGURE]),
        ),
      },
    ],
  };
}

function perRun({ runs }: LibraryCost, total: number | null, unit: "tokens" | "usd"): string {
  return total === null || runs === 0 ? NO_FIGURE : formatFigure(total / runs, unit);
}
