import type { Candidate } from "../../../state/budget/knapsack.js";

interface Problem {
  candidates: readonly Candidate[];
  budget: number;
}

/**
 * The published procedure, step by step: each tool expanded into as many single items as its bound,
 * then a 0/1 knapsack. For whole prices, budgets and values, whose sums are exact.
 *
 * @param problem.sameRow reads the row that is written, as the recurrence is printed
 */
export function expandedKnapsack({
  candidates,
  budget,
  sameRow = false,
}: Problem & { sameRow?: boolean }): { quotas: number[]; value: number } {
  const items = candidates.flatMap((candidate, tool) =>
    Array.from({ length: candidate.bound }, () => ({ ...candidate, tool })),
  );
  const rows = [Array.from({ length: budget + 1 }, () => 0)];
  const taken: boolean[][] = [[]];
  for (const { price, value } of items) {
    const before = rows.at(-1) ?? [];
    const row = [...before];
    const took = row.map(() => false);
    for (let left = price; left <= budget; left += 1) {
      const source = sameRow ? row : before;
      const withIt = (source[left - price] ?? 0) + value;
      if (withIt > (before[left] ?? 0)) {
        row[left] = withIt;
        took[left] = true;
      }
    }
    rows.push(row);
    taken.push(took);
  }
  const last = rows.at(-1) ?? [];
  const quotas = candidates.map(() => 0);
  let left = last.indexOf(last[budget] ?? 0);
  for (let at = items.length; at > 0; at -= 1) {
    const item = items[at - 1];
    if (item === undefined || !taken[at]?.[left]) continue;
    quotas[item.tool] = (quotas[item.tool] ?? 0) + 1;
    left -= item.price;
  }
  return { quotas, value: last[budget] ?? 0 };
}

/** The largest value of any quotas that the budget can pay, by trying all of them. */
export function bruteForceValue({ candidates, budget }: Problem): number {
  const [first, ...others] = candidates;
  if (first === undefined) return 0;
  let most = 0;
  for (let quota = 0; quota <= first.bound && quota * first.price <= budget; quota += 1) {
    const rest = bruteForceValue({ candidates: others, budget: budget - quota * first.price });
    most = Math.max(most, quota * first.value + rest);
  }
  return most;
}
