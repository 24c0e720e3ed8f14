import type { CommandForm } from "../command.js";
import { type JudgeFigures, saveClassifier } from "../../memory/classifier.js";
import { USUAL_SPLIT, trainJudge } from "../../memory/classifierTraining.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import {
  USUAL_SEED,
  readRequestFolder,
  readRequests,
} from "../../eval/retrieval/labelledRequests.js";
import { printJson, printTable, shareText, printLine, tell } from "../printing/print.js";
import { toAmount, toWhole } from "../options.js";
import { withCachedEmbeddings, openLibrary } from "../tools/openLibrary.js";
import { InvalidSetting } from "../../common/errors.js";
import { type RetrieverTraining, trainRetriever } from "../../eval/retrieval/trainRetriever.js";
import type { TrainingRound } from "../../tools/library/adapter/trainAdapter.js";

interface TrainJudgeOptions {
  library?: string;
  heldOut: number;
  seed: number;
  json?: boolean;
}

/** `tulipgraph train judge | retriever` */
export const TRAIN: CommandForm = {
  about: "Train the retriever of a library and the judge of calls",
  examples: [
    "tulipgraph train judge --library office",
    "tulipgraph train retriever --library office --pairs pairs.jsonl",
  ],
  commands: {
    retriever: {
      about:
        "Train the retriever of a library. It learns from requests with the tools that they need, and is measured on held-out requests",
      options: {
        "--pairs <file.jsonl>": "JSONL file of requests: query, and the ids of its tools",
        "--bench <folder...>": "folders with tools.jsonl and queries.jsonl, instead of --pairs",
        "--seed <n>": { text: "seed for the held-out requests", read: toWhole, usual: USUAL_SEED },
        "--remove": "remove the retriever of the library instead",
      },
      examples: [
        "tulipgraph train retriever --library office --pairs pairs.jsonl",
        "tulipgraph train retriever --library office --bench sets/one sets/two --seed 7",
        "tulipgraph train retriever --library office --remove",
      ],
      run: (options: RetrieverOptions) =>
        options.remove ? removeRetriever(options) : trainLibraryRetriever(options),
    },
    judge: {
      about:
        "Train the classifier that judges whether a call helped (setting judge=classifier). It learns from the calls of --library, or of all libraries, and is measured on held-out requests",
      options: {
        "--held-out <share>": {
          text: "share of requests to hold out",
          read: toAmount,
          usual: USUAL_SPLIT.heldOut,
        },
        "--seed <n>": {
          text: "seed for the held-out requests",
          read: toWhole,
          usual: USUAL_SPLIT.seed,
        },
      },
      examples: [
        "tulipgraph train judge",
        "tulipgraph train judge --library office --held-out 0.2 --seed 7 --json",
      ],
      run: trainAndSave,
    },
  },
};

async function trainAndSave(options: TrainJudgeOptions): Promise<void> {
  const { library, heldOut, seed, json } = options;
  const { embeddings } = parseSettings({});
  const workspace = openWorkspace();
  const experience = await workspace.experience();
  const { classifier, figures } = await withCachedEmbeddings(embeddings, ({ embeddings: model }) =>
    trainJudge({
      pastCalls: experience.pastCalls({ library }),
      embeddings: { name: embeddings, model },
      heldOut,
      seed,
    }),
  );
  const file = saveClassifier({ home: workspace.home, classifier });
  if (json) printJson({ ...figures, embeddings, seed, file });
  else printFigures(figures, file);
}

function printFigures(figures: JudgeFigures, file: string): void {
  const { train, heldOut, positives, precision, recall, accuracy, baseRate } = figures;
  const always = baseRate < 0.5 ? "unhelpful" : "helpful";
  printTable({
    rows: [
      ["trained on", `${train} calls`],
      ["held out", `${heldOut} calls of other requests, ${positives} of them helpful`],
      ["precision", figureOf(precision)],
      ["recall", figureOf(recall)],
      [
        "accuracy",
        `${figureOf(accuracy)} (always ${always}: ${figureOf(Math.max(baseRate, 1 - baseRate))})`,
      ],
      ["classifier", file],
    ],
  });
}

function figureOf(value: number | null): string {
  return value === null ? "-" : value.toFixed(3);
}

interface RetrieverOptions {
  library?: string;
  pairs?: string;
  bench?: string[];
  seed: number;
  remove?: boolean;
  json?: boolean;
}

/** `train retriever`: trains an adapter, prints its figures, and saves it with the library if searches find more with it. */
async function trainLibraryRetriever(options: RetrieverOptions): Promise<void> {
  const { pairs, bench, seed, json } = options;
  const settings = parseSettings({ library: options.library });
  requireOneSource(pairs, bench);
  const library = await openLibrary(settings);
  const { name } = library;
  const sets =
    pairs === undefined
      ? await Promise.all((bench ?? []).map(readRequestFolder))
      : [await readRequests({ setting: "pairs", name, file: pairs, tools: library.list() })];
  const trained = await withCachedEmbeddings(settings.embeddings, (model) =>
    trainRetriever({ sets, model, seed, onRound: showRound }),
  );
  const { weights, dimension, bestRound, rounds, figures, isBetter } = trained;
  const saved =
    bestRound > 0 && isBetter
      ? await library.saveAdapter({ dimension, weights, requests: trained.trained })
      : undefined;
  if (json) printJson({ library: library.name, seed, bestRound, rounds, figures, saved });
  else printRetriever(trained, library.name, saved?.revision);
}

function requireOneSource(pairs?: string, bench?: string[]): void {
  if ((pairs === undefined) !== (bench === undefined)) return;
  throw new InvalidSetting({
    setting: "pairs",
    problem: "give either --pairs FILE or --bench FOLDER…",
    hint: 'A line of FILE is one request: { "query": "…", "tools": ["id"] }',
  });
}

/** `train retriever --remove` */
async function removeRetriever(options: RetrieverOptions): Promise<void> {
  const settings = parseSettings({ library: options.library });
  const library = await openLibrary(settings);
  const removed = await library.removeAdapters();
  if (options.json) return printJson({ library: library.name, removed });
  const what = removed > 0 ? "adapter removed" : "there is no adapter";
  printLine(`${what}: library ${library.name}, ${settings.embeddings}`);
}

function showRound({ round, loss, recall }: TrainingRound): void {
  const figures = `loss ${loss.toFixed(3)}, Recall@5 to stop by ${shareText(recall)}`;
  tell(`training: round ${round}, ${figures}`);
}

function printRetriever(trained: RetrieverTraining, library: string, revision?: number): void {
  const { figures, bestRound } = trained;
  const rows = figures.map(({ set, trained: learned, tested, plain, adapted }) => {
    return [set, `${learned}`, `${tested}`, shareText(plain), shareText(adapted)];
  });
  printTable({ rows: [["set", "trained", "held out", "Recall@5", "adapted"], ...rows] });
  const nothing =
    bestRound === 0
      ? "no round of training found more than the plain search"
      : "searches find no more with it";
  const end =
    revision === undefined
      ? `nothing is saved: ${nothing}`
      : `saved as retriever ${revision} of library ${library}`;
  printLine(`\n${end}`);
}
