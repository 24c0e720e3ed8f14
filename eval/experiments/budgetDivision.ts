/**
 * How long it takes to divide a budget among many tools, compared with the published way, which expands each tool
 * into as many single items as its bound and solves a 0/1 knapsack over them.
 *
 *   npx tsx eval/experiments/budgetDivision.ts --candidates 200 --budget 10000 --runs 15
 *
 * The tools are the same in each run. Each figure is the median of the runs, after one warm-up.
 */
import { type Candidate, solveKnapsack } from "../../budget/knapsack.js";
import { quantile } from "../statistics/descriptive.js";
import { seededRandom } from "../statistics/random.js";
import { optionsOf, write } from "./scriptSupport.js";

interface Problem {
  candidates: Candidate[];
  budget: number;
}

const LARGEST_BOUNDS = [1, 5, 50];

function main(): void {
  const {
    candidates: count,
    budget,
    runs,
  } = optionsOf({
    candidates: 200,
    budget: 10_000,
    runs: 15,
  });
  write(`${count} candidates, ${budget} units, median of ${runs} runs`);
  for (const largestBound of LARGEST_BOUNDS) {
    const whole = { budget, candidates: candidatesOf({ count, largestBound, budget }) };
    const divided = median(() => solveKnapsack(whole), runs);
    const expanded = median(() => expandedValue(whole), Math.min(runs, 5));
    const real = {
      budget,
      candidates: whole.candidates.map((one) => ({ ...one, price: one.price * 1.000_123_7 })),
    };
    const rounded = median(() => solveKnapsack(real), runs);
    const difference = Math.abs(solveKnapsack(whole).value - expandedValue(whole));
    write(
      `bounds 1 to ${largestBound}: ${divided.toFixed(1)} ms; expanded ${expanded.toFixed(1)} ms ` +
        `(ratio ${(expanded / divided).toFixed(1)}, values differ by ${difference.toExponential(0)}); ` +
        `real prices ${rounded.toFixed(1)} ms`,
    );
  }
}

/** Tools of which the budget can pay for about half, whatever their number. */
function candidatesOf(options: {
  count: number;
  largestBound: number;
  budget: number;
}): Candidate[] {
  const { count, largestBound, budget } = options;
  const next = seededRandom(20);
  const meanPrice = (4 * budget) / (count * (largestBound + 1));
  return Array.from({ length: count }, (_, at) => ({
    tool: `tool_${at}`,
    value: next(),
    bound: 1 + Math.floor(next() * largestBound),
    price: Math.max(1, Math.round(2 * meanPrice * next())),
  }));
}

/** The value of the best allowance by the published procedure, including the table to trace it back. */
function expandedValue({ candidates, budget }: Problem): number {
  const best = new Float64Array(budget + 1);
  const items = candidates.flatMap((one) => Array.from({ length: one.bound }, () => one));
  const rows = items.map(({ price, value }) => {
    const taken = new Uint8Array(budget + 1);
    for (let left = budget; left >= price; left -= 1) {
      const withIt = (best[left - price] ?? 0) + value;
      if (withIt <= (best[left] ?? 0)) continue;
      best[left] = withIt;
      taken[left] = 1;
    }
    return taken;
  });
  let left = best.indexOf(best[budget] ?? 0);
  return items.reduceRight((sum, { price, value }, at) => {
    if (!rows[at]?.[left]) return sum;
    left -= price;
    return sum + value;
  }, 0);
}

function median(work: () => unknown, runs: number): number {
  work();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return quantile(times, 0.5);
}

main();
