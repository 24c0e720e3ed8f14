import { commonLengths } from "../../common/lineDiff.js";
import type { PlanStep } from "../../plans/steps/plan.js";
import { solutionText } from "../../plans/steps/references.js";
import type { GoldCall } from "../benchmarks/benchmark.js";
import { commonCount, goldFor, solutionOf } from "./solution.js";
import type { Score, Scores } from "./scorer.js";
import { allGoldCalls } from "./tools.js";

/**
 * How similar a solution's text is to the gold text. Undefined if gold arguments are lists of acceptable values, since
 * there is no single gold text then, and for a mere plan without a gold plan, since it has references instead of values.
 */
export const TEXT_SCORES = {
  bleu: ofTexts(bleu4),
  rougeL: ofTexts(rougeL),
} satisfies Scores;

function ofTexts(overlap: (predicted: string[], gold: string[]) => number): Score {
  return (scored) => {
    const solution = solutionOf(scored.run);
    const gold = allGoldCalls(scored) && goldFor(scored.task, solution);
    if (!gold || scored.benchmark.argumentRule === "any-of") return undefined;
    const { calls } = solution;
    // Otherwise the brackets would count as common tokens.
    if (calls.length === 0 || gold.length === 0) return Number(calls.length === gold.length);
    return overlap(tokensOfCalls(calls), tokensOfCalls(gold));
  };
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
