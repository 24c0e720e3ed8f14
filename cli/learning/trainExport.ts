import { Command } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { tellingProgress } from "../../common/longWork.js";
import {
  type FineTuningSet,
  type SetSource,
  USUAL_SET,
  demonstrationsOfSet,
  fineTuningSet,
} from "../../eval/fineTuning/set.js";
import { type RewriteFigures, rewriteTasks } from "../../eval/fineTuning/rewrite.js";
import type { Demonstration } from "../../memory/demonstrations/demonstrationStore.js";
import { writeLines } from "../../memory/jsonLinesFile.js";
import { backgroundOf } from "../../nodes/shared/runBasics.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { OFFLINE_MODEL, type Settings, parseSettings } from "../../state/settings.js";
import { demonstrationsOfThread } from "./demonstrations.js";
import { storedTools } from "./memory.js";
import { printJson, printTable } from "../printing/print.js";
import {
  addModel,
  addSettings,
  examples,
  settingsHelp,
  settingsOf,
  toCount,
  toNatural,
  toShare,
  toWhole,
} from "../options.js";

interface TrainExportOptions {
  library?: string;
  irrelevant: number;
  copies: number;
  multiStep?: number;
  model?: string;
  rewrites?: number;
  set?: Record<string, unknown>;
  seed: number;
  /** What `--no-runs` sets to false. */
  runs: boolean;
  json?: boolean;
}

/** Rewordings of each task if a model is named without a number. */
const USUAL_REWRITES = 1;

const FILE_KIND = {
  name: "fine-tuning set",
  hint: "Name a place where a file can be written",
};

/** `tulipgraph train export FILE` */
export function trainExportCommand(): Command {
  const command = new Command("export")
    .description(
      "Write a fine-tuning set in OpenAI's format from demonstrations and from runs that solved their requests",
    )
    .argument("<file.jsonl>", "JSONL file; overwritten if it exists")
    .option(
      "--irrelevant <n>",
      "tools in each example that it does not need",
      toNatural,
      USUAL_SET.irrelevant,
    )
    .option("--copies <n>", "examples made of each task", toCount, USUAL_SET.copies)
    .option(
      "--multi-step <share>",
      "share of tasks with several calls; by default as they come",
      toShare,
    )
    .option("--no-runs", "use demonstrations only")
    .option(
      "--rewrites <n>",
      `rewordings of each task; ${USUAL_REWRITES} if a model is named`,
      toNatural,
    );
  return addSettings(addModel(command))
    .option("--seed <n>", "seed for order, irrelevant tools and mix", toWhole, USUAL_SET.seed)
    .addHelpText(
      "after",
      () =>
        settingsHelp() +
        examples([
          "tulipgraph train export set.jsonl --library office",
          "tulipgraph train export set.jsonl --copies 3 --multi-step 0.4",
          "tulipgraph train export set.jsonl --model openai:gpt-4.1-mini --rewrites 2",
        ]),
    )
    .action(exportSet);
}

async function exportSet(file: string, options: TrainExportOptions): Promise<void> {
  const { irrelevant, copies, multiStep, seed, json } = options;
  const rewrites = options.rewrites ?? (options.model === undefined ? 0 : USUAL_REWRITES);
  const settings = parseSettings(await settingsOf(options));
  const { library } = settings;
  const demonstrations = await demonstrationsOf(library, options.runs);
  const tools = await storedTools(library);
  const source = { demonstrations, tools, irrelevant, copies, multiStep, seed };
  const { set, rewriting } = await writeSet({ source, rewrites, settings, file });
  const { examples: all, ...figures } = set;
  if (json) printJson({ file, examples: all.length, ...figures, seed, rewriting });
  else printFigures({ file, set, rewriting });
}

/** Makes the set, with rewordings if they are wanted, and writes it. */
async function writeSet(options: {
  source: SetSource;
  rewrites: number;
  settings: Settings;
  file: string;
}): Promise<{ set: FineTuningSet; rewriting?: RewriteFigures }> {
  const { source, rewrites: count, settings, file } = options;
  const { library } = settings;
  const background = backgroundOf(settings);
  const plain = fineTuningSet({ ...source, background });
  const most = plain.examples.length * (1 + count);
  requireExamples(plain, most, library);
  const rewritten =
    count > 0 ? await rewrittenTasks(demonstrationsOfSet(source), count, settings) : undefined;
  const set = rewritten
    ? fineTuningSet({ ...source, background, rewrites: rewritten.rewrites })
    : plain;
  requireExamples(set, set.examples.length, library);
  const lines = set.examples.map((example) => JSON.stringify(example));
  await writeLines({ file, kind: FILE_KIND, lines });
  return { set, rewriting: rewritten?.figures };
}

/** Those in memory, and those from all threads of the library whose last run solved its request. */
async function demonstrationsOf(library: string, runs: boolean): Promise<Demonstration[]> {
  const { experience, checkpoints } = openWorkspace();
  const stored = await experience().demonstrations.list({ library });
  if (!runs) return stored;
  const threads = (await checkpoints().threads.list()).filter(
    ({ status, settings }) => status === "solved" && parseSettings(settings).library === library,
  );
  const shown: Demonstration[] = [];
  for (const thread of threads) shown.push(...(await demonstrationsOfThread(thread)));
  return [...stored, ...shown];
}

function requireExamples(set: FineTuningSet, count: number, library: string): void {
  if (count > 0) return;
  throw new InvalidSetting({
    setting: `fine-tuning set of the library ${library}`,
    problem: `${count} can be made (${leftOutText(set)})`,
    hint: "add demonstrations with: tulipgraph memory import FILE",
  });
}

function leftOutText({ leftOut }: FineTuningSet): string {
  const { unknownTool, unknownResult, mix } = leftOut;
  return `left out: ${unknownTool} with tools that are not there, ${unknownResult} with unknown results, ${mix} for the mix`;
}

function printFigures(options: {
  file: string;
  set: FineTuningSet;
  rewriting?: RewriteFigures;
}): void {
  const { file, set, rewriting } = options;
  const { examples, singleStep, multiStep, tokens } = set;
  printTable({
    rows: [
      ["examples", `${examples.length} (${leftOutText(set)})`],
      ["tasks", `${singleStep} with one call, ${multiStep} with more`],
      ...(rewriting ? [["rewrites", rewritesText(rewriting)]] : []),
      [
        "tokens",
        `${tokens.total}, ${tokens.mean} an example, at most ${tokens.longest} (estimated)`,
      ],
      ["file", file],
    ],
  });
}

/** Has a model reword the tasks of a set. */
async function rewrittenTasks(
  demonstrations: readonly Demonstration[],
  count: number,
  settings: Settings,
) {
  if (settings.model === OFFLINE_MODEL) {
    throw new InvalidSetting({
      setting: "rewrites",
      problem: `${OFFLINE_MODEL} cannot reword a task`,
      hint: "Name a language model with --model, such as openai:gpt-4.1-mini, or leave --rewrites out",
    });
  }
  const work = { label: "rewriting", unit: "steps", total: demonstrations.length } as const;
  return await tellingProgress(work, (tell) => {
    const onDone = (done: number) => tell({ done });
    return rewriteTasks({ demonstrations, count, settings, onDone });
  });
}

/** The figures in one line. */
function rewritesText({ made, dropped, usage }: RewriteFigures): string {
  const { duplicate, lostLiteral, unusable, limit } = dropped;
  const reasons = `${duplicate} as there already, ${lostLiteral} without a value of the calls, ${unusable} unusable, ${limit} for a limit`;
  return `${made} (left out: ${reasons}), ${usage.modelCalls} model calls`;
}
