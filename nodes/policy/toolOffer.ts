import { leftOf } from "../../state/ledger.js";
import type { GraphState, Ledger } from "../../state/state.js";
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
