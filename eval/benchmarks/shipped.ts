import { resolve } from "node:path";
import { z } from "zod";
import type { PlanStep, PlanValue } from "../../plans/steps/plan.js";
import { isPlainObject, readText } from "../../plans/steps/references.js";
import { packageRoot } from "../../storage/packageRoot.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { readSource } from "../../tools/sources/index.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** The tools of a catalog, read from its source; none if there is no such catalog. */
export async function catalogTools(catalog: string): Promise<ToolDefinition[]> {
  const entry = CATALOGS[catalog];
  if (!entry) return [];
  const { tools } = await readSource({ file: resolve(packageRoot(), entry.file), catalog });
  return tools;
}

const written = z.tuple([z.string(), z.record(z.string(), z.json()).optional()]);

/** Gold calls as data files write them: `["add", { "a": 1, "b": 2 }]`, or `["who_am_i"]`. */
export const callsForm = z
  .array(written)
  .transform((calls) => calls.map(([tool, args = {}]) => ({ tool, args })));

/** Steps of gold plans: calls whose texts may refer to earlier steps (`"$$PREV[0].id"`). */
export const stepsForm = callsForm.transform((calls): PlanStep[] =>
  calls.map(({ tool, args }) => ({ tool, args: argumentsIn(args as Record<string, PlanValue>) })),
);

function argumentsIn(args: Readonly<Record<string, PlanValue>>): PlanStep["args"] {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, valueIn(value)]));
}

function valueIn(value: PlanValue): PlanValue {
  if (typeof value === "string") return readText(value);
  if (Array.isArray(value)) return value.map(valueIn);
  return isPlainObject(value) ? argumentsIn(value) : value;
}
