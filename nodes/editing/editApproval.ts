import { z } from "zod";
import type { Edit } from "../../state/state.js";
import { askDecisions } from "../shared/askDecisions.js";

/** What a person decides about a change of the library. */
const editDecisionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("edit"), code: z.string() }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);
export type EditDecision = z.infer<typeof editDecisionSchema>;

/** What a run shows to a person that waits with a change of the library. */
export interface EditApprovalRequest {
  kind: "edit";
  change: Edit["kind"];
  /** Name of the tool. */
  tool: string;
  /** What was wished for, in words. */
  task: string;
  /** The new code; empty for a deletion. */
  code: string;
  /** The code that it replaces; empty for a new tool. */
  before: string;
  /** Its example calls, in words, with what came of them. */
  tests: string[];
  /** What the change breaks of the version before, on purpose. */
  breaks: string[];
  /** What is wrong with the code or the answer that the person gave before; empty for nothing. */
  problem: string;
}

/**
 * Asks a person about a change of the library: pauses the run with LangGraph's `interrupt`, and gives the
 * decision once the run is resumed with `new Command({ resume: { decisions: [decision] } })`. An answer that is
 * no such decision is asked for again.
 */
export function askEditApproval(request: EditApprovalRequest): EditDecision {
  const [decision] = askDecisions({
    request,
    decisions: z.tuple([editDecisionSchema]),
    wanted: 'and no more than one; an edit has the whole "code"',
  });
  return decision;
}
