import { leftOf } from "../../state/ledger.js";
import type { GraphState, Ledger } from "../../state/state.js";
import type { ToolOffer } from "./offeredTools.js";

/**
 * The ledger of a run that ends without an answer because of its budget: with what was refused, or else the
 * cheapest tool the rest cannot pay for. Undefined if the budget was not the reason; an affordable tool that
 * the plan left out does not count.
 */
export function shortLedger(options: { state: GraphState; offer: ToolOffer }): Ledger | undefined {
  const { state, offer } = options;
  const { ledger } = state;
  if (!ledger?.enforced) return undefined;
  if (ledger.refused.length > 0) return ledger;
  const [cheapest] = [...offer.forbidden.values()]
    .map(({ id }) => ({ what: id, price: offer.prices[id] ?? 0 }))
    .filter(({ price }) => price > leftOf(state))
    .toSorted((one, other) => one.price - other.price);
  return cheapest && { ...ledger, refused: [cheapest] };
}
