import type { PlannedTool } from "./plan.js";
import { numberText } from "./amountText.js";

/** A line of a plan with what it rests on, where that is to be shown. */
export interface PlanLine extends PlannedTool {
  /** The tool declares no cost, so that its price is a usual one. */
  assumed?: boolean;
  /** Past calls of the tool, and how many of them helped. */
  past?: { calls: number; helpful: number };
}

/** Sums of a plan; prices are in units. */
export interface PlanTotals {
  calls: number;
  cost: number;
  /** Expected number of helpful calls. */
  value: number;
}

/** What a plan grants in all. */
export function planTotals(tools: readonly PlannedTool[]): PlanTotals {
  const sum = (of: (tool: PlannedTool) => number) =>
    tools.reduce((total, tool) => total + of(tool), 0);
  return {
    calls: sum(({ quota }) => quota),
    cost: sum(({ quota, price }) => quota * price),
    value: sum(({ quota, value }) => quota * value),
  };
}

const GAP = "  ";

/** A plan as a table with a head and totals, in aligned lines; prices and totals are in units. */
export function planTable(tools: readonly PlanLine[]): string[] {
  const withPast = tools.some(({ past }) => past !== undefined);
  const { calls, cost, value } = planTotals(tools);
  const head = ["tool", "value", "bound", "price", "quota"];
  return alignedLines([
    [...head, ...(withPast ? ["past calls", "helpful"] : [])],
    ...tools.map((tool) => [...cells(tool), ...(withPast ? pastCells(tool) : [])]),
    ["total", numberText(value, 3), "", numberText(cost, 3), `${calls}`],
  ]);
}

function cells({ tool, value, bound, price, assumed, quota }: PlanLine): string[] {
  const shownPrice = `${numberText(price, 3)}${assumed ? " assumed" : ""}`;
  return [tool, value.toFixed(3), `${bound}`, shownPrice, `${quota}`];
}

function pastCells({ past }: PlanLine): string[] {
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
