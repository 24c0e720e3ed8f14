import { z } from "zod";
import type { Edit } from "../../state/state.js";
import { askDecisions } from "../shared/askDecisions.js";

/** What a person decides about a change to the library. */
const editDecisionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("edit"), code: z.string() }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);
export type EditDecision = z.infer<typeof editDecisionSchema>;

/** What a run with a pending library change shows to a person. */
export interface EditApprovalRequest {
  kind: "edit";
  change: Edit["kind"];
  /** Name of the tool. */
  tool: string;
  /** What was requested, in words. */
  task: string;
  /** The new code; empty for a deletion. */
  code: string;
  /** The code it replaces; empty for a new tool. */
  before: string;
  /** Its example calls, in words, with their outcomes. */
  tests: string[];
  /** What the change deliberately breaks of the previous version. */
  breaks: string[];
  /** What was wrong with the person's previous code or answer, or empty. */
  problem: string;
}

const CHANGE_SCHEMA = {
  type: "object",
  properties: { tool: { type: "string" }, code: { type: "string" } },
  required: ["code"],
};

/**
 * Asks a person about a change to the library: pauses the run with LangGraph's `interrupt` and returns the
 * decision once it is resumed with `new Command({ resume: { decisions: [decision] } })`. Asks again after any
 * other answer.
 */
export function askEditApproval(request: EditApprovalRequest): EditDecision {
  const { change, tool, task, code } = request;
  const isDeletion = change === "delete";
  const [decision] = askDecisions({
    request,
    actions: [
      {
        name: `${change}_tool`,
        args: isDeletion ? { tool } : { tool, code },
        description: task,
        allowed: isDeletion ? ["approve", "reject"] : ["approve", "edit", "reject"],
        argsSchema: CHANGE_SCHEMA,
      },
    ],
    edited: ({ code }) => ({ type: "edit", code }),
    decisions: z.tuple([editDecisionSchema]),
    wanted: 'and no more than one; an edit has the whole "code"',
  });
  return decision;
}
