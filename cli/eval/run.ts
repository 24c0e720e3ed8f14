import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { type BatchEnd, runBatch } from "../../eval/runs/batch.js";
import { type Experiment, planRuns } from "../../eval/runs/experiment.js";
import { homeIn, openExperimentFolder, readResults } from "../../eval/runs/folder.js";
import { prepareLibraries } from "../../eval/runs/libraries.js";
import { localRunner } from "../../eval/runs/localRunner.js";
import {
  type ExperimentOptions,
  type PreparedExperiment,
  prepareExperiment,
} from "../../eval/runs/prepare.js";
import { remoteRunner } from "../../eval/runs/remote.js";
import { checkServer } from "../../eval/runs/remoteServer.js";
import type { Runner } from "../../eval/runs/runner.js";
import { worldsOf } from "../../eval/runs/worlds.js";
import { summarizeResults } from "../../eval/summary/results.js";
import { graphs } from "../../graphs/index.js";
import { chooseHome } from "../../resources/home.js";
import { openResources } from "../../resources/resources.js";
import { packageVersion } from "../../storage/packageRoot.js";
import { examples } from "../examples.js";
import { EXIT, type Exit } from "../exit.js";
import { printJson } from "../print.js";
import { jsonOrText, settingsHelp, toAmount, toCount, toList, toWhole } from "../runOptions.js";
import { whileWorking } from "../whileWorking.js";
import { reportProgress } from "./progress.js";
import { printSummaryTable } from "./summaryTable.js";

interface RunOptions {
  benchmark: string;
  graphs: string[];
  out: string;
  runs: number;
  concurrency: number;
  seed: number;
  limit?: number;
  split?: string[];
  level?: string[];
  task?: string[];
  set?: Record<string, unknown[]>;
  models?: string[];
  embeddings?: string[];
  catalogue?: string;
  others?: number;
  maxUsd?: number;
  url?: string;
  json?: boolean;
}

/** `tulipgraph eval run` */
export function runCommand(exit: Exit): Command {
  const command = new Command("run")
    .description("Run every task of a benchmark with every graph and write down what happened")
    .requiredOption(
      "--benchmark <folder or name>",
      "a folder with tools.jsonl and queries.jsonl, or math",
    )
    .requiredOption("--out <folder>", "where the results go; given again, the batch goes on")
    .option("--graphs <ids>", "graphs, or all", toList, Object.keys(graphs))
    .option("--runs <n>", "repetitions of each task", toCount, 1)
    .option("--concurrency <n>", "runs at the same time", toCount, 4);
  addTasks(command);
  addSettings(command);
  return command
    .option("--max-usd <x>", "stop when so many dollars are spent", toAmount)
    .option("--url <url>", "run on this LangGraph API instead of in this process")
    .option("--json", "print the figures as JSON and nothing else")
    .addHelpText(
      "after",
      () =>
        settingsHelp() +
        examples([
          "tulipgraph eval run --benchmark math --out results/math",
          "tulipgraph eval run --benchmark math --graphs cot_tulip --set topK=1,5,10 --models openai:gpt-4.1-mini,openai:gpt-4.1 --runs 3 --max-usd 5 --out results/topk",
        ]),
    )
    .action(async (options: RunOptions) => {
      exit(await evalRun(options));
    });
}

function addTasks(command: Command): void {
  command
    .option("--limit <n>", "at most so many tasks, taken evenly over the levels", toCount)
    .option("--split <names>", "only these parts of the benchmark", toList)
    .option("--level <names>", "only these levels", toList)
    .option("--task <ids>", "only these tasks", toList);
}

function addSettings(command: Command): void {
  command
    .option("--set <setting=values>", "a setting, or several values of it: topK=1,5,10", toGrid)
    .option("--models <provider:name,...>", "chat models", toList)
    .option("--embeddings <provider:name,...>", "embedding models", toList)
    .option("--catalogue <name>", "functions behind the tools, by their names; none for none")
    .option("--others <n>", "offer a task its own tools among so many others of the set", toCount)
    .option("--seed <n>", "seed of the first repetition, and of the other tools", toWhole, 1);
}

