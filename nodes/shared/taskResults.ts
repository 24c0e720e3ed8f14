import type { TaskResult } from "./stageInputs.js";

/** Results of tasks, numbered in order. */
export function numberedResults(results: readonly TaskResult[]): string[] {
  return results.map(({ task, result }, at) => `${at + 1}. ${task}: ${result.trim() || "(empty)"}`);
}

/** The results of the tasks before the current one; empty if there are none. */
export function earlierResultsText(results: readonly TaskResult[] | undefined): string {
  if (!results?.length) return "";
  return ["Results of earlier tasks:", ...numberedResults(results)].join("\n");
}
