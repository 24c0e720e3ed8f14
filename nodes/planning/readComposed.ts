import type { AIMessage } from "@langchain/core/messages";
import type { CheckedPlan, Plan, PlanTool } from "../../plans/plan.js";
import { plainObjects } from "../../plans/plainObjects.js";
import { readPlan } from "../../plans/readPlan.js";
import { excessOfPlan } from "../shared/excess.js";
import type { Reading } from "../shared/replyForm.js";
import { type ComposeStyle, PLAN_FORMS, planFormText } from "./planForm.js";

/** Most problems told to the model at once; a reply that is no plan may have one per line. */
const MOST_PROBLEMS = 10;

/**
 * The plan in a reply, or what to tell the model. If the model calls tools although none are bound, these calls
 * are the plan, and it sees their results before it continues.
 */
export async function readComposed(options: {
  reply: Pick<AIMessage, "text" | "tool_calls">;
  tools: PlanTool[];
  style: ComposeStyle;
}): Promise<Reading<CheckedPlan>> {
  const { reply, tools, style } = options;
  const { text, tool_calls: calls = [] } = reply;
  const isEmpty = text.trim() === "";
  if (isEmpty && calls.length === 0)
    return { problem: `Your last reply was empty. ${planFormText(style)}` };
  const read = isEmpty ? readPlan(calls, tools) : await PLAN_FORMS[style].read(text, tools);
  const excess = excessOfPlan(read.plan);
  if (excess) return { problem: `Your last reply could not be used as a plan: ${excess}.` };
  if (read.issues.length === 0) return { value: { ...read, plan: withPlainObjects(read.plan) } };
  if (!isEmpty && calls.length > 0)
    return readComposed({ ...options, reply: { text: "", tool_calls: calls } });
  const problems = read.issues.slice(0, MOST_PROBLEMS).map(({ problem }) => problem);
  const said = `Your last reply could not be read as a plan: ${problems.join("; ")}.`;
  return { problem: `${said} ${planFormText(style)}` };
}

/** Objects mean the same written whole or field by field. */
export function withPlainObjects(plan: Plan): Plan {
  const steps = plan.steps.map((step) => {
    const entries = Object.entries(step.args).map(
      ([name, value]) => [name, plainObjects(value)] as const,
    );
    return { ...step, args: Object.fromEntries(entries) };
  });
  return { ...plan, steps };
}
