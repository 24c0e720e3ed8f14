import type { CheckedPlan, Plan, PlanTool } from "../../plans/plan.js";
import type { JsonSchema } from "../../tools/tool.js";
import type { OfferedTool } from "../shared/stageInputs.js";
import { CODE } from "./styles/code.js";
import { ENFORCED } from "./styles/enforced.js";
import { STATE_ACTION } from "./styles/stateAction.js";
import { TYPED } from "./styles/typed.js";

/**
 * How a plan is asked for: `typed` with an answer and what is lacking, to be followed; the others as "AI Agent 007"
 * has them: a list of calls after reasoning by states and actions, code, or a list of calls in an enforced form.
 */
export type ComposeStyle = "typed" | "stateAction" | "code" | "enforced";

/** The form of a plan: how a model is told of it, how a plan is written in it, and how one is read. */
export interface PlanForm {
  instructions: string;
  /** The form in one line, for a model whose reply was in none that can be read. */
  form: string;
  toolsText: (tools: readonly OfferedTool[]) => string;
  /** Where the provider is to hold the model to the form. */
  schema?: (tools: readonly OfferedTool[]) => JsonSchema;
  /** @param options.nameOf what the model calls a tool */
  written: (plan: Plan, options?: { nameOf?: (tool: string) => string }) => string;
  read: (text: string, tools: PlanTool[]) => CheckedPlan | Promise<CheckedPlan>;
}

export const PLAN_FORMS: Record<ComposeStyle, PlanForm> = {
  typed: TYPED,
  stateAction: STATE_ACTION,
  code: CODE,
  enforced: ENFORCED,
};

/** What to reply with where a plan is asked for once more. */
export function planFormText(style: ComposeStyle): string {
  return `Reply with ${PLAN_FORMS[style].form}.`;
}