async function evalRun(options: RunOptions): Promise<number> {
  const folder = resolve(options.out);
  const prepared = await prepareExperiment(experimentOptions(options));
  const { benchmark, tasks, definition } = prepared;
  if (definition.url !== undefined) await checkServer(serverAt(definition.url), definition.graphs);
  const results = openExperimentFolder({ folder, experiment: experimentOf(prepared), tasks });
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  const progress = reportProgress();
  try {
    chooseHome(homeIn(folder));
    openResources({ worlds: await worldsOf(benchmark) });
    const { costs, settingsOf } = await whileWorking("embedding the tools", () =>
      prepareLibraries({ benchmark, definition }),
    );
    results.keepLibraries(costs);
    const end = await runBatch({
      planned: planRuns({ definition, tasks, settingsOf }),
      folder: results,
      runner: runnerOf(results.experiment),
      world: benchmark.world,
      concurrency: options.concurrency,
      maxUsd: options.maxUsd,
      signal: controller.signal,
      onProgress: progress.update,
    });
    progress.stop();
    return printEnd({ end, folder: options.out, json: options.json });
  } finally {
    progress.stop();
    process.off("SIGINT", cancel);
    results.close();
    chooseHome(undefined);
  }
}

function experimentOptions(options: RunOptions): ExperimentOptions {
  const { benchmark, runs, seed, catalogue, others, url, maxUsd, models, embeddings, set } =
    options;
  const values = { ...set, ...(models && { model: models }), ...(embeddings && { embeddings }) };
  const entries = Object.entries(values);
  return {
    benchmark,
    selection: {
      splits: options.split,
      levels: options.level,
      ids: options.task,
      limit: options.limit,
    },
    graphs: options.graphs.includes("all") ? Object.keys(graphs) : options.graphs,
    settings: Object.fromEntries(
      entries.flatMap(([name, given]) => (given.length === 1 ? [[name, given[0]]] : [])),
    ),
    grid: Object.fromEntries(entries.filter(([, given]) => given.length > 1)),
    runs,
    seed,
    catalogue,
    others,
    url,
    maxUsd,
  };
}

function experimentOf({ definition }: PreparedExperiment): Experiment {
  const startedAt = new Date().toISOString();
  return { id: randomUUID(), definition, version: packageVersion(), startedAt };
}

function runnerOf({ id, definition: { url } }: Experiment): Runner {
  return url === undefined ? localRunner() : remoteRunner({ ...serverAt(url), experiment: id });
}

/** Named apart from the keys of model providers: it goes to whatever server is named. */
function serverAt(url: string) {
  return { url, apiKey: process.env["LANGGRAPH_API_KEY"] };
}

/** Says how the batch has ended and what there is so far. */
async function printEnd(options: {
  end: BatchEnd;
  folder: string;
  json?: boolean;
}): Promise<number> {
  const { end, folder, json } = options;
  const summary = await summarizeResults(readResults(folder));
  if (json) {
    const { runs: _runs, ...figures } = summary;
    printJson(figures);
  } else {
    printSummaryTable(summary);
  }
  process.stderr.write(`${endText({ end, folder })}\n`);
  if (end.kind === "cancelled") return EXIT.cancelled;
  const failed = summary.runs.some(({ record }) => record.error !== undefined);
  return end.kind === "done" && !failed ? EXIT.done : EXIT.notSolved;
}

function endText({ end, folder }: { end: BatchEnd; folder: string }): string {
  const goOn = "the same command goes on where it stopped";
  if (end.kind === "done") return `Pictures and every run: tulipgraph eval report ${folder}`;
  if (end.kind === "cancelled") return `cancelled; ${goOn}`;
  if (end.kind === "spent") {
    return `stopped by --max-usd: $${end.usd.toFixed(4)} are spent; ${goOn}, with a higher limit`;
  }
  return `stopped, since one run after another breaks off: ${end.reason}. Mend it, and ${goOn}`;
}

/** `topK=1,5,10` as three values; JSON with commas, such as a list or a quoted text, as one. */
function toGrid(text: string, grid: Record<string, unknown[]> = {}): Record<string, unknown[]> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("write it as setting=value or setting=value,value");
  const whole = text.slice(at + 1);
  const value = jsonOrText(whole);
  const values = value === whole ? whole.split(",").map(jsonOrText) : [value];
  return { ...grid, [text.slice(0, at)]: values };
}
