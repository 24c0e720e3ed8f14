import type { ToolCall } from "@langchain/core/messages/tool";
import { oneLine } from "../../common/errors.js";
import type { Settings } from "../../state/settings.js";
import type { ToolRecord } from "../../tools/tool.js";
import { type Decision, askDecisions } from "../policy/askDecisions.js";

export function needsApproval(tool: ToolRecord, { approval }: Pick<Settings, "approval">): boolean {
  if (approval === "none") return false;
  const asksForWrites = approval === "writes" || approval === "plan";
  return tool.approval === true || (asksForWrites && tool.effects === "write");
}

/**
 * Asks a person about calls: pauses the run and returns the decisions once it is resumed with them (`askDecisions`).
 */
export function askApproval(
  held: readonly { call: ToolCall; tool: ToolRecord; reason?: string }[],
): Map<ToolCall, Decision> {
  if (held.length === 0) return new Map();
  const decisions = askDecisions({
    kind: "approval",
    actions: held.map(({ call, tool, reason }) => ({
      name: tool.id,
      args: call.args,
      description: [oneLine(tool.description), reason].filter(Boolean).join(" · "),
      definition: tool.hash,
      allowed: ["approve", "edit", "reject"],
      argsSchema: tool.parameters,
    })),
  });
  return new Map(held.flatMap(({ call }, at) => (decisions[at] ? [[call, decisions[at]]] : [])));
}
