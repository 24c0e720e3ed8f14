import { join, resolve } from "node:path";
import { Command } from "commander";
import { readResults } from "../../eval/runs/experimentFolder.js";
import { readDeclarations } from "../../tools/sources/readDeclarations.js";
import {
  type ComparisonSize,
  experimentsFor,
  type OracleExperiment,
} from "../../eval/oracle/oracleExperiments.js";
import { oracleFigures } from "../../eval/oracle/oracleFigures.js";
import { keepVectors } from "../../eval/oracle/keepVectors.js";
import { writeOracleReport } from "../../eval/oracle/oracleReport.js";
import { runOracleExperiment } from "../../eval/oracle/runOracleExperiment.js";
import { openSubject } from "../../eval/oracle/subject.js";
import { mainTable } from "../../eval/oracle/oracleTables.js";
import { findGraph } from "../../graphs/openGraph.js";
import { defaultHome } from "../../workspace/home.js";
import { parseContext } from "../../state/context.js";
import { examples } from "../helpExamples.js";
import { EXIT, type Exit } from "../exit.js";
import { toCount, toList, toWhole } from "../options.js";
import { untilCancelled } from "../untilCancelled.js";
import { commandText, makeAll, printReport } from "./experiments.js";

interface OracleOptions {
  out: string;
  benchmarks: string[];
  level?: string[];
  graphs: string[];
  limit: number;
  timed: number;
  grown: number;
  others?: string;
  seed: number;
  embeddings?: string;
  json?: boolean;
}

/** `tulipgraph eval oracle` */
export function oracleCommand(exit: Exit): Command {
  return new Command("oracle")
    .description(
      "Compare what graphs cost and find if the model makes no mistakes: a script follows the gold calls",
    )
    .requiredOption(
      "--out <folder>",
      "folder for the report and its experiments; the same command continues an unfinished one",
    )
    .option("--benchmarks <names>", "names or folders, such as work", toList, ["work"])
    .option("--level <names>", "only tasks of these levels", toList)
    .option("--graphs <names>", "graphs to compare", toList, [...COMPARED])
    .option("--limit <n>", "tasks of each benchmark, drawn by the seed", toCount, 100)
    .option("--timed <n>", "long tasks of each benchmark whose wall time is measured", toCount, 12)
    .option("--others <file>", "JSONL file of tools to grow libraries with; without it none grow")
    .option("--grown <n>", "tasks of each benchmark in growing libraries", toCount, 20)
    .option("--seed <n>", "seed of the draws and the runs", toWhole, 1)
    .option("--embeddings <provider:name>", "embedding model")
    .option("--json", "print the figures as JSON and nothing else")
    .addHelpText(
      "after",
      examples([
        "tulipgraph eval oracle --out results/oracle",
        "tulipgraph eval oracle --out results/small --benchmarks work --graphs cot_tulip,tulip --limit 10",
        "tulipgraph eval report results/oracle/main-work",
      ]),
    )
    .action(async (options: OracleOptions) => {
      exit(await evalOracle(options));
    });
}

/** The default graph and those that it is compared with. */
const COMPARED = ["naive_tool", "cot_tulip", "primed_cot_tulip", "react", "tulip"] as const;

async function evalOracle(options: OracleOptions): Promise<number> {
  const folder = resolve(options.out);
  const { embeddings } = parseContext({ embeddings: options.embeddings });
  const vectors = keepVectors({ embeddings, file: join(defaultHome(), "embeddings.db") });
  return await untilCancelled(async (signal) => {
    const experiments = await plannedExperiments(options, folder);
    const stopped = await makeAll({
      experiments: experiments.map((experiment) => ({
        name: experiment.name,
        make: (watching) => runOracleExperiment({ experiment, folder, ...watching }),
      })),
      folder,
      signal,
    });
    return stopped ?? report({ options, experiments, folder });
  }).finally(vectors.close);
}

async function plannedExperiments(
  options: OracleOptions,
  folder: string,
): Promise<OracleExperiment[]> {
  const { tools: others } = options.others
    ? await readDeclarations({ file: options.others })
    : { tools: [] };
  const experiments: OracleExperiment[] = [];
  for (const named of options.benchmarks) {
    const subject = await openSubject(named, { levels: options.level });
    experiments.push(...(await experimentsFor({ subject, size: sizeOf(options), others, folder })));
  }
  return experiments;
}

function sizeOf(options: OracleOptions): ComparisonSize {
  const { limit, timed, grown, seed, embeddings } = options;
  return { graphs: options.graphs.map(findGraph), limit, timed, grown, seed, embeddings };
}

function report(made: {
  options: OracleOptions;
  experiments: readonly OracleExperiment[];
  folder: string;
}): number {
  const { options, experiments, folder } = made;
  const figures = oracleFigures(
    experiments.map((experiment) => ({
      experiment,
      records: readResults(join(folder, experiment.name)).records,
    })),
  );
  const { json, others, seed, embeddings, ...compared } = options;
  const { benchmarks, level, graphs, limit, timed } = compared;
  const grown = others === undefined ? undefined : compared.grown;
  const drawn = { benchmarks, level, graphs, limit, timed, others, grown, seed, embeddings };
  const command = commandText("oracle", { out: "DIR", ...drawn });
  const files = writeOracleReport({ folder, figures, command });
  printReport({ figures, json, table: mainTable(figures), files });
  return EXIT.done;
}
