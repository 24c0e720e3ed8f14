import { resolve } from "node:path";
import { packageRoot } from "../../../storage/packageRoot.js";
import { WORK_BACKGROUND } from "../../../tools/catalogs/work/background.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/hash.js";
import { readSource } from "../../../tools/sources/index.js";
import type { Benchmark, Task } from "../benchmark.js";
import { type Outcomes, stateDiffOf } from "./outcome.js";
import { PARTS } from "./parts.js";
import type { WorkTask } from "./workTask.js";

const CATALOGUE = "work";

const FILE = "tools/catalogs/work/index.ts";

/**
 * The benchmark of the catalogue for work items: 80 requests in everyday words with gold plans of one call
 * (level "easy"), two or three ("medium") or four to seven ("hard"). No tool can do anything for 8 of them
 * (level "unsolvable"), and the gold of 7 (split "partly solvable") is the part that can be done.
 *
 * @returns the benchmark with the tools as they are read from the catalogue's source
 */
export async function workBenchmark(): Promise<Benchmark> {
  const tasks = PARTS.flatMap(({ split, tasks, outcomes }) =>
    tasks.map((task) => taskOf({ split, task, outcomes })),
  );
  const file = resolve(packageRoot(), FILE);
  const { tools } = await readSource({ file, catalog: CATALOGUE });
  return {
    name: "work",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ tasks, tools: tools.map(definitionHash) })),
    tools,
    tasks,
    argumentRule: "equal",
    background: WORK_BACKGROUND,
    catalogue: CATALOGUE,
    world: { name: CATALOGUE },
  };
}

/** A task in the form that runs and scorers know; where nothing can be done, there is no change to compare. */
function taskOf(options: { split: string; task: WorkTask; outcomes: Outcomes }): Task {
  const { split, outcomes, task } = options;
  const { id, query, plan } = task;
  const { facts, changes = {}, calls = plan.steps } = outcomes[id] ?? {};
  return {
    id,
    query,
    tools: calls.map(({ tool }) => tool),
    calls,
    plan,
    level: levelOf(calls.length),
    split,
    ...(facts ? { facts } : {}),
    ...(calls.length > 0 ? { stateDiff: stateDiffOf(changes) } : {}),
  };
}

function levelOf(calls: number): string {
  if (calls === 0) return "unsolvable";
  if (calls === 1) return "easy";
  return calls <= 3 ? "medium" : "hard";
}
