import type { TaskResult } from "./stageInputs.js";

/** Results of tasks, numbered in their order. */
export function numberedResults(results: readonly TaskResult[]): string[] {
  return results.map(({ task, result }, at) => `${at + 1}. ${task}: ${result.trim() || "(empty)"}`);
}

/** What the tasks before the one at hand have given; empty where there are none. */
export function earlierResultsText(results: readonly TaskResult[] | undefined): string {
  if (!results?.length) return "";
  return ["Results of earlier tasks:", ...numberedResults(results)].join("\n");
}
