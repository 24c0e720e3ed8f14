import type { ToolCall } from "@langchain/core/messages/tool";
import { z } from "zod";
import { oneLine } from "../../common/errors.js";
import type { Context } from "../../state/context.js";
import type { ToolRecord } from "../../tools/tool.js";
import { askDecisions } from "../shared/askDecisions.js";

/** What a person decides about one call. */
const decisionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("edit"), args: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);
export type Decision = z.infer<typeof decisionSchema>;

/** What a run shows to the person it waits for. */
export interface ApprovalRequest {
  kind: "approval";
  calls: {
    id: string;
    tool: string;
    args: Record<string, unknown>;
    /** Why a flow rule requires asking; absent if none does. */
    reason?: string;
  }[];
  /** What was wrong with the person's previous answer, or empty. */
  problem: string;
}

/** Whether a person must approve before the tool is called. */
export function needsApproval(tool: ToolRecord, { approval }: Pick<Context, "approval">): boolean {
  if (approval === "none") return false;
  const asksForWrites = approval === "writes" || approval === "plan";
  return tool.approval === true || (asksForWrites && tool.effects === "write");
}

/**
 * Asks a person about calls: pauses the run with LangGraph's `interrupt` and returns the decisions once it is
 * resumed with `new Command({ resume: { decisions } })`. Asks again unless the answer lists one decision per
 * call.
 */
export function askApproval(
  held: readonly { call: ToolCall; tool: ToolRecord; reason?: string }[],
): Map<ToolCall, Decision> {
  if (held.length === 0) return new Map();
  const calls = held.map(({ call, tool, reason }) => ({
    id: call.id ?? "",
    tool: tool.id,
    args: call.args,
    ...(reason && { reason }),
  }));
  const request: ApprovalRequest = { kind: "approval", calls, problem: "" };
  const decisions = askDecisions({
    request,
    actions: held.map(({ call, tool, reason }) => ({
      name: tool.id,
      args: call.args,
      description: [oneLine(tool.description), reason].filter(Boolean).join(" · "),
      allowed: ["approve", "edit", "reject"],
      argsSchema: tool.parameters,
    })),
    edited: (args) => ({ type: "edit", args }),
    decisions: z.array(decisionSchema).length(held.length),
    wanted: 'one for each call; an edit has its "args"',
  });
  return new Map(held.flatMap(({ call }, at) => (decisions[at] ? [[call, decisions[at]]] : [])));
}
