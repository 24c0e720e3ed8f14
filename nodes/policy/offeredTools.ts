import { pricesOf } from "../../state/budget/prices.js";
import { runWorkspace, type Workspace } from "../../home/workspace.js";
import type { Settings } from "../../state/settings.js";
import { inLedgerUnit, isAllowed, leftOf } from "../../state/ledger.js";
import type { GraphState, Call, Ledger } from "../../state/state.js";
import { uselessTools } from "../../state/calls.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { LibraryView } from "../../tools/library/library.js";
import { wireNames } from "../../tools/library/wireNames.js";
import type { ToolRecord } from "../../tools/tool.js";
import { isPlainObject } from "../../plans/steps/references.js";
import type { PlanTool } from "../../plans/steps/plan.js";
import type {
  OfferedTool,
  ShownDemonstration,
  ToldBudget,
  WithheldTools,
} from "../kit/stageInputs.js";

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

/** What a model without tools is offered. */
export const NO_TOOLS: ToolOffer = {
  offered: new Map(),
  forbidden: new Map(),
  useless: new Map(),
  unaccepted: new Map(),
  prices: {},
};

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

/** Tools as a model is offered them, by the names that they have there. */
export function boundTools(tools: ReadonlyMap<string, ToolRecord>) {
  return [...tools].map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters,
  }));
}

/** Tools by the names the model knows them by. */
export type NamedTools = ReadonlyMap<string, ToolRecord>;

export function toolView([name, tool]: [string, ToolRecord]): OfferedTool {
  const { description, parameters, returns } = tool;
  return { name, description, parameters, ...(returns ? { returns } : {}) };
}

/** Tools as shown to a model, with the types of results that were seen where none is declared. */
export async function viewsWithSeen(
  tools: NamedTools,
  { runtime }: Pick<Workspace, "runtime"> = runWorkspace(),
): Promise<OfferedTool[]> {
  const untold = [...tools.values()].filter(({ returns }) => !returns).map(({ hash }) => hash);
  const seen = await runtime.journal.seenResults(untold);
  return [...tools].map((named) => {
    const { type, times } = seen.get(named[1].hash) ?? {};
    return { ...toolView(named), ...(type && times && { seen: { type, times } }) };
  });
}

/** Tools as the checks of plans see them, with the names the model knows them by. */
export function planTools(offered: NamedTools): PlanTool[] {
  return [...offered].map(([name, { id, parameters, returns, effects }]) => ({
    id,
    name,
    parameters,
    ...(returns ? { returns } : {}),
    effects,
  }));
}

/** What the model calls a tool; its id if it is not on offer. */
export function nameIn(offered: NamedTools): (tool: string) => string {
  const names = new Map([...offered].map(([name, { id }]) => [id, name]));
  return (tool) => names.get(tool) ?? tool;
}

/** The demonstrations of a run, with the tool names the model knows. */
export function demonstrationViews(
  { demonstrations }: GraphState,
  known: NamedTools,
): ShownDemonstration[] {
  const nameOf = nameIn(known);
  return demonstrations.map(({ calls, ...demonstration }) => ({
    ...demonstration,
    calls: calls.map(({ tool, ...call }) => ({ name: nameOf(tool), ...call })),
  }));
}

/** The remaining budget, and what each tool on offer costs. */
export function budgetView(
  state: GraphState,
  offer: Pick<ToolOffer, "prices"> & { offered: NamedTools },
): ToldBudget {
  const { offered, prices } = offer;
  return {
    left: leftOf(state),
    unit: state.ledger?.unit ?? "units",
    prices: Object.fromEntries([...offered].map(([name, { id }]) => [name, prices[id] ?? 0])),
  };
}

/** The tools that may no longer be called, by reason. */
export function withheldTools(
  state: Pick<GraphState, "ledger" | "usage">,
  offer: ToolOffer,
): WithheldTools {
  const { forbidden, useless, prices } = offer;
  const left = leftOf(state);
  const namesOf = (keep: (price: number) => boolean) =>
    [...forbidden].filter(([, { id }]) => keep(prices[id] ?? 0)).map(([name]) => name);
  return {
    forbidden: namesOf((price) => price > left),
    ungranted: namesOf((price) => price <= left),
    useless: [...useless.keys()],
  };
}
