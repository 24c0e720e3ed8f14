import { callsText, numberText, shareText } from "../../state/budgetSetting.js";
import { runWorkspace } from "../../home/workspace.js";
import { readSettings } from "../../state/settings.js";
import { inLedgerUnit, leftOf } from "../../state/ledger.js";
import { type Ledger, addUsage } from "../../state/state.js";
import { embeddingRefusal, embeddingUsage } from "../policy/searchFor.js";
import { toldTools } from "../policy/offeredTools.js";
import { type Line, type StageChange, stage } from "../kit/stage.js";
import type { ToolAllowance } from "../../state/budget/knapsack.js";

/**
 * Grants each found tool a number of calls that maximises their value for the request within the budget (BTP,
 * arXiv:2402.15960). Visited again, it redivides what is left using what the run has seen since. Does nothing
 * without an enforced budget, and grants no quotas if none of the tools was ever called: then only the amount
 * limits the run.
 *
 * @param options.temperature how little past requests count that are unlike this one; as published when absent
 * @param options.unseen grants by declared prices alone, too: one call of each tool, as far as the budget goes, as the
 *   published code does
 */
export function planBudget({
  temperature,
  unseen = false,
}: { temperature?: number; unseen?: boolean } = {}) {
  return stage({ ends: true, lines }, async (state, config) => {
    const { ledger } = state;
    if (!ledger?.enforced) return {};
    const settings = readSettings(config);
    const refusal = embeddingRefusal(state, settings, [state.run.request]);
    if (refusal) return refusal;
    const started = performance.now();
    const library = await runWorkspace().library(settings);
    const isFirst = ledger.planned === null;
    const executed = state.calls.flatMap(({ tool, helpful = null, refused }) =>
      refused ? [] : [{ tool, helpful }],
    );
    const ids = [...state.toolIds, ...settings.defaultTools];
    // Loaded late: most runs have no budget.
    const { allowanceFor } = await import("../policy/allowances.js");
    const { allowance, informed, embeddingTokens } = await allowanceFor({
      settings,
      request: state.run.request,
      temperature,
      tools: toldTools(
        [...new Set(ids)].flatMap((id) => library.get(id) ?? []),
        state.calls,
      ),
      amount: leftOf(state) / inLedgerUnit(1, ledger),
      ...(isFirst ? {} : { observed: executed }),
    });
    const shares = allowance.tools;
    const quotas = Object.fromEntries(shares.map(({ tool, quota }) => [tool, quota]));
    const { calls, cost } = allowanceTotals(shares);
    const planned = isFirst ? { calls, cost } : ledger.planned;
    const usage = addUsage(state.usage, {
      ...embeddingUsage(state, settings, embeddingTokens),
      ms: performance.now() - started,
    });
    if (!informed && !unseen) return { usage };
    return { ledger: { ...ledger, plan: shares, quotas, planned }, usage };
  });
}

function lines({ change: { ledger }, before }: StageChange): Line[] {
  if (!ledger || ledger.plan.length === 0) return [];
  if (!before.ledger?.plan.length)
    return [`grants ${grantedText(ledger)}`, ...allowanceTable(ledger.plan)];
  const isSame = JSON.stringify(ledger.quotas) === JSON.stringify(before.ledger.quotas);
  return isSame ? [] : [`now grants ${toolsText(ledger)}`];
}

function grantedText({ plan, amount, unit }: Ledger): string {
  const { calls, cost } = allowanceTotals(plan);
  const price =
    unit === "units" ? shareText({ part: cost, amount, unit }) : `${numberText(cost, 3)} units`;
  return `${callsText(calls)} for ${price}`;
}

/** The tools that may still be called, with their quotas: "search ×2, fetch ×1". */
function toolsText({ plan }: Ledger): string {
  const granted = plan.filter(({ quota }) => quota > 0);
  return granted.map(({ tool, quota }) => `${tool} ×${quota}`).join(", ") || "no call";
}

/** Adds up what is granted to each tool. */
function allowanceTotals(tools: readonly ToolAllowance[]) {
  const sum = (of: (tool: ToolAllowance) => number) =>
    tools.reduce((total, tool) => total + of(tool), 0);
  return {
    calls: sum(({ quota }) => quota),
    cost: sum(({ quota, price }) => quota * price),
    value: sum(({ quota, value }) => quota * value),
  };
}

/** An allowance as aligned lines with a head and totals; prices and costs are in units. */
function allowanceTable(tools: readonly ToolAllowance[]): string[] {
  const { calls, cost, value } = allowanceTotals(tools);
  const width = Math.max(...tools.map(({ tool }) => tool.length), "total".length);
  const line = (name: string, ...cells: string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padEnd("value".length))].join("  ").trimEnd();
  return [
    line("tool", "value", "bound", "price", "quota"),
    ...tools.map(({ tool, value: worth, bound, price, quota }) =>
      line(tool, worth.toFixed(3), `${bound}`, numberText(price, 3), `${quota}`),
    ),
    line("total", numberText(value, 3), "", numberText(cost, 3), `${calls}`),
  ];
}
