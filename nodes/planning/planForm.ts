import type { CheckedPlan, Plan, PlanTool } from "../../plans/steps/plan.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { OfferedTool } from "../shared/stageInputs.js";
import { CODE } from "./styles/code.js";
import { ENFORCED } from "./styles/enforced.js";
import { STATE_ACTION } from "./styles/stateAction.js";
import { TYPED } from "./styles/typed.js";

/**
 * How a plan is asked for: `typed` has an answer, as generated data want it. The others are from "AI Agent 007":
 * a list of calls after reasoning by states and actions, code, or a list of calls in an enforced form.
 */
export type ComposeStyle = "typed" | "stateAction" | "code" | "enforced";

/** The form of a plan: how it is described to a model, written and read. */
export interface PlanForm {
  instructions: string;
  /** The form in one line, for a model whose reply was unreadable. */
  form: string;
  toolsText: (tools: readonly OfferedTool[]) => string;
  /** If the provider should enforce the form. */
  schema?: (tools: readonly OfferedTool[]) => JsonSchema;
  /** @param nameOf what the model calls a tool */
  written: (plan: Plan, nameOf?: (tool: string) => string) => string;
  read: (text: string, tools: PlanTool[]) => CheckedPlan | Promise<CheckedPlan>;
}

export const PLAN_FORMS: Record<ComposeStyle, PlanForm> = {
  typed: TYPED,
  stateAction: STATE_ACTION,
  code: CODE,
  enforced: ENFORCED,
};

/** What to reply with when a plan is asked for again. */
export function planFormText(style: ComposeStyle): string {
  return `Reply with ${PLAN_FORMS[style].form}.`;
}
