import { join } from "node:path";
import { InvalidSetting } from "../common/errors.js";
import {
  readRequestFolder,
  readRequests,
  type RequestSet,
} from "../eval/retrieval/labelledRequests.js";
import type { AdapterFigures, FoundShare } from "../eval/retrieval/adapterFigures.js";
import { trainRetriever } from "../eval/retrieval/trainRetriever.js";
import { cachedEmbeddings } from "../models/embeddingCache.js";
import { openEmbeddings } from "../models/embeddings.js";
import { openWorkspace } from "../workspace/workspace.js";
import { parseContext } from "../state/context.js";
import type { TrainingRound } from "../tools/library/adapter/trainAdapter.js";
import type { ToolLibrary } from "../tools/library/library.js";
import { openLibrary } from "./openLibrary.js";
import { printJson, printTable } from "./print.js";

/** Options of `train retriever`. */
export interface RetrieverOptions {
  library?: string;
  embeddings?: string;
  pairs?: string;
  bench?: string[];
  seed: number;
  remove?: boolean;
  json?: boolean;
}

/** `train retriever`: trains an adapter, prints its figures and saves it with the library. */
export async function trainLibraryRetriever(options: RetrieverOptions): Promise<void> {
  const { seed, json } = options;
  const context = parseContext({ library: options.library, embeddings: options.embeddings });
  requireOneSource(options);
  const library = await openLibrary(context);
  const sets = await readSets({ ...options, library });
  const opened = await openEmbeddings(context.embeddings);
  const { name } = opened;
  const cached = cachedEmbeddings({
    embeddings: opened,
    model: name,
    file: join(openWorkspace().home, "embeddings.db"),
  });
  try {
    const model = { embeddings: cached, name };
    const trained = await trainRetriever({ sets, model, seed, onRound: showRound });
    const { weights, dimension, bestRound, rounds, figures } = trained;
    const saved =
      bestRound > 0
        ? library.saveAdapter({ dimension, weights, requests: trained.trained })
        : undefined;
    if (json) printJson({ library: library.name, seed, bestRound, rounds, figures, saved });
    else printFigures({ figures, library, revision: saved?.revision });
  } finally {
    cached.close();
  }
}

/** `train retriever --remove` */
export async function removeRetriever(options: RetrieverOptions): Promise<void> {
  const context = parseContext({ library: options.library, embeddings: options.embeddings });
  const library = await openLibrary(context);
  const removed = library.removeAdapters();
  if (options.json) return printJson({ library: library.name, removed });
  const what = removed > 0 ? "adapter removed" : "there is no adapter";
  process.stdout.write(`${what}: library ${library.name}, ${context.embeddings}\n`);
}

function requireOneSource({ pairs, bench }: RetrieverOptions): void {
  if ((pairs === undefined) !== (bench === undefined)) return;
  throw new InvalidSetting({
    setting: "pairs",
    problem: "give either --pairs FILE or --bench FOLDER…",
    hint: 'A line of FILE is one request: { "query": "…", "tools": ["id"] }',
  });
}

async function readSets(
  options: Omit<RetrieverOptions, "library"> & { library: ToolLibrary },
): Promise<RequestSet[]> {
  const { pairs, bench = [], library } = options;
  if (pairs === undefined) return await Promise.all(bench.map(readRequestFolder));
  const { name } = library;
  return [await readRequests({ setting: "pairs", name, file: pairs, tools: library.list() })];
}

function showRound({ round, loss, recall }: TrainingRound): void {
  const figures = `loss ${loss.toFixed(3)}, Recall@5 to stop by ${share(recall)}`;
  process.stderr.write(`training: round ${round}, ${figures}\n`);
}

function printFigures(options: {
  figures: readonly AdapterFigures[];
  library: ToolLibrary;
  revision?: number;
}): void {
  const { figures, library, revision } = options;
  const head = ["set", "trained", "held out", "Recall@5", "adapted", "tools seen", "unseen"];
  printTable({ rows: [head, ...figures.map(cells)] });
  const end =
    revision === undefined
      ? `nothing is saved: no round of training found more than the plain search`
      : `saved as retriever ${revision} of library ${library.name}`;
  process.stdout.write(`\n${end}\n`);
}

function cells({ set, trained, tested, plain, adapted, seen, unseen }: AdapterFigures): string[] {
  const counts = [`${trained}`, `${tested}`];
  return [set, ...counts, share(plain), share(adapted), foundText(seen), foundText(unseen)];
}

function foundText({ pairs, plain, adapted }: FoundShare): string {
  return pairs === 0 ? "-" : `${share(plain)} → ${share(adapted)} (${pairs})`;
}

/** Three digits without the nought, as tables of retrieval have them. */
function share(value: number): string {
  return Number.isNaN(value) ? "-" : value.toFixed(3).replace(/^0/, "");
}
