/**
 * What a task costs besides the model and the tools: CPU and wall time of a whole run. The model is a script that knows
 * the calls, so that every graph does the same task without a mistake.
 *
 *   npm run build && npx tsx eval/experiments/ownCost.ts --bench FOLDER
 *   npx tsx eval/experiments/ownCost.ts --bench FOLDER --graphs tulip,plain --delay 500 --limit 22
 *
 * FOLDER is a benchmark with gold calls whose tools a catalogue implements; `plain` is LangChain's createAgent with all
 * its tools. The compiled code is measured, each graph in a separate process, one task after another; the first ten are
 * a warm-up and have their own column. CPU is that of all threads of the process, without the script's. With
 * --checkpoints none runs are not saved, like those of `plain`. With --profile FOLDER each process writes CPU profiles
 * there. A process is ended after ten minutes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { inTemporaryFolder } from "../files.js";
import { optionsOf, write } from "./scriptSupport.js";

const { bench, compiled, graphs, limit, delay, checkpoints, profile } = optionsOf({
  bench: undefined,
  compiled: "dist",
  graphs: "tulip,cot_tulip,plain",
  limit: 60,
  delay: 0,
  checkpoints: "sqlite",
  profile: undefined,
});

const LONGEST_MS = 600_000;

if (bench === undefined) write("skipped: name the folder of a benchmark with --bench");
else await measureAll();

async function measureAll(): Promise<void> {
  write("                solved   CPU ms: first   then   wall ms: first   then");
  const folder = compileMeasuring();
  try {
    for (const graph of graphs.split(",")) await measureApart({ graph, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles the measuring code next to the measured code, so that both use the same modules. */
function compileMeasuring(): string {
  const folder = join(compiled, "eval/experiments/ownCost");
  mkdirSync(folder, { recursive: true });
  for (const name of ["measure", "goldModel"]) {
    const source = fileURLToPath(new URL(`./ownCost/${name}.ts`, import.meta.url));
    const { outputText } = ts.transpileModule(readFileSync(source, "utf8"), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(join(folder, `${name}.js`), outputText);
  }
  return folder;
}

/** A process of its own for each graph: it has one home, and modules loaded by one graph would help the next. */
async function measureApart({ graph, folder }: { graph: string; folder: string }): Promise<void> {
  const profiling =
    profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${join(profile, graph)}`];
  const asked = JSON.stringify({ graph, bench, limit, delay, checkpoints });
  await inTemporaryFolder("own-cost", async (home) => {
    spawnSync(process.execPath, [...profiling, join(folder, "measure.js"), asked], {
      env: { ...process.env, TULIPGRAPH_HOME: home },
      stdio: "inherit",
      timeout: LONGEST_MS,
    });
  });
}
