import type { CheckedPlan, Plan, PlanTool } from "../plans/plan.js";
import { plainObjects } from "../plans/plainObjects.js";
import { readPlan } from "../plans/readPlan.js";
import type { ComposeStyle } from "../prompts/stages.js";
import { excessOfPlan } from "./excess.js";

/** Problems that the model is told at once; a reply that is no plan at all may have one for each line. */
const MOST_PROBLEMS = 10;

/** The plan in a reply, in whichever form it was asked for; otherwise what the model is to be told. */
export async function readComposed(options: {
  text: string;
  tools: PlanTool[];
  style: ComposeStyle;
}): Promise<CheckedPlan | { problem: string }> {
  const { text, tools, style } = options;
  if (!text.trim()) return { problem: "Your last reply was empty. Reply with the plan." };
  const read = style === "code" ? await readAsCode(text, tools) : readPlan(text, tools);
  const excess = excessOfPlan(read.plan);
  if (excess) return { problem: `Your last reply could not be used as a plan: ${excess}.` };
  if (read.issues.length === 0) return { ...read, plan: withPlainObjects(read.plan) };
  const problems = read.issues
    .slice(0, MOST_PROBLEMS)
    .map(({ problem }) => problem)
    .join("; ");
  return { problem: `Your last reply could not be read as a plan: ${problems}` };
}

/** The parser is large, and loaded only where code is read. */
async function readAsCode(text: string, tools: PlanTool[]): Promise<CheckedPlan> {
  const { readCode } = await import("../plans/readCode.js");
  return readCode(text, tools);
}

/** Whether a model has written objects as they are or field by field, they mean the same. */
export function withPlainObjects(plan: Plan): Plan {
  const steps = plan.steps.map((step) => {
    const entries = Object.entries(step.args).map(
      ([name, value]) => [name, plainObjects(value)] as const,
    );
    return { ...step, args: Object.fromEntries(entries) };
  });
  return { ...plan, steps };
}
