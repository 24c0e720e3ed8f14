import type { CommandForm } from "../command.js";
import {
  removeRetriever,
  type RetrieverOptions,
  trainLibraryRetriever,
} from "../learning/trainRetriever.js";
import { type JudgeFigures, saveClassifier, trainJudge } from "../../memory/classifier.js";
import { namedEmbeddings } from "../../models/embeddings/embeddings.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { USUAL_SEED } from "../../eval/retrieval/labelledRequests.js";
import { printJson, printTable } from "../printing/print.js";
import { toWhole } from "../options.js";
import type { CommonOptions } from "../tools/openLibrary.js";

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
      examples: ["tulipgraph train judge", "tulipgraph train judge --library office --json"],
      run: trainAndSave,
    },
  },
};

async function trainAndSave({ library, json }: CommonOptions): Promise<void> {
  const { embeddings: name } = parseSettings({});
  const workspace = openWorkspace();
  const experience = await workspace.experience();
  const classifier = await trainJudge({
    pastCalls: experience.pastCalls({ library }),
    embeddings: await namedEmbeddings(name),
  });
  const { figures, seed } = classifier;
  const file = saveClassifier({ home: workspace.home, classifier });
  if (json) printJson({ ...figures, embeddings: name, seed, file });
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
