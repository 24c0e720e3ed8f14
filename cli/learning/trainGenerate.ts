import { Command, Option } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { type Generated, generatePairs } from "../../eval/generation/generatePairs.js";
import type { PairsSoFar } from "../../eval/generation/pairFile.js";
import { METHODS, type Method } from "../../eval/generation/pairLine.js";
import { USUAL_SEED } from "../../eval/retrieval/split.js";
import { untilCancelled } from "../untilCancelled.js";
import { openChatModel } from "../../models/chat.js";
import { parseSettings } from "../../state/settings.js";
import { droppedText } from "../../eval/generation/generationState.js";
import { examples } from "../helpExamples.js";
import { type Exit, exitCodeOf } from "../exit.js";
import { openLibrary } from "../tools/openLibrary.js";
import { printJson, printTable } from "../printing/print.js";
import { addSettings, settingsHelp, settingsOf, toCount, toWhole } from "../options.js";

interface GenerateOptions {
  method: Method;
  library?: string;
  embeddings?: string;
  count: number;
  seed: number;
  out: string;
  model?: string;
  set?: Record<string, unknown>;
  json?: boolean;
}

/** `tulipgraph train generate` */
export function trainGenerateCommand(exit: Exit): Command {
  const command = new Command("generate")
    .description(
      "Generate requests with plans that are checked and run, as demonstrations or as pairs for train retriever; the same command continues an unfinished file",
    )
    .addOption(
      new Option(
        "--method <name>",
        "flow: plans first, then words; persona: requests first, then plans",
      )
        .choices(METHODS)
        .default("flow"),
    )
    .option("--library <name>", "tool library that the plans are for")
    .option("--embeddings <provider:name>", "embedding model of the library")
    .requiredOption("--count <n>", "pairs that the file will hold in the end", toCount)
    .option("--seed <n>", "seed for what is drawn", toWhole, USUAL_SEED)
    .requiredOption("--out <file>", "JSONL file; pairs that it already holds stay and count")
    .option("--model <provider:name>", "chat model that writes");
  return addSettings(command)
    .option("--json", "print one JSON object and nothing else")
    .addHelpText(
      "after",
      () =>
        settingsHelp() +
        examples([
          "tulipgraph train generate --library office --count 50 --out pairs.jsonl",
          "tulipgraph train generate --method persona --count 200 --out pairs.jsonl --model openai:gpt-4.1-mini --set temperature=1",
          "tulipgraph memory import pairs.jsonl",
          "tulipgraph train retriever --library office --pairs pairs.jsonl",
        ]),
    )
    .action(async (options: GenerateOptions) => {
      exit(await generate(options));
    });
}

async function generate(options: GenerateOptions): Promise<number> {
  const { method, count, seed, out: file, json } = options;
  if (file.trim() === "") throw new InvalidSetting({ setting: "--out", problem: "is empty" });
  const settings = await settingsOf(options);
  const { model, embeddings, library, maxOutputTokens } = parseSettings(settings);
  await openChatModel(model, { maxOutputTokens });
  await openLibrary({ library, embeddings });
  const generated = await untilCancelled((signal) =>
    generatePairs({
      file,
      origin: { library, method, seed },
      count,
      settings,
      signal,
      onPair: progressOf(count),
    }),
  );
  if (json) printJson(reported({ file, model, generated, options }));
  else print({ file, model, generated });
  return exitCodeOf(generated.status);
}

/** Prints a line on stderr for every tenth of the pairs. */
function progressOf(wanted: number): (soFar: PairsSoFar) => void {
  const step = Math.ceil(wanted / 10);
  return ({ count }) => {
    if (count % step === 0) process.stderr.write(`generating: ${count} of ${wanted} pairs\n`);
  };
}

function reported(options: {
  file: string;
  model: string;
  generated: Generated;
  options: GenerateOptions;
}) {
  const { file, model, generated } = options;
  const { method, seed } = options.options;
  const { status, reason, count, added, dropped, lengths, usage } = generated;
  const counts = { pairs: count, added, dropped, lengths };
  return { file, status, reason: reason || undefined, method, seed, model, ...counts, usage };
}

function print(options: { file: string; model: string; generated: Generated }): void {
  const { file, model, generated } = options;
  const { count, added, dropped, lengths, usage, reason } = generated;
  const steps = Object.entries(lengths).map(([length, pairs]) => `${pairs} of ${length}`);
  printTable({
    rows: [
      ["pairs", `${count}, ${added} of them new`],
      ["steps", steps.join(", ") || "-"],
      ["dropped", droppedText(dropped) || "none"],
      ["model", `${model}, ${usage.modelCalls} calls`],
      ["file", file],
    ],
  });
  if (reason) process.stderr.write(`${reason}\n`);
}
