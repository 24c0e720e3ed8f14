import { leftOf } from "../../state/ledger.js";
import type { GraphState, Ledger } from "../../state/state.js";
import type { ToolOffer } from "./offeredTools.js";

/**
 * The ledger of a run that ends without an answer, where its budget stood in the way: with what was
 * refused, or else with the cheapest tool that what is left cannot pay. Undefined where it did not. A
 * tool that the plan left out, though it could be paid, is no matter of money.
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
