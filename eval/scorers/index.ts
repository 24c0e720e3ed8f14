import { z } from "zod";
import { readAsWritten } from "../../common/dataFile.js";
import { oneLine, messageOf } from "../../common/errors.js";
import { ANSWER_SCORES } from "./answers.js";
import { ARGUMENT_SCORES } from "./arguments.js";
import { BUDGET_SCORES } from "./budget.js";
import { COST_SCORES } from "./costs.js";
import { hallucinationRate } from "./hallucinations.js";
import { TEXT_SCORES } from "./planning.js";
import { PUBLISHED_SCORES } from "./published.js";
import { asAsked } from "./restraint.js";
import { SEARCH_SCORES } from "./retrieval.js";
import type { Scored, Scorer, Scores } from "./scorer.js";
import { TOOL_RATE_SCORES, TOOL_SCORES } from "./tools.js";
import { WORLD_SCORES } from "./worlds.js";

const SCORES: Scores = {
  asAsked,
  ...ANSWER_SCORES,
  ...BUDGET_SCORES,
  ...PUBLISHED_SCORES,
  ...WORLD_SCORES,
  ...ARGUMENT_SCORES,
  ...TOOL_SCORES,
  ...TOOL_RATE_SCORES,
  hallucinationRate,
  ...TEXT_SCORES,
  ...SEARCH_SCORES,
  ...COST_SCORES,
};

/** What is told of each score. */
const TOLD = readAsWritten(
  new URL("scores.json", import.meta.url),
  z.custom<Record<string, Omit<Scorer, "id" | "score">>>(),
);

/** All scorers, in the order in which tables show them. */
export const SCORERS: readonly Scorer[] = Object.entries(TOLD).map(([id, told]) => {
  const score = SCORES[id];
  if (!score) throw new Error(`scores.json tells of ${id}, which no file of eval/scorers computes`);
  return { id, ...told, score };
});

/** What is found of one run. */
export interface RunScores {
  /** By scorer id; `undefined` if one does not apply. */
  scores: Record<string, number | undefined>;
  /** Scorers that could not judge this run, with the reason: reports mark the run. */
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
