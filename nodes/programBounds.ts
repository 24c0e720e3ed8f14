import type { Context } from "../state/context.js";
import { leftOf } from "../state/ledger.js";
import type { GraphState, ProgramState, StateUpdate } from "../state/state.js";
import { outOfMoney } from "./askModel.js";
import { type Followed, programCalls } from "./followProgram.js";

/** Sums of prices such as 0.1 + 0.2 may miss a budget by this share and still fit it. */
const ROUNDING = 1e-9;

/**
 * The end of a run whose program would make more calls than it may, or than what is left of the budget pays:
 * it is met before the first write, so that nothing is done by halves. Undefined for a program within bounds.
 */
export function beyondBounds(options: {
  state: GraphState;
  program: ProgramState;
  followed: Followed;
  context: Context;
}): StateUpdate | undefined {
  const { state, program, followed, context } = options;
  const { progress, atHand } = followed;
  const made = [...programCalls(program, state).values()];
  const counts = Object.entries(progress.counts);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const wanted = counts.map(([tool, count]) => `${tool} ${count} ×`).join(", ");
  if (total > context.maxPlanCalls) {
    const answer = `Stopped by the limit of ${context.maxPlanCalls} calls of one plan (maxPlanCalls): this one needs ${total} or more (${wanted}). ${writtenSoFar(options)}`;
    return { status: "limit", answer };
  }
  if (!state.ledger?.enforced || hasWritten(options)) return undefined;
  const price = counts.reduce((sum, [tool, count]) => {
    const open = count - made.filter((call) => call.tool === tool).length;
    return sum + Math.max(0, open) * (atHand.prices[tool] ?? 0);
  }, 0);
  if (price <= leftOf(state) * (1 + ROUNDING)) return undefined;
  return outOfMoney(state, { what: `the calls of the plan (${wanted})`, price });
}

function hasWritten({ state, program, followed }: Parameters<typeof beyondBounds>[0]): boolean {
  const writing = new Set(
    [...followed.tools.values()].filter(({ effects }) => effects === "write").map(({ id }) => id),
  );
  return [...programCalls(program, state).values()].some(({ tool }) => writing.has(tool));
}

function writtenSoFar(options: Parameters<typeof beyondBounds>[0]): string {
  return hasWritten(options) ? "What it has written until then stands." : "Nothing was written.";
}
