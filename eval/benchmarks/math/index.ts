import { resolve } from "node:path";
import { UnknownName } from "../../../common/errors.js";
import { packageRoot } from "../../../storage/packageRoot.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/hash.js";
import { readSource } from "../../../tools/sources/index.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import type { Benchmark, Task } from "../benchmark.js";
import { EASY } from "./easy.js";
import { HARD } from "./hard.js";
import { MEDIUM } from "./medium.js";
import type { SolvableTask } from "./solvableTask.js";
import { UNSOLVABLE } from "./unsolvable.js";

const CATALOGUE = "math";

/**
 * The benchmark that ships with the project: 60 tasks in everyday words for the mathematics
 * catalogue, 20 for each of the levels "easy" (one call), "medium" (two or three) and "hard" (four
 * or more), and 10 of the level "unsolvable", for which no tool of the catalogue is of use and which
 * have no answers.
 *
 * @returns the benchmark with the tools as they are read from the catalogue's source
 */
export async function mathBenchmark(): Promise<Benchmark> {
  const tasks = allTasks();
  const tools = await catalogueTools();
  return {
    name: "math",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ tasks, tools: tools.map(definitionHash) })),
    tools,
    tasks,
    argumentRule: "equal",
    catalogue: CATALOGUE,
  };
}

function allTasks(): Task[] {
  const unsolvable = UNSOLVABLE.map((task) => ({
    ...task,
    level: "unsolvable",
    tools: [],
    calls: [],
  }));
  return [
    ...atLevel("easy", EASY),
    ...atLevel("medium", MEDIUM),
    ...atLevel("hard", HARD),
    ...unsolvable,
  ];
}

function atLevel(level: string, tasks: readonly SolvableTask[]): Task[] {
  return tasks.map((task) => ({ ...task, level, tools: task.calls.map(({ tool }) => tool) }));
}

async function catalogueTools(): Promise<ToolDefinition[]> {
  const catalogue = CATALOGS[CATALOGUE];
  if (!catalogue) {
    const available = Object.keys(CATALOGS);
    throw new UnknownName({ kind: "catalogue", wanted: CATALOGUE, available });
  }
  const file = resolve(packageRoot(), catalogue.file);
  const { tools } = await readSource({ file, catalog: CATALOGUE });
  return tools;
}
