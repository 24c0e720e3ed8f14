import type { ProgramIssue } from "../../plans/program/program.js";
import type { Context } from "../../state/context.js";
import { leftOf } from "../../state/ledger.js";
import type { GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import { outOfMoney } from "../shared/askModel.js";
import { type Followed, programCalls } from "./followProgram.js";
import { billText, leastOf, type ProgramBill } from "./programBill.js";

/** Sums of prices such as 0.1 + 0.2 may miss a budget by this share and still fit it. */
const ROUNDING = 1e-9;

/** What a plan needs for certain and may not have, and how a run ends that has no other. */
export interface CertainExcess {
  issue: ProgramIssue;
  end: StateUpdate;
}

/**
 * Why a program must not even begin: the calls that it makes for certain are more than it may make, or cost
 * more than is left. What only its reads can tell is looked at once they are made ({@link beyondBounds}).
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
    const limit = `${context.maxPlanCalls} are the most that one plan may make (maxPlanCalls)`;
    return {
      issue: {
        kind: "bound",
        problem: `the program makes ${least.calls} calls or more (${text}), and ${limit}`,
      },
      end: {
        status: "limit",
        answer: `${limitText({ context, total: least.calls, wanted: text })} Nothing was called.`,
      },
    };
  }
  // What earlier plans of the run have called is not called again, and is paid.
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
    const answer = `${limitText({ context, total, wanted })} ${writtenSoFar(options)}`;
    return { status: "limit", answer };
  }
  if (!state.ledger?.enforced || hasWritten(options)) return undefined;
  const price = counts.reduce((sum, [tool, count]) => {
    const open = count - made.filter((call) => call.tool === tool).length;
    return sum + Math.max(0, open) * (atHand.prices[tool] ?? 0);
  }, 0);
  if (isPaid(price, state)) return undefined;
  return outOfMoney(state, { what: `the calls of the plan (${wanted})`, price });
}

function isPaid(price: number, state: GraphState): boolean {
  return price <= leftOf(state) * (1 + ROUNDING);
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
