import type { ExampleCheck } from "../tool.js";
import { argumentsProblem, sameCall, sameResult } from "./bindArguments.js";
import type { GeneratedTool } from "./draft.js";

/**
 * Adds the checks of the version before to those of a new one, which has to pass them as well.
 *
 * @returns the tool with all its checks, its own first, and the earlier ones that it gives up: those
 * for which it states another result, and those that its parameters do not take any more
 */
export function withEarlierChecks({
  tool,
  earlier,
}: {
  tool: GeneratedTool;
  earlier: readonly ExampleCheck[];
}): { tool: GeneratedTool; restated: ExampleCheck[] } {
  const own = tool.source.checks;
  const restated: ExampleCheck[] = [];
  const kept: ExampleCheck[] = [];
  for (const check of earlier) {
    const stated = own.find((candidate) => sameCall(candidate, check));
    if (stated === undefined) {
      const fits = argumentsProblem({ args: check.args, called: tool }) === undefined;
      (fits ? kept : restated).push(check);
    } else if (!sameResult(stated, check)) restated.push(check);
  }
  return { tool: { ...tool, source: { ...tool.source, checks: [...own, ...kept] } }, restated };
}
