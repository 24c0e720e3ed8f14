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
  /** The calls of the program and their cost, as far as known. */
  bill: string;
  /** Whether these are all. If not, further writes are asked about when they are known. */
  complete: boolean;
  /** What was wrong with the person's previous list or program, or empty. */
  problem: string;
}

/** A decision about a single write, from a front end that shows them one by one. */
const singleSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.strictObject({ type: z.literal("edit"), args: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);

/**
 * Turns a decision about each write into one about all. If only some are rejected, the program continues without
 * them, as after an edit of the list; if all are, the program itself is rejected, for all the reasons given.
 */
function asOneDecision(decisions: readonly object[]): readonly object[] {
  const read = z.array(singleSchema).safeParse(decisions);
  // An edit of the whole list, or not a decision at all.
  if (!read.success) return decisions;
  const each = read.data;
  if (each.every(({ type }) => type === "approve")) return [{ type: "approve" }];
  if (each.every((one) => one.type === "reject")) {
    const message = each.flatMap(({ message }) => message || []).join("; ");
    return [{ type: "reject", ...(message && { message }) }];
  }
  const writes = each.flatMap((one, at) => {
    if (one.type === "reject") return [];
    return one.type === "edit" ? { at, args: one.args } : { at };
  });
  return [{ type: "edit", writes }];
}

/**
 * Asks a person about a program's writes: pauses the run with LangGraph's `interrupt` and returns the decision
 * once it is resumed with `new Command({ resume: { decisions: [decision] } })`. Asks again after any other
 * answer.
 *
 * @param schemas JSON Schemas of each write's arguments, for whoever edits them
 */
export function askWritesApproval(
  request: WritesApprovalRequest,
  schemas: readonly (object | undefined)[],
): WritesDecision {
  const [decision] = askDecisions({
    request,
    actions: request.writes.map(({ tool, args, names = {}, reason }, at) => ({
      name: tool,
      args,
      description: [
        ...Object.entries(names).map(([id, name]) => `${id} is “${name}”`),
        ...(reason ? [reason] : []),
      ].join(" · "),
      allowed: ["approve", "edit", "reject"],
      argsSchema: schemas[at],
    })),
    edited: (args) => ({ type: "edit", args }),
    together: asOneDecision,
    decisions: z.tuple([writesDecisionSchema]),
    wanted: 'and no more than one; an edit has the "writes" that are left, or a whole "program"',
  });
  return decision;
}
