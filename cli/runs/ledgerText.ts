import { spentBy } from "../../state/ledger.js";
import type { GraphState, Ledger, Usage } from "../../state/state.js";
import { amountText, callsText, shareText } from "../../state/budget/amountText.js";

/** The spending of a run that has a budget. */
interface Spending {
  ledger: Ledger;
  usage: Usage;
}

/** What a run spent of its budget, and what it was granted at first. */
export function spentText({ ledger, usage }: Spending): string {
  const { planned, unit, amount } = ledger;
  const spent = `${shareText({ part: spentBy({ ledger, usage }), amount, unit })} spent`;
  if (!planned) return spent;
  const cost = amountText({ amount: planned.cost, unit: "units" });
  return `${spent} · first granted: ${callsText(planned.calls)} for ${cost}`;
}

/** What a run was refused because of its budget, and what it all would have cost; undefined if nothing was refused. */
export function neededText({ ledger, usage }: Spending): string | undefined {
  const { unit, amount, refused } = ledger;
  if (refused.length === 0) return undefined;
  const priceOf = new Map(refused.map(({ what, price }) => [what, price]));
  const shown = [...priceOf].map(
    ([what, price]) => `${what} ${amountText({ amount: price, unit })}`,
  );
  // What was refused repeatedly counts once: this is the least that would have sufficed.
  const needed = [...priceOf.values()].reduce(
    (sum, price) => sum + price,
    spentBy({ ledger, usage }),
  );
  const least = needed > amount ? ` · needed at least ${amountText({ amount: needed, unit })}` : "";
  return `refused because of the budget: ${shown.join(", ")}${least}`;
}

/** The budget of a run as `--json` prints it; undefined if it has none. */
export function reportedBudget(
  state: Partial<Pick<GraphState, "ledger">> & Pick<GraphState, "usage">,
) {
  const { ledger, usage } = state;
  if (!ledger) return undefined;
  const { unit, amount, planned, plan, refused } = ledger;
  return { unit, amount, spent: spentBy({ ledger, usage }), planned, plan, refused };
}
