import type { RequestSet } from "../eval/retrieval/labelledRequests.js";
import {
  type Change,
  type SearchedRequests,
  type SearchGains,
  type SearchTraining,
  trainSearch,
} from "../eval/retrieval/trainSearch.js";
import { withTemporaryLibraries } from "../eval/retrieval/temporaryLibrary.js";
import { type Context, parseContext } from "../state/context.js";
import type { ToolLibrary } from "../tools/library/library.js";
import { weightsOf } from "../tools/library/searchWeights.js";
import { openLibrary } from "./openLibrary.js";
import { printJson, printTable } from "./print.js";
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

/** `train search`: learns what searches weigh, prints what it is worth and saves it where it finds more. */
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
  const saved = isBetter ? library.saveWeights({ weights, requests: trained.trained }) : undefined;
  if (json) return printJson({ library: library.name, seed, weights, figures, saved });
  printFigures({ trained, library, isSaved: saved !== undefined });
}

/** `train search --remove` */
export async function removeSearchWeights(options: TrainSearchOptions): Promise<void> {
  const context = parseContext({ library: options.library, embeddings: options.embeddings });
  const library = await openLibrary(context);
  const removed = library.removeWeights();
  if (options.json) return printJson({ library: library.name, removed });
  const what = removed ? "weights removed" : "there are no weights of its own";
  process.stdout.write(`${what}: library ${library.name}, ${context.embeddings}\n`);
}

/** Requests for the library are searched in itself; folders have tools of their own. */
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
  const recalls = ["Recall@5", "Recall@10", "COMP@10"];
  const head = ["set", "trained", "held out", ...recalls, "all shown", "tools shown"];
  printTable({ rows: [head, ...trained.figures.map(cells)] });
  const end = isSaved
    ? `saved with library ${library.name}, of ${trained.trained} requests`
    : "nothing is saved: held-out requests find no more with the weights learned than with the usual ones";
  process.stdout.write(`\n${end}\n`);
}

function cells(figures: SearchGains): string[] {
  const { set, trained, tested, recall5, recall10, comp10, complete, shown } = figures;
  const shares = [recall5, recall10, comp10, complete].map((change) => changeText(change, share));
  return [
    set,
    `${trained}`,
    `${tested}`,
    ...shares,
    changeText(shown, (count) => count.toFixed(1)),
  ];
}

/** Before, after, and the interval of the difference. */
function changeText(change: Change, text: (value: number) => string): string {
  const { before, after, difference } = change;
  if (Number.isNaN(before)) return "-";
  return `${text(before)} → ${text(after)} [${text(difference.low)}, ${text(difference.high)}]`;
}

/** Three digits without the nought, as tables of retrieval have them. */
function share(value: number): string {
  return value.toFixed(3).replace(/^(-?)0/, "$1");
}
