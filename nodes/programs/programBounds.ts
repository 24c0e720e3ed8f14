import { type Settings, MOST_PLAN_CALLS } from "../../state/settings.js";
import { inLedgerUnit, leftOf } from "../../state/ledger.js";
import type { GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import { amountText } from "../shared/promptTexts.js";
import { pricesOf } from "../shared/offeredTools.js";
import { outOfMoney } from "../shared/askModel.js";
import { type Followed, programCalls, writesMade } from "./followProgram.js";

/** Rounding tolerance, as a share of the budget, for sums such as 0.1 + 0.2. */
const ROUNDING = 1e-9;

/**
 * The end of a run whose program would make too many calls, or more than the budget pays for. It comes before
 * the first write, so nothing is left half done. Undefined for a program within bounds.
 */
export function beyondBounds(
  state: GraphState,
  program: ProgramState,
  followed: Followed,
): StateUpdate | undefined {
  const { progress, offer } = followed;
  const made = [...programCalls(program, state).values()];
  const counts = Object.entries(progress.counts);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const wanted = counts.map(([tool, count]) => `${tool} ${count} ×`).join(", ");
  const hasWritten = writesMade(state, program, followed).length > 0;
  if (total > MOST_PLAN_CALLS) {
    const written = hasWritten ? "What it had written stands." : "Nothing was written.";
    const answer = `Stopped by the limit of ${MOST_PLAN_CALLS} calls of one plan: this one needs ${total} or more (${wanted}). ${written}`;
    return { status: "limit", answer };
  }
  if (!state.ledger?.enforced || hasWritten) return undefined;
  const price = counts.reduce((sum, [tool, count]) => {
    const open = count - made.filter((call) => call.tool === tool).length;
    return sum + Math.max(0, open) * (offer.prices[tool] ?? 0);
  }, 0);
  if (price <= leftOf(state) * (1 + ROUNDING)) return undefined;
  return outOfMoney(state, { what: `the calls of the plan (${wanted})`, price });
}

/**
 * The calls that a program makes and what they cost, as far as its reads tell: "41 calls (works_list 1,
 * update_work 40), 0.41 units". Without a budget or prices they are counted but not priced.
 */
export async function billText(options: {
  followed: Pick<Followed, "progress" | "tools">;
  state: Pick<GraphState, "ledger">;
  settings: Settings;
}): Promise<string> {
  const { followed, state, settings } = options;
  const { ledger } = state;
  const { counts, complete } = followed.progress;
  const tools = [...followed.tools.values()];
  const units = await pricesOf(settings, tools);
  const calls = Object.entries(counts);
  if (calls.length === 0) return "no calls";
  const total = calls.reduce((sum, [, count]) => sum + count, 0);
  const price = calls.reduce((sum, [tool, count]) => sum + count * (units[tool] ?? 0), 0);
  const each = calls.map(([tool, count]) => `${tool} ${count}`).join(", ");
  const bound = complete ? "" : "at least ";
  const counted = `${bound}${total} ${total === 1 ? "call" : "calls"} (${each})`;
  if (!ledger && tools.every(({ cost }) => cost === undefined)) return counted;
  const amount = ledger ? inLedgerUnit(price, ledger) : price;
  return `${counted}, ${bound}${amountText(amount, ledger?.unit ?? "units")}`;
}
