import type { RequestSet } from "../../eval/retrieval/labelledRequests.js";
import {
  type Change,
  type SearchedRequests,
  type SearchGains,
  type SearchTraining,
  trainSearch,
} from "../../eval/retrieval/trainSearch.js";
import { withTemporaryLibraries } from "../../eval/retrieval/temporaryLibrary.js";
import { type Context, parseContext } from "../../state/context.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { weightsOf } from "../../tools/library/searchWeights.js";
import { openLibrary } from "../tools/openLibrary.js";
import { printJson, printTable, shareText } from "../printing/print.js";
import { readRequestSets, requireOneSource, withCachedEmbeddings } from "./requestSets.js";

/** Options of `train search`. */
export interface TrainSearchOptions {
  library?: string;
  embeddings?: string;
  queries?: string;
  bench?: string[];
  seed: number;
  remove?: boolean;
  json?: boolean;
}

/** `train search`: learns the weights of searches, prints what they gain, and saves them if searches find more. */
export async function trainLibrarySearch(options: TrainSearchOptions): Promise<void> {
  const { queries: file, bench, seed, json } = options;
  const context = parseContext({ library: options.library, embeddings: options.embeddings });
  const source = { option: "queries", file, bench };
  requireOneSource(source);
  const library = await openLibrary(context);
  const sets = await readRequestSets({ ...source, library });
  const trained = await withLibraries({ sets, context, library, bench }, (searched, model) =>
    trainSearch({
      setting: "queries",
      sets: searched,
      weights: weightsOf(model),
      topK: context.primingTopK,
      seed,
      onField: ({ field, weight, loss }) =>
        process.stderr.write(`training: ${field} ${weight}, loss ${loss.toFixed(3)}\n`),
    }),
  );
  const { weights, figures, isBetter } = trained;
  const saved = isBetter
    ? await library.saveWeights({ weights, requests: trained.trained })
    : undefined;
  if (json) return printJson({ library: library.name, seed, weights, figures, saved });
  printFigures({ trained, library, isSaved: saved !== undefined });
}

/** `train search --remove` */
export async function removeSearchWeights(options: TrainSearchOptions): Promise<void> {
  const context = parseContext({ library: options.library, embeddings: options.embeddings });
  const library = await openLibrary(context);
  const removed = await library.removeWeights();
  if (options.json) return printJson({ library: library.name, removed });
  const what = removed ? "weights removed" : "there are no weights of its own";
  process.stdout.write(`${what}: library ${library.name}, ${context.embeddings}\n`);
}

/** Requests of a file are searched in the library; folders bring their own tools. */
async function withLibraries(
  options: {
    sets: readonly RequestSet[];
    context: Context;
    library: ToolLibrary;
    bench: readonly string[] | undefined;
  },
  work: (searched: SearchedRequests[], model: string) => Promise<SearchTraining>,
): Promise<SearchTraining> {
  const { sets, context, library, bench } = options;
  return await withCachedEmbeddings(context.embeddings, async (model) => {
    if (!bench)
      return await work(
        sets.map((set) => ({ ...set, library })),
        model.name,
      );
    const tools = sets.map((set) => set.tools);
    return await withTemporaryLibraries({ sets: tools, model }, async (libraries) => {
      const searched = sets.flatMap((set, at) => {
        const own = libraries[at];
        return own ? [{ ...set, library: own }] : [];
      });
      return await work(searched, model.name);
    });
  });
}

function printFigures(options: {
  trained: SearchTraining;
  library: ToolLibrary;
  isSaved: boolean;
}): void {
  const { trained, library, isSaved } = options;
  const head = ["set", "figure", "usual", "learned", "difference, 95 %"];
  printTable({ rows: [head, ...trained.figures.flatMap(rowsOf)] });
  const counts = trained.figures.map(
    ({ set, trained: known, tested }) => `${set}: ${known} learned from, ${tested} held out`,
  );
  const end = isSaved
    ? `saved with library ${library.name}`
    : "nothing is saved: held-out requests find no more with the weights learned than with the usual ones";
  process.stdout.write(`\n${[...counts, end].join("\n")}\n`);
}

function rowsOf(figures: SearchGains): string[][] {
  const { set, recall5, recall10, comp10, complete, shown } = figures;
  return [
    [set, "Recall@5", ...changeCells(recall5, shareText)],
    ["", "Recall@10", ...changeCells(recall10, shareText)],
    ["", "COMP@10", ...changeCells(comp10, shareText)],
    ["", "all tools shown", ...changeCells(complete, shareText)],
    ["", "tools shown", ...changeCells(shown, countText)],
  ];
}

function changeCells(change: Change, text: (value: number) => string): string[] {
  const { before, after, difference } = change;
  if (Number.isNaN(before)) return ["-", "-", "-"];
  const { low, high } = difference;
  return [text(before), text(after), `${text(after - before)} [${text(low)}, ${text(high)}]`];
}

function countText(value: number): string {
  return value.toFixed(1);
}
