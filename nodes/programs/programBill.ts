import { type CallBound, mostCalls } from "../../plans/program/mostCalls.js";
import type { Program } from "../../plans/program/program.js";
import type { Progress } from "../../plans/program/progress.js";
import { pricesOf } from "../../workspace/toolPrices.js";
import type { Context } from "../../state/context.js";
import { inLedgerUnit } from "../../state/ledger.js";
import type { GraphState } from "../../state/state.js";
import type { ToolRecord } from "../../tools/tool.js";

/** A program's calls of a tool, as far as known. */
export interface BilledCalls extends Omit<CallBound, "tool"> {
  /** Id of the tool. */
  tool: string;
  /** Price of one, in the unit of the budget. */
  price: number;
}

/** The fewest and most calls of a program, and their cost. */
export interface ProgramBill {
  calls: BilledCalls[];
  /** Absent without a budget or prices: calls are then counted but not priced. */
  unit?: "units" | "usd";
}

/**
 * The bill of a program. Before it runs, the bill bounds what its loops can call; once all reads are made, it
 * is exact.
 *
 * @param options.tools as the program calls them
 * @param options.progress how far the program has got
 */
export async function programBill(options: {
  program: Pick<Program, "body">;
  tools: ReadonlyMap<string, ToolRecord>;
  state: Pick<GraphState, "ledger">;
  context: Context;
  progress?: Pick<Progress, "counts" | "complete">;
}): Promise<ProgramBill> {
  const { program, tools, state, context, progress } = options;
  const bounds = new Map<string, CallBound[]>();
  // A program may write the name of a tool in several ways.
  for (const bound of mostCalls(program, tools)) {
    const id = tools.get(bound.tool)?.id ?? bound.tool;
    bounds.set(id, [...(bounds.get(id) ?? []), bound]);
  }
  const units = await pricesOf({ context, tools: [...tools.values()] });
  const { ledger } = state;
  const { usdPerUnit } = context;
  const isPriced = [...tools.values()].some(({ cost }) => cost !== undefined);
  const unit = ledger?.unit ?? (isPriced ? "units" : undefined);
  const calls = [...bounds].map(([tool, some]): BilledCalls => {
    const price = ledger
      ? inLedgerUnit(units[tool] ?? 0, { ledger, usdPerUnit })
      : (units[tool] ?? 0);
    const known = progress?.counts[tool] ?? 0;
    if (progress?.complete) return { tool, price, least: known, most: known };
    const unknown = some.find((one) => one.unknown)?.unknown;
    return {
      tool,
      price,
      least: Math.max(
        known,
        sumOf(some, ({ least }) => least),
      ),
      most: sumOf(some, ({ most }) => most),
      ...(unknown ? { unknown } : {}),
    };
  });
  return { calls: calls.filter(({ most }) => most > 0), unit };
}

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** The total of the certain calls. */
export function leastOf({ calls }: ProgramBill): { calls: number; price: number } {
  return {
    calls: sumOf(calls, ({ least }) => least),
    price: sumOf(calls, ({ least, price }) => least * price),
  };
}

/** "at most 41 calls (works_list 1, update_work at most 40), at most 0.41 units" */
export function billText({ calls, unit }: ProgramBill): string {
  if (calls.length === 0) return "no calls";
  const least = leastOf({ calls, unit });
  const most = {
    calls: sumOf(calls, (call) => call.most),
    price: sumOf(calls, (call) => (call.price === 0 ? 0 : call.most * call.price)),
  };
  const each = calls.map(timesText).join(", ");
  const priced = (price: number) => priceText(price, unit);
  if (!Number.isFinite(most.calls)) return unit ? `${each}; ${priced(least.price)} or more` : each;
  const bound = least.calls === most.calls ? "" : "at most ";
  const noun = most.calls === 1 ? "call" : "calls";
  const count = `${bound}${most.calls} ${noun} (${each})`;
  return unit
    ? `${count}, ${least.price === most.price ? "" : "at most "}${priced(most.price)}`
    : count;
}

function timesText({ tool, least, most, unknown }: BilledCalls): string {
  if (Number.isFinite(most)) return `${tool} ${least === most ? "" : "at most "}${most}`;
  return unknown?.name === undefined
    ? `${tool} as often as ${unknown?.by ?? "its loop"} says`
    : `${tool} once for each item of ${unknown.name}`;
}

/** Sums of prices such as 0.1 + 0.2 are shown without rounding noise. */
function priceText(price: number, unit: ProgramBill["unit"]): string {
  const rounded = Number(price.toPrecision(12));
  if (unit === "usd") return `$${rounded}`;
  return `${rounded} ${rounded === 1 ? "unit" : "units"}`;
}
