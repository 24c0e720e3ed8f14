import { Command } from "commander";
import { InvalidSetting } from "../errors.js";
import { type FineTuningSet, USUAL_SET, fineTuningSet } from "../eval/fineTuning/set.js";
import type { Demonstration } from "../memory/demonstrations/demonstration.js";
import { writeLines } from "../memory/jsonLinesFile.js";
import { openFineTuning } from "../models/fineTuning.js";
import { backgroundOf } from "../nodes/background.js";
import { openResources } from "../resources/resources.js";
import { parseContext } from "../state/context.js";
import { demonstrationsOfThread } from "./demonstrations.js";
import { examples } from "./examples.js";
import { storedTools } from "./memory.js";
import { printJson, printTable } from "./print.js";
import { toCount, toNumber, toWhole } from "./runOptions.js";

interface TrainExportOptions {
  library?: string;
  irrelevant: number;
  copies: number;
  multiStep?: number;
  seed: number;
  /** What `--no-runs` sets to false. */
  runs: boolean;
  submit?: string;
  json?: boolean;
}

/** Examples that OpenAI wants at least for a fine-tuning job. */
const FEWEST_EXAMPLES = 10;

const FILE_KIND = {
  name: "fine-tuning set",
  hint: "Name a place where a file can be written",
};

/** `tulipgraph train export FILE` */
export function trainExportCommand(): Command {
  return new Command("export")
    .description(
      "Write a fine-tuning set in OpenAI's format, made of demonstrations and of runs that have solved their requests",
    )
    .argument("<file>", "JSONL file; written anew when it exists")
    .option("--library <name>", "the library whose tools are learnt")
    .option(
      "--irrelevant <n>",
      "tools on offer in each example that it does not need",
      toWhole,
      USUAL_SET.irrelevant,
    )
    .option("--copies <n>", "times that each task is taken", toCount, USUAL_SET.copies)
    .option(
      "--multi-step <share>",
      "share of tasks with several calls; else as they come",
      toNumber,
    )
    .option("--no-runs", "of demonstrations alone")
    .option("--seed <n>", "decides order, irrelevant tools and mix", toWhole, USUAL_SET.seed)
    .option("--submit <model>", "upload the set to OpenAI and fine-tune this model with it")
    .option("--json", "print one JSON object and nothing else")
    .addHelpText(
      "after",
      examples([
        "tulipgraph train export set.jsonl --library office",
        "tulipgraph train export set.jsonl --copies 3 --multi-step 0.4",
        "tulipgraph train export set.jsonl --submit gpt-4.1-mini-2025-04-14",
      ]),
    )
    .action(exportSet);
}

async function exportSet(file: string, options: TrainExportOptions): Promise<void> {
  const { irrelevant, copies, multiStep, seed, submit: model, json } = options;
  requireShare(multiStep);
  if (irrelevant < 0) {
    throw new InvalidSetting({ setting: "irrelevant", problem: `${irrelevant} is less than none` });
  }
  // Opened first: without a key there is nothing to submit to, and no reason to begin.
  const training = model === undefined ? undefined : await openFineTuning({ model });
  const context = parseContext({ library: options.library });
  const { library } = context;
  const set = fineTuningSet({
    demonstrations: await demonstrationsOf({ library, runs: options.runs }),
    tools: await storedTools(library),
    background: backgroundOf(context),
    irrelevant,
    copies,
    multiStep,
    seed,
  });
  requireExamples({ set, library, fewest: training ? FEWEST_EXAMPLES : 1 });
  const lines = set.examples.map((example) => JSON.stringify(example));
  await writeLines({ file, kind: FILE_KIND, lines });
  const job = await training?.submit({ file, seed });
  const { examples: made, ...figures } = set;
  if (json) printJson({ file, examples: made.length, ...figures, seed, ...(job ? { job } : {}) });
  else printFigures({ file, set, job });
}

/** Those in memory, and those of all threads of the library whose last run has solved its request. */
async function demonstrationsOf(options: {
  library: string;
  runs: boolean;
}): Promise<Demonstration[]> {
  const { library, runs } = options;
  const { experience, checkpoints } = openResources();
  const stored = experience().demonstrations.list({ library });
  if (!runs) return stored;
  const threads = checkpoints()
    .threads.list()
    .filter(
      ({ status, settings }) => status === "solved" && parseContext(settings).library === library,
    );
  const shown: Demonstration[] = [];
  for (const thread of threads) shown.push(...(await demonstrationsOfThread(thread)));
  return [...stored, ...shown];
}

function requireShare(multiStep: number | undefined): void {
  if (multiStep === undefined || (multiStep >= 0 && multiStep <= 1)) return;
  throw new InvalidSetting({
    setting: "multi-step",
    problem: `${multiStep} is no share from 0 to 1`,
  });
}

function requireExamples(options: { set: FineTuningSet; library: string; fewest: number }): void {
  const { set, library, fewest } = options;
  const count = set.examples.length;
  if (count >= fewest) return;
  const wanted = fewest > 1 ? `${fewest} examples are wanted, ` : "";
  throw new InvalidSetting({
    setting: `fine-tuning set of the library ${library}`,
    problem: `${wanted}${count} can be made (${leftOutText(set)})`,
    hint: "add demonstrations with: tulipgraph memory demos import FILE",
  });
}

function leftOutText({ leftOut }: FineTuningSet): string {
  const { unknownTool, unknownResult, mix } = leftOut;
  return `left out: ${unknownTool} with tools that are not there, ${unknownResult} with unknown results, ${mix} for the mix`;
}

function printFigures(options: { file: string; set: FineTuningSet; job?: string }): void {
  const { file, set, job } = options;
  const { examples, singleStep, multiStep, tokens } = set;
  printTable({
    rows: [
      ["examples", `${examples.length} (${leftOutText(set)})`],
      ["tasks", `${singleStep} with one call, ${multiStep} with more`],
      [
        "tokens",
        `${tokens.total}, ${tokens.mean} an example, at most ${tokens.longest} (estimated)`,
      ],
      ["file", file],
      ...(job === undefined ? [] : [["job", job]]),
    ],
  });
}
