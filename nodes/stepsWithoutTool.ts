import type { PlanStep } from "../plans/plan.js";
import { NO_TOOL } from "../prompts/outline.js";
import type { Outline } from "../state/state.js";

/**
 * The steps of a plan with those of the next tasks that need no tool, and no question to a model: they keep the
 * numbers of tasks and steps the same until `checkPlan` drops them.
 */
export function stepsWithoutTool(options: { steps: PlanStep[]; outline: Outline }): PlanStep[] {
  const { steps, outline } = options;
  const rest = outline.slice(steps.length);
  const next = rest.findIndex(({ tool }) => tool !== "");
  const empty = next < 0 ? rest : rest.slice(0, next);
  return [...steps, ...empty.map(() => ({ tool: NO_TOOL, args: {} }))];
}
