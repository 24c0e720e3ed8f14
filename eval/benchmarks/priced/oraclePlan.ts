import { successChance } from "./callResult.js";
import type { PricedRequest } from "./pricedRequests.js";
import type { PricedWorld } from "./pricedWorld.js";

/** The expected outcome of the best way to spend a budget. */
export interface OraclePlan {
  /** Probability that all facts are got within the budget. */
  success: number;
  /** Units spent. */
  cost: number;
  calls: number;
}

/** A call that may serve a need: what it costs, and how likely it is to give the fact. */
interface Option {
  need: number;
  cost: number;
  chance: number;
}

const NOTHING_TO_DO: OraclePlan = { success: 1, cost: 0, calls: 0 };
const NOTHING_HELPS: OraclePlan = { success: 0, cost: 0, calls: 0 };

/** Chances that differ by less are equal except for rounding. */
const EQUAL = 1e-12;

/**
 * The best expected outcome for anybody who knows every tool's reliability and use, but not the result of the next
 * call: an upper limit for the share of requests passed within a budget.
 *
 * Calls are independent, so the best choice depends only on the remaining units and the open needs; the recursion
 * over both is exact. Of ways that are equally likely to succeed the cheapest counts, and nothing is spent if success
 * is impossible.
 *
 * @param options.task its id names a request of the world
 * @param options.budget whole units, since all prices are
 */
export function oraclePlan(options: {
  task: { id: string };
  world: Pick<PricedWorld, "requests" | "tools">;
  budget: number;
}): OraclePlan {
  const { task, world, budget } = options;
  const request = world.requests.find(({ id }) => id === task.id);
  if (request === undefined) throw new RangeError(`the world has no request "${task.id}"`);
  const choices = optionsOf(world, request);
  const known = new Map<string, OraclePlan>();
  const best = (left: number, open: number): OraclePlan => {
    if (open === 0) return NOTHING_TO_DO;
    const key = `${left} ${open}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ways = choices
      .filter(({ need, cost }) => (open & (1 << need)) !== 0 && cost <= left)
      .map((option) =>
        outcome(option, {
          ifGiven: best(left - option.cost, open & ~(1 << option.need)),
          otherwise: best(left - option.cost, open),
        }),
      );
    const chosen = ways.reduce(better, NOTHING_HELPS);
    known.set(key, chosen);
    return chosen;
  };
  return best(Math.floor(budget), (1 << request.needs.length) - 1);
}

/** Leaves out calls without a chance, and calls without a price, which would not bound the recursion. */
function optionsOf({ tools }: Pick<PricedWorld, "tools">, request: PricedRequest): Option[] {
  return request.needs.flatMap((facet, need) =>
    request.candidates
      .flatMap((id) => tools.get(id) ?? [])
      .filter((tool) => tool.facet === facet)
      .map((tool) => ({ need, cost: tool.cost, chance: successChance(tool, request) }))
      .filter(({ chance, cost }) => chance > 0 && cost > 0),
  );
}

function outcome(
  { chance, cost }: Option,
  { ifGiven, otherwise }: { ifGiven: OraclePlan; otherwise: OraclePlan },
): OraclePlan {
  const mean = (one: number, other: number) => chance * one + (1 - chance) * other;
  return {
    success: mean(ifGiven.success, otherwise.success),
    cost: cost + mean(ifGiven.cost, otherwise.cost),
    calls: 1 + mean(ifGiven.calls, otherwise.calls),
  };
}

function better(one: OraclePlan, other: OraclePlan): OraclePlan {
  if (Math.abs(one.success - other.success) > EQUAL) {
    return one.success > other.success ? one : other;
  }
  return other.cost < one.cost ? other : one;
}
