import type { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Settings } from "../../state/settings.js";
import { type PricedCall, reserve } from "../../state/ledger.js";
import type { GraphState } from "../../state/state.js";
import type { FlowVerdict } from "../../tools/flow/flowVerdict.js";
import type { ToolRecord } from "../../tools/tool.js";
import { isApprovedCall } from "../programs/followProgram.js";
import { isOfProgram } from "../programs/leaveProgram.js";
import { refusalText } from "../shared/flowVerdicts.js";
import type { ToolOffer } from "../shared/offeredTools.js";
import type { Decision } from "../shared/askDecisions.js";
import { askApproval, needsApproval } from "./approval.js";
import { overBudgetText, refusal } from "./guards.js";
import { type KnownRead, repeatedReads, repeatedWrites } from "./repeatedCalls.js";

/** A permitted call, with its arguments as a person may have changed them. */
export interface RunnableCall {
  call: ToolCall;
  tool: ToolRecord;
  args: Record<string, unknown>;
}

/** Sorts out which calls may run; objections to the others are for the model. */
export function permit(options: {
  state: GraphState;
  settings: Settings;
  reply: AIMessage;
  calls: readonly ToolCall[];
  offer: ToolOffer;
  flows: ReadonlyMap<ToolCall, FlowVerdict>;
}): {
  runnable: RunnableCall[];
  refused: Map<ToolCall, string>;
  /** Notes on repeated look-ups; these are not objections. */
  told: ReadonlyMap<ToolCall, KnownRead>;
  overBudget: PricedCall[];
} {
  const { state, settings, reply, calls, offer, flows } = options;
  const refused = new Map<ToolCall, string>();
  const unplanned = calls.filter((call) => !isOfProgram(state, call.id ?? ""));
  const repeated = repeatedWrites({ state, calls: unplanned, offer });
  const ending = state.tree ? "finish" : "stop";
  const told = repeatedReads({ state, calls, offer, end: ending });
  const known = calls.flatMap((call) => {
    const problem =
      refusal({ call, reply, offer, ending }) ??
      repeated.get(call) ??
      told.get(call)?.text ??
      refusalText(call, flows.get(call));
    if (problem !== undefined) refused.set(call, problem);
    const tool = offer.offered.get(call.name) ?? offer.forbidden.get(call.name);
    if (problem !== undefined || !tool) return [];
    return [{ call, tool: tool.id, record: tool, price: offer.prices[tool.id] ?? 0 }];
  });
  const reserved = reserve(state, known);
  const { allowed } = reserved;
  for (const { call, tool, price } of reserved.refused) {
    refused.set(call, overBudgetText({ name: call.name, tool, price, state, allowed }));
  }
  const held = reserved.allowed.filter(
    ({ call, tool, record }) =>
      !isApprovedWrite(state, { call, tool }) &&
      (needsApproval(record, settings) || flows.has(call)),
  );
  const decisions = askApproval(
    held.map(({ call, record }) => ({ call, tool: record, reason: flows.get(call)?.reason })),
  );
  const runnable = reserved.allowed.flatMap(({ call, record }): RunnableCall[] => {
    const decision = decisions.get(call);
    if (decision?.type === "reject") refused.set(call, rejection(decision));
    return decision?.type === "reject"
      ? []
      : [{ call, tool: record, args: decidedArgs(call, decision) }];
  });
  return { runnable, refused, told, overBudget: reserved.refused };
}

/** A person approved this write of a program with these arguments. */
function isApprovedWrite(
  { program }: GraphState,
  { call, tool }: { call: ToolCall; tool: string },
): boolean {
  return program !== null && isApprovedCall(program, { id: call.id ?? "", tool, args: call.args });
}

function rejection({ message }: Decision & { type: "reject" }): string {
  return `a person has rejected this call${message ? `: ${message}` : ""}. Do not repeat it.`;
}

function decidedArgs(call: ToolCall, decision?: Decision): Record<string, unknown> {
  return decision?.type === "edit" ? decision.args : call.args;
}
