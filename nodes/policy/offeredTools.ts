import { pricesOf } from "../../state/budget/prices.js";
import { estimateTokens } from "../../tools/library/vectors/embedding.js";
import { runWorkspace } from "../../home/workspace.js";
import type { Settings } from "../../state/settings.js";
import { inLedgerUnit, isAllowed, leftOf } from "../../state/ledger.js";
import type { GraphState, Ledger } from "../../state/state.js";
import { uselessTools } from "../../state/calls.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { wireNames } from "../../tools/library/wireNames.js";
import type { ToolRecord } from "../../tools/tool.js";

/** The tools of a run by the names the model knows them by. */
export interface ToolOffer {
  offered: Map<string, ToolRecord>;
  /** Those the budget no longer allows. */
  forbidden: Map<string, ToolRecord>;
  useless: Map<string, ToolRecord>;
  /** Why those that were found earlier in the thread are no longer accepted, in one line. */
  unaccepted: Map<string, string>;
  /** Price of a call by tool id, in the ledger's unit; empty without a ledger. */
  prices: Record<string, number>;
}

/**
 * The tools found, in order, and the run's default tools: on offer, or withheld because of the budget or
 * because they never helped (BTP). A tool that is granted no call is forbidden from the start.
 *
 * @throws UnknownName if a default or fixed tool is not in the library, LibraryFailed if it is withheld
 */
export async function offeredTools(state: GraphState, settings: Settings): Promise<ToolOffer> {
  return offeredOf(await runWorkspace().library(settings), state, settings);
}

/** As {@link offeredTools}, of a library that is open. */
export function offeredOf(library: ToolLibrary, state: GraphState, settings: Settings): ToolOffer {
  const { tools, unaccepted } = chosenTools(library, state, settings);
  const prices = ledgerPrices(state, tools);
  const byId = wireNames({ tools, reserved: CONTROL_NAMES });
  // Unhelpful tools are withdrawn only in step searches with an enforced budget.
  const isWithdrawing = state.tree !== null && state.ledger?.enforced;
  const useless = isWithdrawing ? uselessTools(state.calls) : new Set<string>();
  const named = (keep: (tool: ToolRecord) => boolean) =>
    new Map(tools.filter(keep).map((tool) => [byId.get(tool.id) ?? tool.name, tool]));
  const isOpen = ({ id }: ToolRecord) => isAllowed(state, { tool: id, price: prices[id] ?? 0 });
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
  library: ToolLibrary,
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
    tools: ids.flatMap((id) => tools.get(id) ?? []),
    unaccepted: unacceptedOf(library, missing),
  };
}

function unacceptedOf(library: ToolLibrary, missing: readonly string[]): ToolOffer["unaccepted"] {
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

/** All tools of a run, whether on offer or withheld. */
export function allTools({ offered, forbidden, useless }: ToolOffer): Map<string, ToolRecord> {
  return new Map([...offered, ...forbidden, ...useless]);
}

/**
 * The tools that a plan may name: also those that the budget no longer allows, because a tool whose granted calls
 * are used up is still the tool of calls already made.
 */
export function plannableTools({ offered, forbidden }: ToolOffer): Map<string, ToolRecord> {
  return new Map([...offered, ...forbidden]);
}

/** Whether a tool that is or was on offer changes something. */
export function writesIn(offer: ToolOffer): (tool: string) => boolean {
  const tools = [...allTools(offer).values()];
  const writes = new Set(tools.filter(({ effects }) => effects === "write").map(({ id }) => id));
  return (tool) => writes.has(tool);
}

/**
 * The ledger of a run that ends without an answer because of its budget: with what was refused, or else the
 * cheapest tool the rest cannot pay for. Undefined if the budget was not the reason; an affordable tool that
 * the plan left out does not count.
 */
export function shortLedger(state: GraphState, offer: ToolOffer): Ledger | undefined {
  const { ledger } = state;
  if (!ledger?.enforced) return undefined;
  if (ledger.refused.length > 0) return ledger;
  const [cheapest] = [...offer.forbidden.values()]
    .map(({ id }) => ({ what: id, price: offer.prices[id] ?? 0 }))
    .filter(({ price }) => price > leftOf(state))
    .toSorted((one, other) => one.price - other.price);
  return cheapest && { ...ledger, refused: [cheapest] };
}

/** Tokens a tool takes when shown to a model. */
export function schemaTokens({ name, description, parameters }: ToolRecord): number {
  return estimateTokens([JSON.stringify({ name, description, parameters })]);
}
