import type { ToolCall } from "@langchain/core/messages/tool";
import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { InvalidSetting } from "../errors.js";
import type { Context } from "../state/context.js";
import type { ToolRecord } from "../tools/tool.js";

/** What a person decides about one call. */
const decisionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("edit"), args: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);
export type Decision = z.infer<typeof decisionSchema>;

/** With what a run that waits is resumed: one decision for each call, in order. */
const answerSchema = z.object({ decisions: z.array(decisionSchema) });

/** What a run that waits for a person shows to it. */
export interface ApprovalRequest {
  kind: "approval";
  calls: {
    id: string;
    tool: string;
    args: Record<string, unknown>;
    /** Why a flow rule has it asked about; absent where none has. */
    reason?: string;
  }[];
}

/** Whether a person has to agree before the tool is called. */
export function needsApproval(tool: ToolRecord, { approval }: Pick<Context, "approval">): boolean {
  if (approval === "none") return false;
  const asksForWrites = approval === "writes" || approval === "plan";
  return tool.approval === true || (asksForWrites && tool.effects === "write");
}

/**
 * Asks a person about calls: pauses the run with LangGraph's `interrupt` and gives the decisions once
 * the run is resumed with `new Command({ resume: { decisions } })`.
 *
 * @throws InvalidSetting when the answer is no list with one decision for each call
 */
export function askApproval(
  held: readonly { call: ToolCall; tool: ToolRecord; reason?: string }[],
): Map<ToolCall, Decision> {
  if (held.length === 0) return new Map();
  const request: ApprovalRequest = {
    kind: "approval",
    calls: held.map(({ call, tool, reason }) => ({
      id: call.id ?? "",
      tool: tool.id,
      args: call.args,
      ...(reason && { reason }),
    })),
  };
  const answer = answerSchema.safeParse(interrupt(request));
  if (!answer.success || answer.data.decisions.length !== held.length) {
    throw new InvalidSetting({
      setting: "approval",
      problem: `${held.length} calls wait for a decision each, which the answer does not give`,
      hint: 'resume with { "decisions": [{ "type": "approve" | "edit" | "reject", … }] }',
    });
  }
  const { decisions } = answer.data;
  return new Map(held.flatMap(({ call }, at) => (decisions[at] ? [[call, decisions[at]]] : [])));
}
