import { join, resolve } from "node:path";
import { Command } from "commander";
import { reportExperiments } from "../../eval/budget/budgetExperiments.js";
import { type BudgetFigures, budgetFigures } from "../../eval/budget/budgetFigures.js";
import { writeBudgetReport } from "../../eval/budget/budgetReport.js";
import { reportRuns } from "../../eval/budget/runs.js";
import { mainTable } from "../../eval/budget/budgetTables.js";
import { makeWorld, oraclePlan } from "../../eval/benchmarks/priced/index.js";
import { readResults } from "../../eval/runs/experimentFolder.js";
import { prepareExperiment } from "../../eval/runs/prepare.js";
import { runExperiment } from "../../eval/runs/runExperiment.js";
import { InvalidSetting } from "../../common/errors.js";
import { examples } from "../helpExamples.js";
import { EXIT, type Exit } from "../exit.js";
import { toCount, toWhole } from "../options.js";
import { untilCancelled } from "../untilCancelled.js";
import { commandText, makeAll, printReport, type Watching } from "./experiments.js";

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
    .description("Compare all graphs that search over steps under budgets in a simulated world")
    .requiredOption(
      "--out <folder>",
      "folder for the report and its experiments; the same command continues an unfinished one",
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
  const wanted = reportExperiments(options);
  return await untilCancelled(async (signal) => {
    const experiments = wanted.map(({ name, options: experiment }) => ({
      name,
      make: async (watching: Watching) =>
        await runExperiment({
          prepared: await prepareExperiment(experiment),
          folder: join(folder, name),
          // All three share a home: the names of their runs differ by their settings.
          home: join(folder, "home"),
          ...placesOf(options),
          ...watching,
        }),
    }));
    return (await makeAll({ experiments, folder, signal })) ?? (await report(options, folder));
  });
}

/** @throws InvalidSetting if a sweep would have requests that the main comparison lacks */
function requireWithin({ queries, sweepQueries }: BudgetOptions): void {
  if (sweepQueries <= queries) return;
  throw new InvalidSetting({
    setting: "--sweep-queries",
    problem: `${sweepQueries} is more than the ${queries} requests of --queries`,
    hint: "The sweeps use a part of those requests",
  });
}

/** Two runs for each process, so that the next one is at hand; one job runs in this process. */
function placesOf({ jobs }: BudgetOptions): { jobs?: number; concurrency: number } {
  return jobs > 1 ? { jobs, concurrency: 2 * jobs } : { concurrency: 1 };
}

async function report(options: BudgetOptions, folder: string): Promise<number> {
  const { queries, sweepQueries, seed, embeddings, json } = options;
  const figures = figuresIn(options, folder);
  const command = commandText("budget", { out: "DIR", queries, sweepQueries, seed, embeddings });
  const files = await writeBudgetReport({ folder, figures, command });
  // Grouping by strategy is superfluous here: a graph's name says its strategy.
  const { grouping: _grouping, ...table } = mainTable(figures);
  printReport({ figures, json, table, files });
  return endCode(figures);
}

function figuresIn(options: BudgetOptions, folder: string): BudgetFigures {
  const experiments = reportExperiments(options).map(({ name }) => readResults(join(folder, name)));
  const [main, sweep] = experiments;
  const world = makeWorld();
  return budgetFigures({
    runs: reportRuns(experiments),
    tasks: main?.experiment.definition.tasks ?? [],
    sweepTasks: sweep?.experiment.definition.tasks ?? [],
    oracle: (id, budget) => oraclePlan({ task: { id }, world, budget }),
  });
}

/** A graph that promises to keep its budget and did not is a fault, whatever the other figures. */
function endCode({ overspent, brokenOff }: BudgetFigures): number {
  for (const run of overspent) process.stderr.write(`over its budget: ${run}\n`);
  for (const run of brokenOff) process.stderr.write(`broke off: ${run}\n`);
  return overspent.length + brokenOff.length > 0 ? EXIT.notSolved : EXIT.done;
}
