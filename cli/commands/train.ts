import { Command } from "commander";
import type { JudgeFigures } from "../../memory/classifier.js";
import { saveClassifier } from "../../memory/classifier.js";
import { USUAL_SPLIT, trainJudge } from "../../memory/classifierTraining.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { USUAL_SEED } from "../../eval/retrieval/labelledRequests.js";
import { printJson, printTable } from "../printing/print.js";
import { examples, toAmount, toWhole } from "../options.js";
import { withCachedEmbeddings } from "../tools/openLibrary.js";
import {
  removeRetriever,
  type RetrieverOptions,
  trainLibraryRetriever,
} from "../learning/trainRetriever.js";

interface TrainJudgeOptions {
  library?: string;
  heldOut: number;
  seed: number;
  json?: boolean;
}

/** `tulipgraph train judge | retriever` */
export function trainCommand(): Command {
  const command = new Command("train")
    .description("Train the retriever of a library and the judge of calls")
    .addHelpText(
      "after",
      examples([
        "tulipgraph train judge --library office",
        "tulipgraph train retriever --library office --pairs pairs.jsonl",
      ]),
    )
    .addCommand(retrieverCommand());
  command
    .command("judge")
    .description(
      "Train the classifier that judges whether a call helped (setting judge=classifier). It learns from the calls of --library, or of all libraries, and is measured on held-out requests",
    )
    .option("--held-out <share>", "share of requests to hold out", toAmount, USUAL_SPLIT.heldOut)
    .option("--seed <n>", "seed for the held-out requests", toWhole, USUAL_SPLIT.seed)
    .addHelpText(
      "after",
      examples([
        "tulipgraph train judge",
        "tulipgraph train judge --library office --held-out 0.2 --seed 7 --json",
      ]),
    )
    .action(trainAndSave);
  return command;
}

function retrieverCommand(): Command {
  return new Command("retriever")
    .description(
      "Train the retriever of a library. It learns from requests with the tools that they need, and is measured on held-out requests",
    )
    .option("--pairs <file.jsonl>", "JSONL file of requests: query, and the ids of its tools")
    .option("--bench <folder...>", "folders with tools.jsonl and queries.jsonl, instead of --pairs")
    .option("--seed <n>", "seed for the held-out requests", toWhole, USUAL_SEED)
    .option("--remove", "remove the retriever of the library instead")
    .addHelpText(
      "after",
      examples([
        "tulipgraph train retriever --library office --pairs pairs.jsonl",
        "tulipgraph train retriever --library office --bench sets/one sets/two --seed 7",
        "tulipgraph train retriever --library office --remove",
      ]),
    )
    .action(async (options: RetrieverOptions) => {
      if (options.remove) await removeRetriever(options);
      else await trainLibraryRetriever(options);
    });
}

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
      ["precision", shareText(precision)],
      ["recall", shareText(recall)],
      [
        "accuracy",
        `${shareText(accuracy)} (always ${always}: ${shareText(Math.max(baseRate, 1 - baseRate))})`,
      ],
      ["classifier", file],
    ],
  });
}

function shareText(value: number | null): string {
  return value === null ? "-" : value.toFixed(3);
}
