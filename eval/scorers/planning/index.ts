import type { Scorer } from "../scorer.js";
import { HALLUCINATION_SCORERS } from "./hallucinationRate.js";
import { TEXT_SCORERS } from "./textScorers.js";
import { TOOL_RATE_SCORERS } from "./toolRates.js";

/** Scores of solutions as plans, as the report "AI Agent 007" has them. */
export const PLANNING_SCORERS: Scorer[] = [
  ...TOOL_RATE_SCORERS,
  ...HALLUCINATION_SCORERS,
  ...TEXT_SCORERS,
];
