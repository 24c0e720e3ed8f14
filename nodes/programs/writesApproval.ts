import { z } from "zod";
import { askDecisions } from "../shared/askDecisions.js";

/** What a person decides about the writes of a program: the list changed, or another program, is an edit. */
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
  /** The calls that write as they will be made, with their values, in their order. */
  writes: {
    /** Position in the list, by which a list that is given back says which writes are left. */
    at: number;
    tool: string;
    args: Record<string, unknown>;
    /** What ids among the arguments stand for, by id, where a result of the run says so. */
    names?: Record<string, string>;
    /** Where in the program. */
    line: number;
    /** Why a flow rule has it asked about; absent where none has. */
    reason?: string;
  }[];
  /** The code. */
  program: string;
  /** What the calls of the program are or can come to, and what they cost. */
  bill: string;
  /** Whether these are all. If not, further writes are asked about when they are known. */
  complete: boolean;
  /** What is wrong with the list or program that the person gave before; empty if nothing is. */
  problem: string;
}

/**
 * Asks a person about the writes of a program: pauses the run with LangGraph's `interrupt`, and gives the
 * decision once the run is resumed with `new Command({ resume: { decisions: [decision] } })`. An answer that is no
 * such decision is asked for again.
 */
export function askWritesApproval(request: WritesApprovalRequest): WritesDecision {
  const [decision] = askDecisions({
    request,
    decisions: z.tuple([writesDecisionSchema]),
    wanted: 'and no more than one; an edit has the "writes" that are left, or a whole "program"',
  });
  return decision;
}
