import { join, resolve } from "node:path";
import { Command } from "commander";
import { type ReportSize, reportExperiments } from "../../eval/budget/experiments.js";
import { type BudgetFigures, budgetFigures } from "../../eval/budget/figures.js";
import { writeBudgetReport } from "../../eval/budget/report.js";
import { reportRuns } from "../../eval/budget/runs.js";
import { mainTable } from "../../eval/budget/tables.js";
import { makeWorld, oraclePlan } from "../../eval/benchmarks/priced/index.js";
import type { BatchEnd } from "../../eval/runs/batch.js";
import { readResults } from "../../eval/runs/folder.js";
import { prepareExperiment } from "../../eval/runs/prepare.js";
import { runExperiment } from "../../eval/runs/runExperiment.js";
import { InvalidSetting } from "../../common/errors.js";
import { examples } from "../examples.js";
import { EXIT, type Exit } from "../exit.js";
import { printJson, printTable } from "../print.js";
import { toCount, toWhole } from "../runOptions.js";
import { whileWorking } from "../whileWorking.js";
import { endText } from "./endText.js";
import { reportProgress } from "./progress.js";

interface BudgetOptions {
  out: string;
  queries: number;
  sweepQueries: number;
  jobs: number;
  seed: number;
  embeddings?: string;
  json?: boolean;
}

/** `tulipgraph eval budget` */
export function budgetCommand(exit: Exit): Command {
  return new Command("budget")
    .description("Compare all graphs that search over steps under budgets, in a simulated world")
    .requiredOption(
      "--out <folder>",
      "where the report and its experiments go; given again, it goes on",
    )
    .option("--queries <n>", "requests of the main comparison", toCount, 600)
    .option("--sweep-queries <n>", "requests for each other budget and threshold", toCount, 100)
    .option("--jobs <n>", "processes that make the runs", toCount, 2)
    .option("--seed <n>", "seed of the runs", toWhole, 1)
    .option("--embeddings <provider:name>", "embedding model that compares requests")
    .option("--json", "print the figures as JSON and nothing else")
    .addHelpText(
      "after",
      examples([
        "tulipgraph eval budget --out results/budget",
        "tulipgraph eval budget --out results/small --queries 30 --sweep-queries 10",
        "tulipgraph eval report results/budget/main",
      ]),
    )
    .action(async (options: BudgetOptions) => {
      exit(await evalBudget(options));
    });
}

async function evalBudget(options: BudgetOptions): Promise<number> {
  requireWithin(options);
  const folder = resolve(options.out);
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  try {
    for (const { name, options: wanted } of reportExperiments(sizeOf(options))) {
      const prepared = await prepareExperiment(wanted);
      const progress = reportProgress();
      process.stderr.write(`${name} …\n`);
      const end = await runExperiment({
        prepared,
        folder: join(folder, name),
        // One for all: what the runs of the three are called differs in their settings.
        home: join(folder, "home"),
        ...placesOf(options),
        signal: controller.signal,
        onProgress: progress.update,
        announce: whileWorking,
      }).finally(progress.stop);
      if (end.kind !== "done") return stopped(end, folder);
    }
    return await report({ ...options, folder });
  } finally {
    process.off("SIGINT", cancel);
  }
}

/** @throws InvalidSetting when a sweep had requests that the main comparison lacks */
function requireWithin({ queries, sweepQueries }: BudgetOptions): void {
  if (sweepQueries <= queries) return;
  throw new InvalidSetting({
    setting: "--sweep-queries",
    problem: `at most the ${queries} requests of --queries were wanted, but ${sweepQueries} came`,
    hint: "The sweeps are made with a part of them",
  });
}

function sizeOf({ queries, sweepQueries, seed, embeddings }: BudgetOptions): ReportSize {
  return { queries, sweepQueries, seed, embeddings };
}

/** Two runs for each process, so that it has the next at hand; one process needs no other. */
function placesOf({ jobs }: BudgetOptions): { jobs?: number; concurrency: number } {
  return jobs > 1 ? { jobs, concurrency: 2 * jobs } : { concurrency: 1 };
}

function stopped(end: BatchEnd, folder: string): number {
  process.stderr.write(`${endText({ end, folder })}\n`);
  return end.kind === "cancelled" ? EXIT.cancelled : EXIT.notSolved;
}

async function report(options: BudgetOptions & { folder: string }): Promise<number> {
  const { folder, json } = options;
  const figures = figuresIn(options);
  const files = await writeBudgetReport({ folder, figures, command: commandOf(options) });
  if (json) printJson(figures);
  else printMain(figures);
  for (const file of files) process.stderr.write(`wrote ${file}\n`);
  return endCode(figures);
}

function figuresIn(options: BudgetOptions & { folder: string }): BudgetFigures {
  const { folder } = options;
  const experiments = reportExperiments(sizeOf(options)).map(({ name }) =>
    readResults(join(folder, name)),
  );
  const [main, sweep] = experiments;
  const world = makeWorld();
  return budgetFigures({
    runs: reportRuns(experiments),
    tasks: main?.experiment.definition.tasks ?? [],
    sweepTasks: sweep?.experiment.definition.tasks ?? [],
    oracle: (id, budget) => oraclePlan({ task: { id }, world, budget }),
  });
}

function printMain(figures: BudgetFigures): void {
  const { columns, groups } = mainTable(figures);
  const rows = groups.flatMap(({ rows }) => rows.map(({ cells }) => cells.map(({ text }) => text)));
  printTable({ rows: [columns.map(({ label }) => label), ...rows] });
}

/** A graph that keeps its budget and did not is a fault, whatever else the figures say. */
function endCode({ overspent, brokenOff }: BudgetFigures): number {
  for (const run of overspent) process.stderr.write(`over its budget: ${run}\n`);
  for (const run of brokenOff) process.stderr.write(`broke off: ${run}\n`);
  return overspent.length + brokenOff.length > 0 ? EXIT.notSolved : EXIT.done;
}

function commandOf({ queries, sweepQueries, seed, embeddings }: BudgetOptions): string {
  return [
    "tulipgraph eval budget --out DIR",
    `--queries ${queries}`,
    `--sweep-queries ${sweepQueries}`,
    `--seed ${seed}`,
    ...(embeddings === undefined ? [] : [`--embeddings ${embeddings}`]),
  ].join(" ");
}
