import type { Plan, PlanReference, PlanStep } from "../../../plans/plan.js";

/** A task as its author writes it; what comes of it stands with the outcomes. */
export interface WorkTask {
  id: string;
  query: string;
  plan: Plan;
  /** What the request leaves to whoever solves it, none of which changes what is right. */
  leftOpen?: string;
}

/** One call of a plan, or of its outcome. */
export function step(tool: string, args: PlanStep["args"] = {}): PlanStep {
  return { tool, args };
}

/** The output of an earlier step of a plan, or a part of it: `prev(0, "items", 2, "name")`. */
export function prev(step: number, ...path: PlanReference["path"]): PlanReference {
  return { $prev: step, path };
}
