import type { GoldCall } from "../benchmarks/benchmark.js";
import { ARGUMENT_RULES } from "./argumentRules.js";
import { executedCalls, outsideWorlds } from "./goldCalls.js";
import type { Score, Scored, Scorer } from "./scorer.js";

const LEADERBOARD =
  "Patil et al. 2025, Berkeley Function Calling Leaderboard, AST evaluation (for gold arguments as lists of acceptable values)";

/** Which calls were made, with their arguments. Undefined for tasks without gold calls. */
export const ARGUMENT_SCORERS: Scorer[] = [
  {
    id: "argumentMatch",
    label: "Calls with right arguments",
    definition:
      "Share of the gold calls that were carried out, each by a call of its own with matching arguments, paired so that as many as possible match.",
    source: LEADERBOARD,
    unit: "share",
    better: "higher",
    score: ofCalls(({ matched, gold }) => matched / gold),
  },
  {
    id: "callMatch",
    label: "Calls match",
    definition:
      "1 if the calls carried out are the gold calls with matching arguments, in any order: none too many, none too few.",
    source: LEADERBOARD,
    unit: "share",
    better: "higher",
    score: outsideWorlds(
      ofCalls(({ matched, gold, made }) => Number(matched === gold && made === gold)),
    ),
  },
];

interface CallCounts {
  /** Gold calls that were made. */
  matched: number;
  /** Gold calls. */
  gold: number;
  /** Calls carried out. */
  made: number;
}

function ofCalls(score: (counts: CallCounts) => number): Score {
  return (scored) => {
    const { calls: gold = [] } = scored.task;
    if (gold.length === 0) return undefined;
    const made = executedCalls(scored.run);
    return score({ matched: matchedCalls(scored, made), gold: gold.length, made: made.length });
  };
}

function matchedCalls({ task, benchmark }: Scored, made: readonly GoldCall[]): number {
  const matches = ARGUMENT_RULES[benchmark.argumentRule];
  const partners = (task.calls ?? []).map((gold) =>
    made.flatMap((call, at) =>
      call.tool === gold.tool && matches(gold.args, call.args) ? [at] : [],
    ),
  );
  return maximumMatching(partners);
}

/**
 * Most pairs that can be made when each element goes with one of its partners and each partner is
 * used once (Kuhn's augmenting paths). Taking the first partner that fits would miss pairs where one
 * call fits two gold calls.
 *
 * @param partners for each element the numbers of its possible partners
 */
export function maximumMatching(partners: readonly (readonly number[])[]): number {
  const elementOf = new Map<number, number>();
  const place = (element: number, tried: Set<number>): boolean =>
    (partners[element] ?? []).some((partner) => {
      if (tried.has(partner)) return false;
      tried.add(partner);
      const holder = elementOf.get(partner);
      if (holder !== undefined && !place(holder, tried)) return false;
      elementOf.set(partner, element);
      return true;
    });
  return partners.filter((_, element) => place(element, new Set())).length;
}
