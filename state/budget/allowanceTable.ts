import type { ToolAllowance } from "./knapsack.js";
import { numberText } from "../budgetSetting.js";

/** A line of the table; the optional fields say what its value and price rest on. */
export interface AllowanceLine extends ToolAllowance {
  /** The tool declares no cost, so the price is the usual one. */
  assumed?: boolean;
  /** Past calls of the tool, and how many helped. */
  past?: { calls: number; helpful: number };
}

/** Sums of an allowance; `cost` is in units. */
export interface AllowanceTotals {
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
export function allowanceTable(tools: readonly AllowanceLine[]): string[] {
  const withPast = tools.some(({ past }) => past !== undefined);
  const { calls, cost, value } = allowanceTotals(tools);
  const head = ["tool", "value", "bound", "price", "quota"];
  return alignedLines([
    [...head, ...(withPast ? ["past calls", "helpful"] : [])],
    ...tools.map((tool) => [...cells(tool), ...(withPast ? pastCells(tool) : [])]),
    ["total", numberText(value, 3), "", numberText(cost, 3), `${calls}`],
  ]);
}

function cells({ tool, value, bound, price, assumed, quota }: AllowanceLine): string[] {
  const shownPrice = `${numberText(price, 3)}${assumed ? " assumed" : ""}`;
  return [tool, value.toFixed(3), `${bound}`, shownPrice, `${quota}`];
}

function pastCells({ past }: AllowanceLine): string[] {
  return [`${past?.calls ?? 0}`, `${past?.helpful ?? 0}`];
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
