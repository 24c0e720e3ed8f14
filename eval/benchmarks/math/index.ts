import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import type { PlanStep } from "../../../plans/steps/plan.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/records/hash.js";
import type { Benchmark, Task } from "../benchmark.js";
import { callsForm, catalogTools, stepsForm } from "../shipped.js";

const CATALOG = "math";

const request = z.strictObject({ id: z.string(), query: z.string() });

/**
 * A task in the data files: its level follows from its file, its tools from its calls. Arguments that depend on
 * earlier calls are their results, not rounded; an answer is the result of the last call, as a word ("true", "false")
 * if it is not a number.
 */
const solvableTask = request.extend({
  calls: callsForm,
  /** The calls with references to earlier ones in place of their results; absent if there are none. */
  steps: stepsForm.optional(),
  answers: z.array(z.union([z.number(), z.string()])),
});

/**
 * The shipped benchmark for the mathematics catalog: 60 tasks in everyday words, 20 for each of the levels "easy"
 * (one call), "medium" (two or three) and "hard" (four or more), and 10 of the level "unsolvable", for which no tool
 * of the catalog is useful and which have no answers.
 */
export async function mathBenchmark(): Promise<Benchmark> {
  const tasks = allTasks();
  const plain = tasks.map(({ plan: _plan, ...task }) => task);
  const tools = await catalogTools(CATALOG);
  return {
    name: "math",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ tasks: plain, tools: tools.map(definitionHash) })),
    tools,
    tasks,
    argumentRule: "equal",
    catalog: CATALOG,
  };
}

function allTasks(): Task[] {
  const solvable = ["easy", "medium", "hard"].flatMap((level) =>
    readTasks(level, solvableTask).map(({ steps, ...task }) => ({
      ...task,
      level,
      tools: task.calls.map(({ tool }) => tool),
      plan: { steps: steps ?? (task.calls as PlanStep[]), answer: "" },
    })),
  );
  const unsolvable = readTasks("unsolvable", request).map((task) => ({
    ...task,
    level: "unsolvable",
    tools: [],
    calls: [],
    plan: { steps: [], answer: "" },
  }));
  return [...solvable, ...unsolvable];
}

function readTasks<Form extends z.ZodType>(level: string, form: Form) {
  return readDataFile(new URL(`tasks/${level}.json`, import.meta.url), z.array(form));
}
