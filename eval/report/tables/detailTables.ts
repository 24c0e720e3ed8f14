import type { LibraryCost, Summary } from "../../summary/summary.js";
import { formatCount, formatDifference, formatFigure, formatP, NO_FIGURE } from "../numbers.js";
import { seriesName } from "../scores.js";
import { cell, type Table } from "./table.js";

/** The paired tests between graphs and between settings; absent where there are none. */
export function testsTable(summary: Summary): Table | undefined {
  if (summary.tests.length === 0) return undefined;
  const scorers = new Map(summary.scorers.map((scorer) => [scorer.id, scorer]));
  return {
    caption: "Wilcoxon signed-rank tests over the means of tasks",
    columns: [
      { label: "Score", numeric: false },
      { label: "A", numeric: false },
      { label: "B", numeric: false },
      { label: "A − B", numeric: true },
      { label: "p", numeric: true },
      { label: "Pairs", numeric: true },
      { label: "Differing", numeric: true },
    ],
    groups: [
      {
        rows: summary.tests.map((test) => {
          const scorer = scorers.get(test.score);
          return {
            cells: [
              cell(scorer?.label ?? test.score),
              cell(seriesName(test.a)),
              cell(seriesName(test.b)),
              cell(formatDifference(test.meanDifference, scorer?.unit ?? "count")),
              cell(formatP(test.p)),
              cell(formatCount(test.pairs)),
              cell(formatCount(test.differing)),
            ],
          };
        }),
      },
    ],
  };
}

/** What each stage used: means per run; absent where no stage is known. */
export function stagesTable(summary: Summary): Table | undefined {
  const series = [...new Set(summary.stages.map(seriesName))];
  if (series.length === 0) return undefined;
  return {
    caption: "Model calls and tokens of each stage, means per run",
    grouping: "Graph",
    columns: [
      { label: "Stage", numeric: false },
      { label: "Model calls", numeric: true },
      { label: "Input tokens", numeric: true },
      { label: "Output tokens", numeric: true },
    ],
    groups: series.map((name) => ({
      heading: name,
      rows: summary.stages
        .filter((share) => seriesName(share) === name)
        .map((share) => ({
          cells: [
            cell(share.stage),
            cell(formatCount(share.modelCalls, 2)),
            cell(formatCount(share.inputTokens)),
            cell(formatCount(share.outputTokens)),
          ],
        })),
    })),
  };
}

/** What embedding the libraries took, in whole and per run served; absent where none was used. */
export function librariesTable(summary: Summary): Table | undefined {
  if (summary.libraries.length === 0) return undefined;
  return {
    caption: "Embedding of the tool libraries, apart from the runs",
    columns: [
      { label: "Library", numeric: false },
      { label: "Embeddings", numeric: false },
      { label: "Tools", numeric: true },
      { label: "Tokens", numeric: true },
      { label: "Dollars", numeric: true },
      { label: "Runs served", numeric: true },
      { label: "Tokens a run", numeric: true },
      { label: "Dollars a run", numeric: true },
    ],
    groups: [
      {
        rows: summary.libraries.map((library) => ({
          cells: [
            cell(library.library),
            cell(library.embeddings),
            cell(formatCount(library.tools)),
            cell(formatCount(library.embeddingTokens)),
            cell(library.usd === null ? "price unknown" : formatFigure(library.usd, "usd")),
            cell(formatCount(library.runs)),
            cell(perRun(library, library.embeddingTokens, "tokens")),
            cell(perRun(library, library.usd, "usd")),
          ],
        })),
      },
    ],
  };
}

/** What every score means and where it was published. */
export function definitionsTable(summary: Summary): Table {
  return {
    caption: "Definitions of the scores",
    columns: [
      { label: "Score", numeric: false },
      { label: "Definition", numeric: false, prose: true },
      { label: "Source", numeric: false, prose: true },
    ],
    groups: [
      {
        rows: summary.scorers.map(({ id, label, definition, source }) => ({
          cells: [cell(label, id), cell(definition), cell(source ?? NO_FIGURE)],
        })),
      },
    ],
  };
}

function perRun({ runs }: LibraryCost, total: number | null, unit: "tokens" | "usd"): string {
  return total === null || runs === 0 ? NO_FIGURE : formatFigure(total / runs, unit);
}
