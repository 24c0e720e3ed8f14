import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import type { Plan, PlanValue } from "../../../plans/steps/plan.js";
import { isPlainObject } from "../../../plans/steps/references.js";
import { callArguments } from "../../../tools/calls/engine/callArguments.js";
import { loadCatalogFunction } from "../../../tools/calls/functions/catalogFunctions.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { numbersIn } from "../../scorers/numbersInText.js";
import type { Benchmark, Task } from "../benchmark.js";
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

/**
 * The gold calls of a task as a plan: the calls are made, and an argument that is a result of an earlier one, and no
 * number of the request, refers to it.
 */
async function planOf(
  { query, calls = [] }: Task,
  tools: readonly ToolDefinition[],
): Promise<Plan> {
  const given = numbersIn(query);
  const results: unknown[] = [];
  const steps: Plan["steps"] = [];
  for (const { tool, args } of calls) {
    const referring = (value: unknown): PlanValue => {
      if (typeof value === "number" && given.includes(value)) return value;
      const $prev = results.findLastIndex((result) => pathTo(result, value) !== undefined);
      if ($prev >= 0) return { $prev, path: pathTo(results[$prev], value) ?? [] };
      return Array.isArray(value) ? value.map(referring) : (value as PlanValue);
    };
    const entries = Object.entries(args).map(([name, value]) => [name, referring(value)] as const);
    steps.push({ tool, args: Object.fromEntries(entries) });
    const source = tools.find(({ id }) => id === tool);
    if (source?.source.kind !== "function") continue;
    const call = await loadCatalogFunction("math", source.source.exportName);
    results.push(await call(...callArguments({ record: source, args })));
  }
  return { steps, answer: "" };
}

/** Where a value is in a result: all of it, or a field. */
function pathTo(result: unknown, value: unknown): string[] | undefined {
  if (isDeepStrictEqual(result, value)) return [];
  if (!isPlainObject(result)) return undefined;
  const field = Object.keys(result).find((name) => isDeepStrictEqual(result[name], value));
  return field === undefined ? undefined : [field];
}
