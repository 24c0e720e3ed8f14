import type { ArgumentRule, GoldCall } from "../benchmarks/benchmark.js";
import { ARGUMENT_RULES } from "./argumentRules.js";
import { outsideWorlds } from "./goldCalls.js";
import type { Score, Scorer } from "./scorer.js";
import { goldFor, solutionOf } from "./solution.js";

const LEADERBOARD =
  "Patil et al. 2025, Berkeley Function Calling Leaderboard, AST evaluation (for gold arguments as lists of acceptable values)";

const PLANNED =
  "Where a graph plans and carries nothing out, its plan is compared with the gold plan, references as they are written.";

/**
 * Which calls were made, with their arguments. Undefined for tasks without gold calls, and for mere plans if there is no
 * gold plan.
 */
export const ARGUMENT_SCORERS: Scorer[] = [
  {
    id: "argumentMatch",
    label: "Calls with right arguments",
    definition: `Share of the gold calls that were carried out, each by a call of its own with matching arguments, paired so that as many as possible match. ${PLANNED}`,
    source: LEADERBOARD,
    unit: "share",
    better: "higher",
    score: ofCalls(({ matched, gold }) => matched / gold),
  },
  {
    id: "callMatch",
    label: "Calls match",
    definition: `1 if the calls carried out are the gold calls with matching arguments, in any order: none too many, none too few. ${PLANNED}`,
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
    const solution = solutionOf(scored.run);
    const gold = goldFor(scored.task, solution) ?? [];
    if (gold.length === 0) return undefined;
    const { calls: made } = solution;
    const matched = matchedCalls(gold, made, scored.benchmark.argumentRule);
    return score({ matched, gold: gold.length, made: made.length });
  };
}

function matchedCalls(
  gold: readonly GoldCall[],
  made: readonly GoldCall[],
  rule: ArgumentRule,
): number {
  const matches = ARGUMENT_RULES[rule];
  const partners = gold.map((wanted) =>
    made.flatMap((call, at) =>
      call.tool === wanted.tool && matches(wanted.args, call.args) ? [at] : [],
    ),
  );
  return maximumMatching(partners);
}

/**
 * Size of a maximum bipartite matching (Kuhn's augmenting paths). Taking the first partner that fits would miss pairs if
 * one call fits two gold calls.
 *
 * @param partners the possible partners of each element, by number
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
