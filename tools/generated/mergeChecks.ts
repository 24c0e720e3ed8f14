import type { ExampleCheck } from "../tool.js";
import { argumentsProblem, sameCall, sameResult } from "./bindArguments.js";
import type { GeneratedTool } from "./draft.js";

/**
 * Adds the previous version's checks to a new version, which must pass them too.
 *
 * @returns the tool with all its checks, its own first, and the earlier checks it gives up: it states another
 * result for them, or no longer accepts their arguments
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
