import type { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Settings } from "../../state/settings.js";
import { type PricedCall, inLedgerUnit, reserve } from "../../state/ledger.js";
import type { GraphState } from "../../state/state.js";
import type { FlowVerdict } from "../../tools/calls/flow/flowVerdict.js";
import type { LibraryView } from "../../tools/library/library.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { ToolLookup } from "../../tools/calls/engine/callScope.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import type { ToolRecord } from "../../tools/tool.js";
import { isApprovedCall } from "../programs/followProgram.js";
import { isOfProgram } from "../programs/programCalls.js";
import { REJECTED, wasAskedAbout } from "../policy/askDecisions.js";
import { refusalText } from "../policy/flowVerdicts.js";
import type { ToolOffer } from "../policy/toolOffer.js";
import { pricesOf } from "../../state/budget/prices.js";
import { askApproval, needsApproval } from "./approval.js";
import { overBudgetText, refusal, repeatedWrites } from "./guards.js";

/** A permitted call, with its arguments as a person may have changed them. */
export interface RunnableCall {
  call: ToolCall;
  tool: ToolRecord;
  args: Record<string, unknown>;
}

interface Permitted {
  runnable: RunnableCall[];
  /** Objections to the others, for the model. */
  refused: Map<ToolCall, string>;
  overBudget: PricedCall[];
}

/** Sorts out which calls may run. @returns undefined if a person has to be asked and is not to be (`unasked`) */
export function permit(options: {
  state: GraphState;
  settings: Settings;
  reply: AIMessage;
  calls: readonly ToolCall[];
  offer: ToolOffer;
  flows: ReadonlyMap<ToolCall, FlowVerdict>;
  unasked: boolean;
}): Permitted | undefined {
  const { state, settings, reply, calls, offer, flows } = options;
  const refused = new Map<ToolCall, string>();
  const unplanned = calls.filter((call) => !isOfProgram(state, call.id ?? ""));
  const repeated = repeatedWrites(state, unplanned, offer);
  const ending = state.tree ? "finish" : "stop";
  const known = calls.flatMap((call) => {
    const problem =
      refusal({ call, reply, offer, ending }) ??
      repeated.get(call) ??
      refusalText(call, flows.get(call));
    if (problem !== undefined) refused.set(call, problem);
    const tool = offer.offered.get(call.name) ?? offer.forbidden.get(call.name);
    if (problem !== undefined || !tool) return [];
    return [{ call, tool: tool.id, record: tool, price: offer.prices[tool.id] ?? 0 }];
  });
  const reserved = reserve(state, known);
  const { allowed } = reserved;
  for (const { call, tool, price } of reserved.refused)
    refused.set(call, overBudgetText({ name: call.name, tool, price, state, allowed }));
  const { program } = state;
  const held = reserved.allowed.filter(({ call, tool, record }) => {
    // A person may have approved this write of a program with these arguments.
    const write = { id: call.id ?? "", tool, args: call.args, definition: record.hash };
    if (program && isApprovedCall(program, write)) return false;
    // Whoever was asked about a call decides about it, even if it is said to be harmless by now.
    // A saved plan shows its calls, rather than itself, once it has made its reads.
    const isAsked = (needsApproval(record, settings) && !isSavedPlan(record)) || flows.has(call);
    return isAsked || wasAskedAbout({ name: tool, args: call.args });
  });
  if (options.unasked && held.length > 0) return undefined;
  const decisions = askApproval(
    held.map(({ call, record }) => ({ call, tool: record, reason: flows.get(call)?.reason })),
  );
  const runnable = reserved.allowed.flatMap(({ call, record }): RunnableCall[] => {
    const decision = decisions.get(call);
    if (decision?.type === "reject") {
      const why = decision.message ? `: ${decision.message}` : "";
      refused.set(call, `${REJECTED}${why}. Do not repeat it.`);
      return [];
    }
    const args = decision?.type === "edit" ? decision.args : call.args;
    return [{ call, tool: record, args }];
  });
  return { runnable, refused, overBudget: reserved.refused };
}

/** Gives a tool with the price of a call, in units. */
export function pricedTool(settings: Settings): (tool: ToolRecord) => ToolRecord {
  if (settings.budget === undefined) return (tool) => tool;
  return (tool) => ({ ...tool, cost: pricesOf([tool])[tool.id] });
}

/** The tools that tools may call. Such calls are paid from what this message's calls leave of the budget. */
export function nestedTools(options: {
  tools: LibraryView;
  runnable: readonly { tool: ToolRecord }[];
  state: GraphState;
  settings: Settings;
  offer: ToolOffer;
  priced: (tool: ToolRecord) => ToolRecord;
  /** Why flow rules forbid a tool. */
  flowProblem: (tool: ToolRecord) => string | undefined;
}): ToolLookup {
  const { tools, runnable, state, settings, offer, priced, flowProblem } = options;
  const { ledger } = state;
  const reserved: PricedCall[] = runnable.map(({ tool: { id } }) => ({
    tool: id,
    price: offer.prices[id] ?? 0,
  }));
  const get: ToolLookup["get"] = (id) => {
    const tool = tools.get(id);
    if (!tool && tools.withheld().some((one) => one.tool.id === id)) throw absentTool(tools, id);
    const problem = tool && flowProblem(tool);
    if (problem) throw new Error(problem);
    if (!tool || !ledger) return tool;
    const paid = priced(tool);
    const price = inLedgerUnit(paid.cost ?? 0, ledger);
    const { allowed } = reserve({ ...state, ledger: { ...ledger, quotas: null } }, [
      ...reserved,
      { tool: id, price },
    ]);
    if (ledger.enforced && allowed.length <= reserved.length)
      throw new Error(`${id} costs more than the budget of the run allows`);
    reserved.push({ tool: id, price });
    return paid;
  };
  return {
    get,
    find: (id) => tools.get(id),
    needsApproval: (tool) => needsApproval(tool, settings),
  };
}
