import { isDeepStrictEqual } from "node:util";
import { callArguments } from "../../../tools/calls/engine/callArguments.js";
import { loadCatalogFunction } from "../../../tools/calls/functions/catalogFunctions.js";
import type { Plan, PlanValue } from "../../../plans/steps/plan.js";
import { isPlainObject } from "../../../plans/steps/references.js";
import { numbersIn } from "../../scorers/numbersInText.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import type { Task } from "../benchmark.js";

/**
 * The gold calls of a task as a plan: the calls are made, and an argument that is a result of an earlier one, and no
 * number of the request, refers to it.
 */
export async function planOf(
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
