import type { ProgramIssue } from "../../plans/program/program.js";
import type { Context } from "../../state/context.js";
import { leftOf } from "../../state/ledger.js";
import type { GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import { outOfMoney } from "../shared/askModel.js";
import { type Followed, programCalls, writesMade } from "./followProgram.js";
import { billText, leastOf, type ProgramBill } from "./programBill.js";

/** Rounding tolerance, as a share of the budget, for sums such as 0.1 + 0.2. */
const ROUNDING = 1e-9;

/** What a plan is certain to need but may not have, and how the run ends without a smaller plan. */
export interface CertainExcess {
  issue: ProgramIssue;
  end: StateUpdate;
}

/**
 * Why a program must not start: its certain calls are too many, or cost more than is left. What depends on its
 * reads is checked after them ({@link beyondBounds}).
 */
export function certainExcess(options: {
  bill: ProgramBill;
  state: GraphState;
  context: Context;
}): CertainExcess | undefined {
  const { bill, state, context } = options;
  const least = leastOf(bill);
  const text = billText(bill);
  if (least.calls > context.maxPlanCalls) {
    const limit = `a plan may make at most ${context.maxPlanCalls} (maxPlanCalls)`;
    return {
      issue: {
        kind: "bound",
        problem: `the program makes at least ${least.calls} calls (${text}); ${limit}`,
      },
      end: {
        status: "limit",
        answer: `${limitText({ context, total: least.calls, wanted: text })} Nothing was called.`,
      },
    };
  }
  // Calls of earlier plans are paid, and are not made again.
  const isPriced = state.ledger?.enforced && state.calls.length === 0;
  if (!isPriced || isPaid(least.price, state)) return undefined;
  return {
    issue: {
      kind: "budget",
      problem: `the calls of the program cost more than is left of the budget (${text})`,
    },
    end: outOfMoney(state, { what: `the calls of the plan (${text})`, price: least.price }),
  };
}

function limitText(options: { context: Context; total: number; wanted: string }): string {
  const { context, total, wanted } = options;
  return `Stopped by the limit of ${context.maxPlanCalls} calls of one plan (maxPlanCalls): this one needs ${total} or more (${wanted}).`;
}

/**
 * The end of a run whose program would make too many calls, or more than the budget pays for. It comes before
 * the first write, so nothing is left half done. Undefined for a program within bounds.
 */
export function beyondBounds(options: {
  state: GraphState;
  program: ProgramState;
  followed: Followed;
  context: Context;
}): StateUpdate | undefined {
  const { state, program, followed, context } = options;
  const { progress, offer } = followed;
  const made = [...programCalls(program, state).values()];
  const counts = Object.entries(progress.counts);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const wanted = counts.map(([tool, count]) => `${tool} ${count} ×`).join(", ");
  const hasWritten = writesMade(options).length > 0;
  if (total > context.maxPlanCalls) {
    const written = hasWritten ? "What it had written stands." : "Nothing was written.";
    const answer = `${limitText({ context, total, wanted })} ${written}`;
    return { status: "limit", answer };
  }
  if (!state.ledger?.enforced || hasWritten) return undefined;
  const price = counts.reduce((sum, [tool, count]) => {
    const open = count - made.filter((call) => call.tool === tool).length;
    return sum + Math.max(0, open) * (offer.prices[tool] ?? 0);
  }, 0);
  if (isPaid(price, state)) return undefined;
  return outOfMoney(state, { what: `the calls of the plan (${wanted})`, price });
}

function isPaid(price: number, state: GraphState): boolean {
  return price <= leftOf(state) * (1 + ROUNDING);
}
