import { oneLine, messageOf } from "../../common/errors.js";
import { ANSWER_SCORERS } from "./answers.js";
import { ARGUMENT_SCORERS } from "./arguments.js";
import { BUDGET_SCORERS } from "./budget.js";
import { COST_SCORERS } from "./costs.js";
import { HALLUCINATION_SCORER } from "./hallucinations.js";
import { TEXT_SCORERS, TOOL_RATE_SCORERS } from "./planning.js";
import { RESTRAINT_SCORER } from "./restraint.js";
import { SEARCH_SCORERS } from "./retrieval.js";
import { PUBLISHED_SCORERS } from "./published.js";
import type { Scored, Scorer } from "./scorer.js";
import { TOOL_SCORERS } from "./tools.js";
import { WORLD_SCORERS } from "./worlds.js";

/** All scorers, in the order in which tables show them. */
export const SCORERS: readonly Scorer[] = [
  RESTRAINT_SCORER,
  ...ANSWER_SCORERS,
  ...BUDGET_SCORERS,
  ...PUBLISHED_SCORERS,
  ...WORLD_SCORERS,
  ...ARGUMENT_SCORERS,
  ...TOOL_SCORERS,
  ...TOOL_RATE_SCORERS,
  HALLUCINATION_SCORER,
  ...TEXT_SCORERS,
  ...SEARCH_SCORERS,
  ...COST_SCORERS,
];

interface RunScores {
  scores: Record<string, number | undefined>;
  problems: Record<string, string>;
}

/**
 * Scores one run. Never throws: if a scorer fails, its reason is recorded in one line, and the others continue.
 *
 * @param scorers those to apply; all when absent
 */
export function scoreRun(scored: Scored, scorers: readonly Scorer[] = SCORERS): RunScores {
  const scores: RunScores["scores"] = {};
  const problems: RunScores["problems"] = {};
  for (const { id, score } of scorers) {
    try {
      scores[id] = finite(score(scored));
    } catch (error) {
      problems[id] = oneLine(messageOf(error));
    }
  }
  return { scores, problems };
}

function finite(score: number | undefined): number | undefined {
  if (score === undefined || Number.isFinite(score)) return score;
  throw new Error(`the score is ${score}, not a finite number`);
}
