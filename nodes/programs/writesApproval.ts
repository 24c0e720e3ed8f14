import { z } from "zod";
import { askDecisions } from "../shared/askDecisions.js";

/** What a person decides about a program's writes; a changed list or another program is an edit. */
const writesDecisionSchema = z.union([
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("edit"), writes: z.unknown() }),
  z.object({ type: z.literal("edit"), program: z.string() }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);
export type WritesDecision = z.infer<typeof writesDecisionSchema>;

/** What a person is shown when a program has read all it needs and is about to write. */
export interface WritesApprovalRequest {
  kind: "writes";
  /** The writing calls as they will be made, with their values, in order. */
  writes: {
    /** Position in the list; a returned list uses it to say which writes remain. */
    at: number;
    tool: string;
    args: Record<string, unknown>;
    /** What ids among the arguments stand for, by id, if a result says so. */
    names?: Record<string, string>;
    /** Where in the program. */
    line: number;
    /** Why a flow rule requires asking; absent if none does. */
    reason?: string;
  }[];
  /** The code. */
  program: string;
  /** The program's calls, or their bounds, and their cost. */
  bill: string;
  /** Whether these are all. If not, further writes are asked about when they are known. */
  complete: boolean;
  /** What was wrong with the person's previous list or program, or empty. */
  problem: string;
}

/**
 * Asks a person about a program's writes: pauses the run with LangGraph's `interrupt` and returns the decision
 * once it is resumed with `new Command({ resume: { decisions: [decision] } })`. Asks again after any other
 * answer.
 */
export function askWritesApproval(request: WritesApprovalRequest): WritesDecision {
  const [decision] = askDecisions({
    request,
    decisions: z.tuple([writesDecisionSchema]),
    wanted: 'and no more than one; an edit has the "writes" that are left, or a whole "program"',
  });
  return decision;
}
