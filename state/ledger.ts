import type { Budget } from "./budgetSetting.js";
import type { GraphState, Ledger } from "./state.js";

/** A call someone wants to make, priced in the ledger's unit. */
export interface PricedCall {
  tool: string;
  price: number;
}

export function openLedger(budget: Budget, options: { enforced: boolean }): Ledger {
  return { ...budget, ...options, spent: 0, plan: [], quotas: null, planned: null, refused: [] };
}

/** What a run with a ledger has spent so far, including model tokens if the budget is in dollars. */
export function spentBy({ ledger, usage }: Pick<GraphState, "ledger" | "usage">): number {
  if (!ledger) return 0;
  return ledger.spent + (ledger.unit === "usd" ? (usage.usd ?? 0) : 0);
}

/** What a run may still spend; infinite without a ledger. */
export function leftOf(state: Pick<GraphState, "ledger" | "usage">): number {
  return state.ledger ? Math.max(0, state.ledger.amount - spentBy(state)) : Infinity;
}

/** Dollars per unit of a budget. */
export const USD_PER_UNIT = 0.001;

/** Converts a price from budget units to the ledger's unit. */
export function inLedgerUnit(price: number, { unit }: Pick<Ledger, "unit">): number {
  return unit === "usd" ? price * USD_PER_UNIT : price;
}

/** Rounding tolerance, as a share of the whole budget, for sums such as 0.1 + 0.2. */
const ROUNDING = 1e-9;

/** Whether a call may be made; `reserved` are earlier calls not charged yet. */
function allows(
  state: Pick<GraphState, "ledger" | "usage">,
  { call, reserved }: { call: PricedCall; reserved: readonly PricedCall[] },
): boolean {
  const { ledger } = state;
  if (!ledger?.enforced) return true;
  const held = reserved.reduce((sum, { price }) => sum + price, 0);
  const left = Math.max(0, ledger.amount * (1 + ROUNDING) - spentBy(state));
  if (held + call.price > left) return false;
  if (!ledger.quotas) return true;
  const times = reserved.filter(({ tool }) => tool === call.tool).length;
  return times < (ledger.quotas[call.tool] ?? 0);
}

/**
 * Reserves calls in order before any of them runs. A call that exceeds what the earlier ones leave is refused;
 * later ones are still considered.
 */
export function reserve<Call extends PricedCall>(
  state: Pick<GraphState, "ledger" | "usage">,
  calls: readonly Call[],
): { allowed: Call[]; refused: Call[] } {
  const allowed: Call[] = [];
  const refused: Call[] = [];
  for (const call of calls)
    (allows(state, { call, reserved: allowed }) ? allowed : refused).push(call);
  return { allowed, refused };
}

export function isAllowed(state: Pick<GraphState, "ledger" | "usage">, call: PricedCall): boolean {
  return allows(state, { call, reserved: [] });
}

/** The ledger after some calls were executed and others refused. */
export function charge(
  ledger: Ledger,
  { executed, refused }: { executed: readonly PricedCall[]; refused: readonly PricedCall[] },
): Ledger {
  const { quotas } = ledger;
  const left = quotas && { ...quotas };
  for (const { tool } of left ? executed : []) {
    if (left && left[tool] !== undefined) left[tool] = Math.max(0, left[tool] - 1);
  }
  return {
    ...ledger,
    spent: ledger.spent + executed.reduce((sum, { price }) => sum + price, 0),
    quotas: left,
    refused: [...ledger.refused, ...refused.map(({ tool, price }) => ({ what: tool, price }))],
  };
}
