import type { Plan, PlanReference, PlanStep } from "../../../plans/plan.js";

/** A task as its author writes it; what comes of it stands with the outcomes. */
interface WorkTask {
  id: string;
  query: string;
  /** What the request leaves to whoever solves it, none of which changes what is right. */
  leftOpen?: string;
}

/** A task that a list of steps can say. */
export interface PlannedTask extends WorkTask {
  plan: Plan;
}

/** A task that takes a condition, a loop, a count or a comparison. */
export interface ProgrammedTask extends WorkTask {
  /** What a person would write for it, in the language of plans. */
  program: string;
}

/** One call of a plan, or of its outcome. */
export function step(tool: string, args: PlanStep["args"] = {}): PlanStep {
  return { tool, args };
}

/** The output of an earlier step of a plan, or a part of it: `prev(0, "items", 2, "name")`. */
export function prev(step: number, ...path: PlanReference["path"]): PlanReference {
  return { $prev: step, path };
}

/** A program, line by line. */
export function lines(...code: string[]): string {
  return code.join("\n");
}
