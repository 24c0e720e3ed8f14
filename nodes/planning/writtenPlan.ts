import { codeText } from "../../plans/codeText.js";
import type { Plan } from "../../plans/plan.js";
import { planText } from "../../plans/planText.js";
import { solutionText } from "../../plans/solutionText.js";
import type { ComposeStyle } from "../shared/stageInputs.js";

/** A plan in the form in which a style of `compose` has it written; tools by the names that a model knows. */
export function writtenPlan(
  plan: Plan,
  { style, nameOf = (tool) => tool }: { style: ComposeStyle; nameOf?: (tool: string) => string },
): string {
  if (style === "typed") return planText(plan, { nameOf });
  if (style === "code") return codeText(plan, { nameOf });
  const named = plan.steps.map((step) => ({ ...step, tool: nameOf(step.tool) }));
  const solution = solutionText({ steps: named });
  return style === "enforced" ? `{"steps":${solution}}` : solution;
}
