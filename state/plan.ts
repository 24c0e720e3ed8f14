import { z } from "zod";
import type { CheckedPlan, PlanIssue, PlanValue } from "../plans/steps/plan.js";

const stepSchema = z.object({
  tool: z.string(),
  // Values are recursive, which a schema can express but no form can show.
  args: z.record(z.string(), z.unknown() as z.ZodType<PlanValue, PlanValue>),
});

const issueSchema = z.object({
  step: z.number().int().optional(),
  argument: z.string().optional(),
  kind: z.string() as unknown as z.ZodType<PlanIssue["kind"], PlanIssue["kind"]>,
  problem: z.string(),
});

/**
 * The plan of a run, which is its answer. It is checked once it has been through `checkPlan`; steps are
 * identified by position.
 */
export const planSchema = z.object({
  steps: z.array(stepSchema),
  /** The answer, with references to outputs; empty if none was planned. */
  answer: z.string(),
  /** What was fixed without the model, one line each. */
  repairs: z.array(z.string()),
  issues: z.array(issueSchema),
  /** What the model was told to change, oldest first: one entry per request to fix the plan. */
  cues: z.array(z.string()),
  /** A model has reviewed it and found nothing to fix. */
  accepted: z.boolean(),
});

export type PlanState = z.infer<typeof planSchema>;

/** The tasks of an outline, each with its reason and tool (the alternate solution of "AI Agent 007"). */
export const outlineSchema = z.array(
  z.object({
    thought: z.string(),
    tool: z.string(),
    task: z.string(),
  }),
);

export type Outline = z.infer<typeof outlineSchema>;

export function freshPlan(
  { plan, repairs }: Pick<CheckedPlan, "plan" | "repairs">,
  { cues = [] }: Partial<Pick<PlanState, "cues">> = {},
): PlanState {
  return { ...plan, repairs, issues: [], cues, accepted: false };
}
