/**
 * What a task costs beside the model and the tools: CPU and time of a whole run whose model is a script that
 * knows the calls, so that every graph does the same task without a mistake.
 *
 *   npm run build && npx tsx eval/experiments/ownCost.ts --bench FOLDER
 *   npx tsx eval/experiments/ownCost.ts --bench FOLDER --graphs tulip,plain --delay 500 --limit 22
 *
 * FOLDER is a benchmark with gold calls whose tools a catalogue has; `plain` is LangChain's createAgent with all
 * tools of it. What is measured is the compiled code, each graph in a process of its own, a task after the other;
 * the first ten warm it up and stand in a column of their own. CPU is that of all threads of the process, without
 * what the script takes to reply. With --checkpoints none runs are not saved, as those of `plain` are not. With
 * --profile FOLDER each process leaves CPU profiles there. A process ends after ten minutes.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { inTemporaryFolder, optionsOf, write } from "./scriptSupport.js";

const { bench, compiled, graphs, limit, delay, checkpoints, profile } = optionsOf({
  bench: undefined,
  compiled: "dist",
  graphs: "tulip,steps_tulip,cot_tulip,plain",
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

/** What measures has to use the same modules as what is measured: it is compiled beside it. */
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

/** A process has one home, and what one graph has loaded the next one would find. */
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
