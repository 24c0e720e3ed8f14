import type { ToolAllowance } from "./knapsack.js";
import { numberText } from "../budgetSetting.js";

/** Sums of an allowance; `cost` is in units. */
interface AllowanceTotals {
  calls: number;
  cost: number;
  /** Expected number of helpful calls. */
  value: number;
}

/** Adds up what is granted to each tool. */
export function allowanceTotals(tools: readonly ToolAllowance[]): AllowanceTotals {
  const sum = (of: (tool: ToolAllowance) => number) =>
    tools.reduce((total, tool) => total + of(tool), 0);
  return {
    calls: sum(({ quota }) => quota),
    cost: sum(({ quota, price }) => quota * price),
    value: sum(({ quota, value }) => quota * value),
  };
}

const GAP = "  ";

/** An allowance as aligned lines with a head and totals; prices and costs are in units. */
export function allowanceTable(tools: readonly ToolAllowance[]): string[] {
  const { calls, cost, value } = allowanceTotals(tools);
  return alignedLines([
    ["tool", "value", "bound", "price", "quota"],
    ...tools.map(({ tool, value: worth, bound, price, quota }) => [
      tool,
      worth.toFixed(3),
      `${bound}`,
      numberText(price, 3),
      `${quota}`,
    ]),
    ["total", numberText(value, 3), "", numberText(cost, 3), `${calls}`],
  ]);
}

function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}
