import { callsText, numberText, shareText } from "./amountText.js";
import { planTable, planTotals } from "./planTable.js";
import type { StageChange } from "../nodes/shared/stage.js";
import type { Ledger } from "../state/state.js";

export type { StageChange } from "../nodes/shared/stage.js";

/** The plan as a table when it is first made, then in a line what of it has changed. */
export function planLines({ change: { ledger }, before }: StageChange): string[] {
  if (!ledger || ledger.plan.length === 0) return [];
  if (!before.ledger?.plan.length)
    return [`plans ${grantedText(ledger)}`, ...planTable(ledger.plan)];
  return sameQuotas(ledger, before.ledger) ? [] : [`plans again: ${toolsText(ledger)}`];
}

function grantedText({ plan, amount, unit }: Ledger): string {
  const { calls, cost } = planTotals(plan);
  const price =
    unit === "units" ? shareText({ part: cost, amount, unit }) : `${numberText(cost, 3)} units`;
  return `${callsText(calls)} for ${price}`;
}

function sameQuotas(one: Ledger, other: Ledger): boolean {
  return JSON.stringify(one.quotas) === JSON.stringify(other.quotas);
}

/** The tools that may still be called, with their quotas: "search ×2, fetch ×1". */
function toolsText({ plan }: Ledger): string {
  const granted = plan.filter(({ quota }) => quota > 0);
  return granted.map(({ tool, quota }) => `${tool} ×${quota}`).join(", ") || "no call";
}
