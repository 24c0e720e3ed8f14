import { pricesOf } from "../../state/budget/prices.js";
import { runWorkspace } from "../../home/workspace.js";
import type { Settings } from "../../state/settings.js";
import { inLedgerUnit, isAllowed } from "../../state/ledger.js";
import type { GraphState, Call } from "../../state/state.js";
import { uselessTools } from "../../state/calls.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { LibraryView } from "../../tools/library/library.js";
import { wireNames } from "../../tools/library/wireNames.js";
import type { ToolRecord } from "../../tools/tool.js";
import type { ToolOffer } from "./toolOffer.js";
import { isPlainObject } from "../../plans/steps/references.js";

/**
 * The tools found, in order, and the run's default tools: on offer, or withheld because of the budget or
 * because they never helped (BTP). A tool that is granted no call is forbidden from the start.
 *
 * @throws UnknownName if a default or fixed tool is not in the library, LibraryFailed if it is withheld
 */
export async function offeredTools(state: GraphState, settings: Settings): Promise<ToolOffer> {
  return (await openOffer(state, settings)).offer;
}

/** As {@link offeredTools}, with the library. */
export async function openOffer(state: GraphState, settings: Settings) {
  const library = await runWorkspace().library(settings);
  return { library, offer: offeredOf(library, state, settings) };
}

/** As {@link offeredTools}, of a library that is open. */
export function offeredOf(library: LibraryView, state: GraphState, settings: Settings): ToolOffer {
  const { tools, unaccepted } = chosenTools(library, state, settings);
  const prices = ledgerPrices(state, tools);
  const byId = wireNames({ tools, reserved: CONTROL_NAMES });
  // Unhelpful tools are withdrawn only in step searches with an enforced budget.
  const isWithdrawing = state.tree !== null && state.ledger?.enforced;
  const useless = isWithdrawing ? uselessTools(state.calls) : new Set<string>();
  const named = (keep: (tool: ToolRecord) => boolean) =>
    new Map(tools.filter(keep).map((tool) => [byId.get(tool.id) ?? tool.name, tool]));
  const isOpen = ({ id }: ToolRecord) =>
    !state.ledger || isAllowed(state, { tool: id, price: prices[id] ?? 0 });
  return {
    offered: named((tool) => isOpen(tool) && !useless.has(tool.id)),
    forbidden: named((tool) => !isOpen(tool) && !useless.has(tool.id)),
    useless: named(({ id }) => useless.has(id)),
    unaccepted,
    prices,
  };
}

/** What a call of each tool costs. Granted tools keep their price, so that the allowance stays valid. */
function ledgerPrices(state: GraphState, tools: readonly ToolRecord[]): Record<string, number> {
  const { ledger } = state;
  if (!ledger) return {};
  const granted = Object.fromEntries(ledger.plan.map(({ tool, price }) => [tool, price]));
  const fresh = tools.filter(({ id }) => granted[id] === undefined);
  const units = { ...pricesOf(fresh), ...granted };
  return Object.fromEntries(
    Object.entries(units).map(([tool, price]) => [tool, inLedgerUnit(price, ledger)]),
  );
}

function chosenTools(
  library: LibraryView,
  state: GraphState,
  settings: Settings,
): { tools: ToolRecord[]; unaccepted: ToolOffer["unaccepted"] } {
  const chosen = [...(settings.toolIds ?? []), ...settings.defaultTools];
  const ids = [...new Set([...state.toolIds, ...settings.defaultTools])];
  const tools = library.pick(ids);
  const missing = ids.filter((id) => !tools.has(id));
  const lacking = missing.find((id) => chosen.includes(id));
  if (lacking !== undefined) throw absentTool(library, lacking);
  return {
    // A tool removed during the run is no longer on offer.
    tools: toldTools(
      ids.flatMap((id) => tools.get(id) ?? []),
      state.calls,
    ),
    unaccepted: unacceptedOf(library, missing),
  };
}

function unacceptedOf(library: LibraryView, missing: readonly string[]): ToolOffer["unaccepted"] {
  if (missing.length === 0) return new Map();
  const withheld = library.withheld().filter(({ tool }) => missing.includes(tool.id));
  const byId = wireNames({ tools: withheld.map(({ tool }) => tool) });
  return new Map(
    withheld.map(({ tool: { id, name } }) => [
      byId.get(id) ?? name,
      absentTool(library, id).message,
    ]),
  );
}

/**
 * Tools as results of the run have last told of them. Besides what was asked for, a result may have `prices` (units, by the
 * names of tools) and `unavailable` (names). A source speaks of its own tools only, and what is not a price does not count.
 *
 * @returns the tools with their newest cost, without those that are unavailable
 */
export function toldTools(
  tools: readonly ToolRecord[],
  calls: readonly Pick<Call, "tool" | "result">[],
): ToolRecord[] {
  const told = new Map<string, number | "gone">();
  for (const { tool, result } of calls) {
    if (!isPlainObject(result) || !("prices" in result || "unavailable" in result)) continue;
    const from = tools.find(({ id }) => id === tool)?.source.file;
    for (const { id, name } of tools.filter(({ source }) => source.file === from)) {
      const price: unknown = Object(result["prices"])[name];
      if (typeof price === "number" && price >= 0 && Number.isFinite(price)) told.set(id, price);
      if ([result["unavailable"]].flat().includes(name)) told.set(id, "gone");
    }
  }
  return tools.flatMap((tool) => {
    const news = told.get(tool.id);
    if (news === "gone") return [];
    return news === undefined ? [tool] : [{ ...tool, cost: news }];
  });
}
