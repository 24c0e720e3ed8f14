import { listed } from "../../../common/text.js";
import type { Finding } from "./finding.js";

/** Since when the results of a tool differ from those before, and in what. */
export interface Drift {
  /** ISO. */
  since: string;
  changes: readonly string[];
}

/** Finds tools that declare no result, and that return something else than they used to. */
export function driftFindings(drifts: ReadonlyMap<string, Drift> = new Map()): Finding[] {
  return [...drifts].map(([id, { since, changes }]) => ({
    check: "drift",
    severity: "warning",
    tools: [id],
    problem: `returns something else since ${since.slice(0, 10)}: ${listed(changes)}`,
    change: "Look whether saved plans and tasks rely on it; models are shown both forms",
  }));
}
