import type { PlanTool } from "../plan.js";

/** Names of what each function takes, in the order in which its tool declares it. */
export function parametersOf(
  functions: ReadonlyMap<string, Pick<PlanTool, "parameters">>,
): Map<string, string[]> {
  return new Map(
    [...functions].map(([name, { parameters }]) => [name, Object.keys(parameters.properties)]),
  );
}
