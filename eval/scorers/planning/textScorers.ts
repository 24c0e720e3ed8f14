import type { PlanStep } from "../../../plans/steps/plan.js";
import { solutionText } from "../../../plans/steps/planText.js";
import type { GoldCall } from "../../benchmarks/benchmark.js";
import type { Score, Scorer } from "../scorer.js";
import { AGENT_007, ofSolutions } from "./givenSolutions.js";
import { bleu4, rougeL, tokensOf } from "./textOverlap.js";

const TEXTS =
  "of the solution and the gold calls written as a JSON list of calls, arguments sorted by name; tokens are words and single marks; 0 where one of the two is empty, 1 where both are";

/**
 * How similar a solution's text is to the gold text. Undefined if gold arguments are lists of acceptable values, since
 * there is no single gold text then, and for a mere plan without a gold plan, since it has references instead of values.
 */
export const TEXT_SCORERS: Scorer[] = [
  {
    id: "bleu",
    label: "BLEU",
    definition: `BLEU-4, smoothed by adding one to the counts of two tokens and more, ${TEXTS}.`,
    source: `${AGENT_007}; Papineni et al. 2002; smoothing: Lin and Och 2004`,
    unit: "share",
    better: "higher",
    score: ofTexts(bleu4),
  },
  {
    id: "rougeL",
    label: "ROUGE-L",
    definition: `F1 of the longest common subsequence of tokens, ${TEXTS}.`,
    source: `${AGENT_007}; Lin 2004`,
    unit: "share",
    better: "higher",
    score: ofTexts(rougeL),
  },
];

function ofTexts(overlap: (predicted: string[], gold: string[]) => number): Score {
  const score = ofSolutions(({ predicted, goldArguments: gold }) => {
    if (!gold) return undefined;
    // Otherwise the brackets would count as common tokens.
    if (predicted.length === 0 || gold.length === 0)
      return Number(predicted.length === gold.length);
    return overlap(tokensOfCalls(predicted), tokensOfCalls(gold));
  });
  return (scored) => (scored.benchmark.argumentRule === "any-of" ? undefined : score(scored));
}

/** Arguments of calls are JSON, like those of plans. */
function tokensOfCalls(calls: readonly GoldCall[]): string[] {
  return tokensOf(solutionText({ steps: calls as PlanStep[] }));
}
