import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import type { Benchmark, Task } from "../benchmark.js";
import { planOf } from "./planOf.js";
import { callsForm, catalogTools } from "../shipped.js";

const CATALOG = "math";

const request = z.strictObject({ id: z.string(), query: z.string() });

/**
 * A task in the data files: its level follows from its file, its tools from its calls. Arguments that depend on
 * earlier calls are their results, not rounded; an answer is the result of the last call, as a word ("true", "false")
 * if it is not a number.
 */
const solvableTask = request.extend({
  calls: callsForm,
  answers: z.array(z.union([z.number(), z.string()])),
});

/**
 * The shipped benchmark for the mathematics catalog: 60 tasks in everyday words, 20 for each of the levels "easy"
 * (one call), "medium" (two or three) and "hard" (four or more), and 10 of the level "unsolvable", for which no tool
 * of the catalog is useful and which have no answers.
 */
export async function mathBenchmark(): Promise<Benchmark> {
  const tasks = allTasks();
  const tools = await catalogTools(CATALOG);
  return {
    name: "math",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ tasks, tools: tools.map(definitionHash) })),
    tools,
    tasks: await Promise.all(tasks.map((task) => withPlan(task, tools))),
    argumentRule: "equal",
    catalog: CATALOG,
  };
}

async function withPlan(task: Task, tools: readonly ToolDefinition[]): Promise<Task> {
  return { ...task, plan: await planOf(task, tools) };
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
