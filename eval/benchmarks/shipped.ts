import { resolve } from "node:path";
import { z } from "zod";
import type { PlanStep } from "../../plans/steps/plan.js";
import { readValue } from "../../plans/steps/readPlan.js";
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
  calls.map(({ tool, args }) => ({ tool, args: Object(readValue(args)) as PlanStep["args"] })),
);
