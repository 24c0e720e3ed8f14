import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { PlannedTool } from "../../budget/plan.js";
import { planFor } from "../../workspace/plans.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { type Context, readContext } from "../../state/context.js";
import { inLedgerUnit, leftOf } from "../../state/ledger.js";
import { type GraphState, type Ledger, type StateUpdate, addUsage } from "../../state/state.js";
import { embeddingRefusal, embeddingUsage } from "../shared/embeddingSpend.js";

/**
 * Grants each tool that was found a number of calls, so that what the calls are worth for this request
 * is as much as the budget allows (BTP, arXiv:2402.15960). Visited again, it divides what is left anew
 * with what the run has seen since. Does nothing in a run without a budget in force, and grants no quotas
 * while none of the tools was ever called: then the amount alone bounds the run. (The published code gives
 * each unseen tool one call, as far as the budget goes.)
 *
 * @param options.temperature how little past requests count that are unlike this one; as published when
 * absent
 * @param options.grants `planned`: each tool gets the calls that the run's plan has of it, whatever they are
 * worth, as a plan is no plan without them
 */
export function planBudget({
  temperature,
  grants = "valued",
}: { temperature?: number; grants?: "valued" | "planned" } = {}) {
  return async function planBudget(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const { ledger } = state;
    if (!ledger?.enforced) return {};
    const context = readContext(config);
    const refusal = embeddingRefusal({ state, context, texts: [state.run.request] });
    if (refusal) return refusal;
    const started = performance.now();
    const library = await runWorkspace().library(context);
    const isFirst = ledger.planned === null;
    const asked = grants === "planned" ? plannedCalls(state) : undefined;
    const ids = asked ? [...asked.keys()] : [...state.toolIds, ...context.defaultTools];
    const { plan, informed, embeddingTokens } = await planFor({
      context,
      request: state.run.request,
      temperature,
      tools: [...new Set(ids)].flatMap((id) => library.get(id) ?? []),
      amount: amountInUnits({ state, ledger, context }),
      ...(isFirst ? {} : { observed: observedCalls(state) }),
    });
    const lines = asked ? plan.tools.map((line) => granted(line, asked)) : plan.tools;
    const quotas = Object.fromEntries(lines.map(({ tool, quota }) => [tool, quota]));
    const calls = lines.reduce((sum, { quota }) => sum + quota, 0);
    const cost = lines.reduce((sum, { price, quota }) => sum + price * quota, 0);
    const planned = isFirst ? { calls, cost } : ledger.planned;
    const used = {
      ...embeddingUsage({ state, context, embeddingTokens }),
      ms: performance.now() - started,
    };
    if (!informed && !asked) return { usage: addUsage(state.usage, used) };
    return {
      ledger: { ...ledger, plan: lines, quotas, planned },
      usage: addUsage(state.usage, used),
    };
  };
}

/** Calls of each tool in the run's plan. */
function plannedCalls({ plan }: GraphState): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tool } of plan?.steps ?? []) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return counts;
}

function granted(line: PlannedTool, calls: ReadonlyMap<string, number>): PlannedTool {
  const quota = calls.get(line.tool) ?? 0;
  return { ...line, bound: Math.max(line.bound, quota), quota };
}

function amountInUnits(options: { state: GraphState; ledger: Ledger; context: Context }): number {
  const { state, ledger, context } = options;
  const { usdPerUnit } = context;
  return leftOf(state) / inLedgerUnit(1, { ledger, usdPerUnit });
}

/** What came of the calls that were executed. */
function observedCalls({ calls }: GraphState): { tool: string; helpful: boolean | null }[] {
  return calls
    .filter(({ refused }) => !refused)
    .map(({ tool, helpful = null }) => ({ tool, helpful }));
}
