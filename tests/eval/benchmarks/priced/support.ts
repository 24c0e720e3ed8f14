import { WORLD_PARAMETERS } from "../../../../eval/benchmarks/priced/worldParameters.js";
import { makeWorld } from "../../../../eval/benchmarks/priced/pricedWorld.js";
import type { PricedTool } from "../../../../eval/benchmarks/priced/pricedTools.js";

/** The shipped world with few requests. */
export const SMALL = makeWorld({
  ...WORLD_PARAMETERS,
  testRequests: 60,
  trainingRequests: 200,
});

/** The tool of that id. */
export function toolOf(id: string): PricedTool {
  const tool = SMALL.tools.get(id);
  if (!tool) throw new RangeError(`no tool ${id}`);
  return tool;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
