import { InvalidSetting } from "../../common/errors.js";
import { readRequestFolder, readRequests } from "../../eval/retrieval/labelledRequests.js";
import { type RetrieverTraining, trainRetriever } from "../../eval/retrieval/trainRetriever.js";
import { parseSettings } from "../../state/settings.js";
import type { TrainingRound } from "../../tools/library/adapter/trainAdapter.js";
import { openLibrary, cachedEmbeddings } from "../tools/openLibrary.js";
import { printJson, printTable, shareText } from "../printing/print.js";

/** Options of `train retriever`. */
export interface RetrieverOptions {
  library?: string;
  pairs?: string;
  bench?: string[];
  seed: number;
  remove?: boolean;
  json?: boolean;
}

/** `train retriever`: trains an adapter, prints its figures, and saves it with the library if searches find more with it. */
export async function trainLibraryRetriever(options: RetrieverOptions): Promise<void> {
  const { pairs, bench, seed, json } = options;
  const settings = parseSettings({ library: options.library });
  requireOneSource(pairs, bench);
  const library = await openLibrary(settings);
  const { name } = library;
  const sets =
    pairs === undefined
      ? await Promise.all((bench ?? []).map(readRequestFolder))
      : [await readRequests({ setting: "pairs", name, file: pairs, tools: library.list() })];
  const model = await cachedEmbeddings(settings.embeddings);
  const trained = await trainRetriever({ sets, model, seed, onRound: showRound });
  const { weights, dimension, bestRound, rounds, figures, isBetter } = trained;
  const saved =
    bestRound > 0 && isBetter
      ? await library.saveAdapter({ dimension, weights, requests: trained.trained })
      : undefined;
  if (json) printJson({ library: library.name, seed, bestRound, rounds, figures, saved });
  else printFigures(trained, library.name, saved?.revision);
}

function requireOneSource(pairs?: string, bench?: string[]): void {
  if ((pairs === undefined) !== (bench === undefined)) return;
  throw new InvalidSetting({
    setting: "pairs",
    problem: "give either --pairs FILE or --bench and folders",
    hint: 'A line of FILE is one request: { "query": "…", "tools": ["id"] }',
  });
}

/** `train retriever --remove` */
export async function removeRetriever(options: RetrieverOptions): Promise<void> {
  const settings = parseSettings({ library: options.library });
  const library = await openLibrary(settings);
  const removed = await library.removeAdapters();
  if (options.json) return printJson({ library: library.name, removed });
  const what = removed > 0 ? "adapter removed" : "there is no adapter";
  process.stdout.write(`${what}: library ${library.name}, ${settings.embeddings}\n`);
}

function showRound({ round, loss, recall }: TrainingRound): void {
  const figures = `loss ${loss.toFixed(3)}, Recall@5 to stop by ${shareText(recall)}`;
  process.stderr.write(`training: round ${round}, ${figures}\n`);
}

function printFigures(trained: RetrieverTraining, library: string, revision?: number): void {
  const { figures, bestRound } = trained;
  const rows = figures.map(({ set, trained: learned, tested, ...recall }) => {
    const { plain, adapted, plain10, adapted10 } = recall;
    return [set, `${learned}`, `${tested}`, ...[plain, adapted, plain10, adapted10].map(shareText)];
  });
  const recalls = ["Recall@5", "adapted", "Recall@10", "adapted"];
  printTable({ keys: 1, rows: [["set", "trained", "held out", ...recalls], ...rows] });
  const nothing =
    bestRound === 0
      ? "no round of training found more than the plain search"
      : "searches find no more with it";
  const end =
    revision === undefined
      ? `nothing is saved: ${nothing}`
      : `saved as retriever ${revision} of library ${library}`;
  process.stdout.write(`\n${end}\n`);
}
