import { programText } from "../../plans/codeText.js";
import type { CheckedPlan, Plan, PlanTool } from "../../plans/plan.js";
import { readPlan } from "../../plans/readPlan.js";
import type { JsonSchema } from "../../tools/tool.js";
import type { OfferedTool } from "../shared/stageInputs.js";
import { CODE } from "./styles/code.js";
import { ENFORCED } from "./styles/enforced.js";
import { PROGRAM, declarationLines } from "./styles/program.js";
import { STATE_ACTION } from "./styles/stateAction.js";
import { TYPED } from "./styles/typed.js";

/**
 * How a plan is asked for: `program` with conditions and loops, or `typed` with an answer and what is lacking, both
 * to be followed; the others as "AI Agent 007" has them: a list of calls after reasoning by states and actions,
 * code, or a list of calls in an enforced form.
 */
export type ComposeStyle = "program" | "typed" | "stateAction" | "code" | "enforced";

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
  program: {
    instructions: PROGRAM,
    form: "one ts block and nothing else: a program that calls the functions declared, says need(…) for what none of them does, and ends with `return` and the answer",
    toolsText: (tools) => `Functions:\n${declarationLines(tools)}`,
    written: programText,
    read: readPlan,
  },
  typed: TYPED,
  stateAction: STATE_ACTION,
  code: CODE,
  enforced: ENFORCED,
};

/** What to reply with where a plan is asked for once more. */
export function planFormText(style: ComposeStyle): string {
  return `Reply with ${PLAN_FORMS[style].form}.`;
}
