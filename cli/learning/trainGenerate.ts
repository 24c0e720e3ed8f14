import { Command, Option } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { tellingProgress } from "../../common/longWork.js";
import { type Generated, generatePairs } from "../../eval/generation/generatePairs.js";
import { METHODS, type Method, type PairsSoFar } from "../../eval/generation/pairFile.js";
import { USUAL_SEED } from "../../eval/retrieval/labelledRequests.js";
import { openChatModel } from "../../models/chat.js";
import { parseSettings } from "../../state/settings.js";
import { droppedText } from "../../eval/generation/generationState.js";
import { type Exit, exitCodeOf, untilCancelled } from "../exit.js";
import { openLibrary } from "../tools/openLibrary.js";
import { printJson, printTable } from "../printing/print.js";
import {
  addModel,
  addSettings,
  examples,
  settingsHelp,
  settingsOf,
  toCount,
  toWhole,
} from "../options.js";

interface GenerateOptions {
  method: Method;
  library?: string;
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
    .requiredOption("--count <n>", "pairs that the file will hold in the end", toCount)
    .option("--seed <n>", "seed for what is drawn", toWhole, USUAL_SEED)
    .requiredOption("--out <file.jsonl>", "JSONL file; pairs that it already holds stay and count");
  return addSettings(addModel(command))
    .addHelpText(
      "after",
      () =>
        settingsHelp() +
        examples([
          "tulipgraph train generate --library office --count 50 --out pairs.jsonl",
          "tulipgraph train generate --method persona --count 200 --out pairs.jsonl --model openai:gpt-4.1-mini --set temperature=1",
          "tulipgraph memory import pairs.jsonl",
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
  const origin = { library, method, seed };
  const work = { label: "generating", unit: "steps", total: count } as const;
  const generated = await untilCancelled((signal) =>
    tellingProgress(work, async (tell) => {
      const onPair = (soFar: PairsSoFar) => tell({ done: soFar.count });
      return await generatePairs({ file, origin, count, settings, signal, onPair });
    }),
  );
  const { reason, count: pairs, ...figures } = generated;
  if (json)
    printJson({ file, reason: reason || undefined, method, seed, model, pairs, ...figures });
  else print(file, model, generated);
  return exitCodeOf(generated.status);
}

function print(file: string, model: string, generated: Generated): void {
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
