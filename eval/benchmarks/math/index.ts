import { resolve } from "node:path";
import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import { UnknownName } from "../../../common/errors.js";
import { packageRoot } from "../../../storage/packageRoot.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/hash.js";
import { readSource } from "../../../tools/sources/index.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import type { Benchmark, Task } from "../benchmark.js";
import { callsForm } from "../writtenSteps.js";

const CATALOGUE = "math";

const request = z.strictObject({ id: z.string(), query: z.string() });

/**
 * A task as its author writes it: level and tools follow from where it stands and what it calls.
 * Arguments that depend on earlier calls are the values that these give, not rounded; an answer is
 * what the last call gives, in words ("true", "false") where that is no number.
 */
const solvableTask = request.extend({
  calls: callsForm,
  answers: z.array(z.union([z.number(), z.string()])),
});

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
  const solvable = ["easy", "medium", "hard"].flatMap((level) =>
    readTasks(level, solvableTask).map((task) => ({
      ...task,
      level,
      tools: task.calls.map(({ tool }) => tool),
    })),
  );
  const unsolvable = readTasks("unsolvable", request).map((task) => ({
    ...task,
    level: "unsolvable",
    tools: [],
    calls: [],
  }));
  return [...solvable, ...unsolvable];
}

function readTasks<Form extends z.ZodType>(level: string, form: Form) {
  return readDataFile(new URL(`tasks/${level}.json`, import.meta.url), z.array(form));
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
