import { z } from "zod";
import type { CheckedPlan, PlanIssue, PlanValue } from "../plans/plan.js";

const stepSchema = z.object({
  tool: z.string(),
  // Values are recursive, which a schema can say, but no form can show.
  args: z.record(z.string(), z.unknown() as z.ZodType<PlanValue, PlanValue>),
  lookAtResult: z.boolean().optional(),
});

const issueSchema = z.object({
  step: z.number().int().optional(),
  argument: z.string().optional(),
  kind: z.string() as unknown as z.ZodType<PlanIssue["kind"], PlanIssue["kind"]>,
  problem: z.string(),
});

/**
 * The plan of a run, and how far it is followed. It is checked once it has been through `checkPlan`;
 * steps are known by their positions.
 */
export const planSchema = z.object({
  steps: z.array(stepSchema),
  /** The answer, with references to outputs in it; empty where it is to be put into words afterwards. */
  answer: z.string(),
  /** What no tool that was shown can do, as phrases to search for. */
  lacking: z.array(z.string()),
  /** What was changed without the model, one line each. */
  repairs: z.array(z.string()),
  /** What has to be mended before the plan can be followed. */
  issues: z.array(issueSchema),
  /** What the model was told to do otherwise, oldest first: one for each time it was asked to mend. */
  cues: z.array(z.string()),
  /** A model has looked through it and found nothing to mend. */
  accepted: z.boolean(),
  /** Ids of the calls that were made of its steps, by position; empty for a step that was not called. */
  callIds: z.array(z.string()),
  /** A person has agreed to the plan as a whole. */
  approved: z.boolean(),
  /** Why it is not followed any further; empty while it is. */
  left: z.string(),
});

export type PlanState = z.infer<typeof planSchema>;

/** The tasks of an outline: why, with which tool, and what (the alternate solution of "AI Agent 007"). */
export const outlineSchema = z.array(
  z.object({
    thought: z.string(),
    /** Id of the tool. */
    tool: z.string(),
    task: z.string(),
  }),
);

export type Outline = z.infer<typeof outlineSchema>;

/** A plan that was neither checked nor followed yet. */
export function freshPlan(
  { plan, repairs }: Pick<CheckedPlan, "plan" | "repairs">,
  { cues = [] }: Partial<Pick<PlanState, "cues">> = {},
): PlanState {
  const callIds = plan.steps.map(() => "");
  return {
    ...plan,
    repairs,
    issues: [],
    cues,
    accepted: false,
    callIds,
    approved: false,
    left: "",
  };
}
