import { pricing } from "../shared/toolPrices.js";
import type { Settings } from "../../state/settings.js";
import { type PricedCall, inLedgerUnit, reserve } from "../../state/ledger.js";
import type { GraphState } from "../../state/state.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolLookup } from "../../tools/runtime/calls/callScope.js";
import { isSavedPlan } from "../../tools/runtime/calls/savedPlan.js";
import type { ToolRecord } from "../../tools/tool.js";
import { needsApproval } from "./approval.js";
import type { ToolOffer } from "../shared/offeredTools.js";

/** Gives a tool with the price of a call, in units. */
export async function pricedTool(settings: Settings): Promise<(tool: ToolRecord) => ToolRecord> {
  if (settings.budget === undefined) return (tool) => tool;
  const pricesOf = await pricing(settings);
  return (tool) => ({ ...tool, cost: pricesOf([tool])[tool.id] });
}

/** The tools that tools may call. Such calls are paid from what this message's calls leave of the budget. */
export function nestedTools(options: {
  tools: ToolLibrary;
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
  const get: ToolLookup["get"] = (id, caller) => {
    const found = tools.get(id);
    if (!found && tools.withheld().some(({ tool }) => tool.id === id)) throw absentTool(tools, id);
    const tool = callable({ tool: found, caller, settings });
    const problem = tool && flowProblem(tool);
    if (problem) throw new Error(problem);
    if (!tool || !ledger) return tool;
    const paid = priced(tool);
    const price = inLedgerUnit(paid.cost ?? 0, ledger);
    const { allowed } = reserve({ ...state, ledger: { ...ledger, quotas: null } }, [
      ...reserved,
      { tool: id, price },
    ]);
    if (ledger.enforced && allowed.length <= reserved.length) {
      throw new Error(`${id} costs more than the budget of the run allows`);
    }
    reserved.push({ tool: id, price });
    return paid;
  };
  return { get, find: (id) => tools.get(id) };
}

/**
 * What tools may call: nobody can be asked in the middle of a call. A plan approved by a person calls what it
 * was saved with.
 *
 * @throws Error for a tool that needs a person's approval
 */
export function callable(options: {
  tool: ToolRecord | undefined;
  caller: ToolRecord | undefined;
  settings: Settings;
}): ToolRecord | undefined {
  const { tool, caller, settings } = options;
  if (tool && needsApproval(tool, settings) && !(caller && isSavedPlan(caller))) {
    throw new Error(`${tool.id} needs a person's approval and cannot be called by a tool`);
  }
  return tool;
}
