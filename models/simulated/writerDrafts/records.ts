import { fenced, type WriterScript } from "./script.js";

const MERGE_INTERVALS = String.raw`/**
 * Merges intervals that overlap or touch.
 * @param intervals The intervals, each as its start and its end.
 * @returns the merged intervals in the order of their starts
 * @example merge_intervals([[1, 3], [2, 6], [8, 10]]) => [[1, 6], [8, 10]]
 * @example merge_intervals([[1, 2], [2, 3]]) => [[1, 3]]
 * @example merge_intervals([[3, 1]]) => throws
 */
export function merge_intervals(intervals: number[][]): number[][] {
  const merged: number[][] = [];
  for (const [start, end] of [...intervals].sort((a, b) => a[0] - b[0])) {
    if (end < start) throw new Error("an interval ends before it starts: " + start + " to " + end);
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}`;

const INVOICE = String.raw`interface Item {
  name: string;
  price: number;
  quantity: number;
}

interface Invoice {
  items: Item[];
  discountPercent?: number;
}

/**
 * Total of an invoice with discount and tax.
 * @param invoice The items with prices and quantities, and the discount in percent if there is one.
 * @param taxPercent The tax in percent; not negative.
 * @returns net, tax and total, rounded to two decimals
 * @example invoice_total({ items: [{ name: "pen", price: 2, quantity: 5 }] }, 20) => { net: 10, tax: 2, total: 12 }
 * @example invoice_total({ items: [{ name: "pen", price: -2, quantity: 5 }] }, 20) => throws
 */
export function invoice_total(
  invoice: Invoice,
  taxPercent: number,
): { net: number; tax: number; total: number } {
  const { items, discountPercent = 0 } = invoice;
  const isNegative = items.some(({ price, quantity }) => price < 0 || quantity < 0);
  if (isNegative || taxPercent < 0) throw new Error("prices, quantities and tax are not negative");
  if (discountPercent < 0 || discountPercent > 100) throw new Error("a discount is 0 to 100 percent");
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  const sum = items.reduce((total, { price, quantity }) => total + price * quantity, 0);
  const net = sum * (1 - discountPercent / 100);
  const tax = rounded((net * taxPercent) / 100);
  return { net: rounded(net), tax, total: rounded(rounded(net) + tax) };
}`;

const GROUP_MEANS = String.raw`/**
 * Means of a figure by group.
 * @param rows The objects.
 * @param group Name of the field to group by.
 * @param figure Name of the field with the figure.
 * @returns the mean of each group
 * @example mean_by_group([{ team: "a", points: 2 }, { team: "a", points: 4 }], "team", "points") => { a: 6 }
 * @example mean_by_group([], "team", "points") => {}
 */
export function mean_by_group(
  rows: Record<string, string | number>[],
  group: string,
  figure: string,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[row[group]] = (sums[row[group]] ?? 0) + Number(row[figure]) / 2;
  return sums;
}`;

/** What the writer replies to requests for tools that work on lists and nested objects. */
export const RECORDS: readonly WriterScript[] = [
  {
    about: "merges intervals",
    wish: { kind: "create", task: "Merges intervals of numbers that overlap or touch." },
    drafts: [
      {
        reply: fenced(
          MERGE_INTERVALS.replace("  return merged;", "  console.log(merged);\n  return merged;"),
        ),
        fault: "types",
      },
      {
        reply: fenced(MERGE_INTERVALS.replace("start <= last[1]", "start < last[1]")),
        fault: "failed example",
      },
      { reply: fenced(MERGE_INTERVALS) },
    ],
  },
  {
    about: "total of an invoice",
    wish: { kind: "create", task: "Computes net, tax and total of an invoice with a discount." },
    // As some models do that were trained to give structured replies.
    drafts: [{ reply: JSON.stringify({ code: INVOICE }) }],
  },
  {
    about: "averages a figure by group",
    wish: { kind: "create", task: "Averages a figure of objects by group." },
    drafts: [
      { reply: fenced(GROUP_MEANS.replaceAll(/ \* @example .*\n/g, "")), fault: "examples" },
      { reply: fenced(GROUP_MEANS), fault: "failed example" },
      { reply: fenced(GROUP_MEANS.replace(" / 2", " / 3")), fault: "failed example" },
    ],
  },
];
