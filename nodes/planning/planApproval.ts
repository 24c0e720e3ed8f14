import { z } from "zod";
import { askDecisions } from "../shared/askDecisions.js";

/** What a person decides about a plan. */
const planDecisionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("edit"), plan: z.unknown() }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);
export type PlanDecision = z.infer<typeof planDecisionSchema>;

/** What a run shows to a person that waits with a plan of which nothing has run yet. */
export interface PlanApprovalRequest {
  kind: "plan";
  /** Its calls in their order; references to outputs as texts, such as "$$PREV[0].id". */
  steps: {
    tool: string;
    args: unknown;
    effects: "read" | "write";
    /** The plan ends here, and what is done after it depends on what the call gives. */
    lookAtResult?: true;
  }[];
  /** The answer that it will give, with references; empty where it is worded afterwards. */
  answer: string;
  /** Parts of the request that the plan leaves undone, since no tool was found for them. */
  lacking: string[];
  /** What is wrong with the plan or the answer that the person gave before; empty for nothing. */
  problem: string;
}

/**
 * Asks a person about a plan as a whole: pauses the run with LangGraph's `interrupt`, and gives the
 * decision once the run is resumed with `new Command({ resume: { decisions: [decision] } })`. An answer that is
 * no such decision is asked for again.
 */
export function askPlanApproval(request: PlanApprovalRequest): PlanDecision {
  const [decision] = askDecisions({
    request,
    decisions: z.tuple([planDecisionSchema]),
    wanted: 'and no more than one; an edit has the whole "plan"',
  });
  return decision;
}
