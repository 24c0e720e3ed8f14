import { commonLengths } from "../../common/lineDiff.js";
import type { PlanStep } from "../../plans/steps/plan.js";
import { solutionText } from "../../plans/steps/references.js";
import type { GoldCall } from "../benchmarks/benchmark.js";
import { commonCount, goldFor, solutionOf } from "./solution.js";
import type { Score, Scored, Scores } from "./scorer.js";

/** A score that compares a solution with the gold one; undefined for tasks without gold calls. */
function ofSolutions(
  score: (solutions: NonNullable<ReturnType<typeof solutionsOf>>) => number | undefined,
): Score {
  return (scored) => {
    const solutions = solutionsOf(scored);
    return solutions && score(solutions);
  };
}

/**
 * The calls that were carried out or planned, and the gold calls. If a world is compared, the gold calls are often only
 * those that change something; they are complete if there is also a gold plan.
 */
function solutionsOf({ task, run, benchmark }: Scored) {
  const { calls: gold, plan } = task;
  const isWhole = gold !== undefined && (!benchmark.world || plan !== undefined);
  if (!isWhole) return undefined;
  const solution = solutionOf(run);
  // For comparing arguments; there is none for a plan without a gold plan.
  return { predicted: solution.calls, gold, goldArguments: goldFor(task, solution) };
}

/**
 * Which tools a solution has. By the published definitions IR and NR add up to 1, but the published figures do not, so
 * they must follow another definition; toolRecall is NR as a share of the gold calls. Unlike precision and
 * recall, these scores also judge tasks that need no tool.
 */
export const TOOL_RATE_SCORES = {
  irrelevantRate: ofTools((common, predicted) => shareOf(predicted - common, predicted)),
  necessaryRate: ofTools((common, predicted, gold) =>
    predicted + gold === 0 ? 1 : shareOf(common, predicted),
  ),
  missingRate: ofTools((common, _, gold) => shareOf(gold - common, gold)),
} satisfies Scores;

/** A score of how many tools are common, predicted and gold. */
function ofTools(score: (common: number, predicted: number, gold: number) => number): Score {
  return ofSolutions((solutions) => {
    const [predicted, gold] = [solutions.predicted, solutions.gold].map((calls) =>
      calls.map(({ tool }) => tool),
    ) as [string[], string[]];
    return score(commonCount(predicted, gold), predicted.length, gold.length);
  });
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/**
 * How similar a solution's text is to the gold text. Undefined if gold arguments are lists of acceptable values, since
 * there is no single gold text then, and for a mere plan without a gold plan, since it has references instead of values.
 */
export const TEXT_SCORES = {
  bleu: ofTexts(bleu4),
  rougeL: ofTexts(rougeL),
} satisfies Scores;

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

const LONGEST_GRAM = 4;

/** Splits a text into words (with digits) and single punctuation marks. */
export function tokensOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/**
 * BLEU-4 of one text against one reference (Papineni et al. 2002), between 0 and 1. Precisions of two
 * tokens and more are smoothed by adding one to both counts (Lin and Och, "ORANGE", 2004; `add-k` with
 * k = 1 in sacreBLEU), so that a short text that is right scores 1. 0 without a token in common.
 */
export function bleu4(predicted: readonly string[], reference: readonly string[]): number {
  if (predicted.length === 0) return 0;
  const precisions = Array.from({ length: LONGEST_GRAM }, (_, index) =>
    gramPrecision(predicted, reference, index + 1),
  );
  const logarithm =
    precisions.reduce((sum, precision) => sum + Math.log(precision), 0) / LONGEST_GRAM;
  const brevity = Math.min(0, 1 - reference.length / predicted.length);
  return Math.exp(logarithm + brevity);
}

/**
 * ROUGE-L of one text against one reference (Lin 2004), between 0 and 1: the harmonic mean of the
 * longest common subsequence as a share of the one and of the other.
 */
export function rougeL(predicted: readonly string[], reference: readonly string[]): number {
  const tokens = predicted.length + reference.length;
  return tokens === 0 ? 0 : (2 * (commonLengths(predicted, reference)[0]?.[0] ?? 0)) / tokens;
}

/** Share of the text's token sequences of that size that are in the reference, with multiplicity. */
function gramPrecision(predicted: readonly string[], reference: readonly string[], size: number) {
  const made = gramsOf(predicted, size);
  const common = commonCount(made, gramsOf(reference, size));
  return size === 1 ? common / made.length : (common + 1) / (made.length + 1);
}

/** The sequences of that many tokens, which contain no blanks. */
function gramsOf(tokens: readonly string[], size: number): string[] {
  return tokens.slice(size - 1).map((_, at) => tokens.slice(at, at + size).join(" "));
}
