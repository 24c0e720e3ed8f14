import { hashedShare } from "../statistics/random.js";

/** The simulated policy's name as "provider:name". */
export const SIMULATED_POLICY = "simulated:policy";

/** The name of the simulated model that knows the gold calls. */
export const SIMULATED_GOLD = "simulated:gold";

/** The name of the simulated model that knows the values of a request, and no calls. */
export const SIMULATED_VALUES = "simulated:values";

/** Seed of a run that has none. */
export const DEFAULT_SEED = 1;

/**
 * The imperfections of the simulated policy, as probabilities. They were chosen before any graph was run with it, for
 * the reasons given, and must not change: figures of different days are about the same policy.
 */
export const POLICY_TRAITS = {
  /** A step calls a tool whose description does not fit: models choose well, but not always. */
  callsWrongTool: 0.1,
  /** A step makes the last call again, word for word: a habit of small models. */
  repeatsCall: 0.05,
  /** A step ends the run although something is still open. */
  finishesEarly: 0.04,
  /** A text without the fact is taken for it: fluent filler misleads a careless reader. */
  believesEmptyText: 0.25,
  /** A step that knows prices heeds them: knowing them is not the same as being bound by them. */
  heedsPrices: 0.7,
  /** A repetition respects that its tool is withheld. */
  heedsWithheld: 0.8,
  /** A call comes with a thought; the published trees of 12 levels hold 4 to 6 steps (DFSDT). */
  thinksAloud: 0.5,
  /** A vote names the continuation that found more. */
  votesRight: 0.8,
  /** A verdict on a call is right. */
  judgesRight: 0.9,
};

export type PolicyTraits = typeof POLICY_TRAITS;

/** A number in [0, 1) that depends on a purpose and the situation. */
export type Draws = (purpose: string) => number;

/** The same situation gives the same draws, in any order. */
export function drawsIn(situation: unknown): Draws {
  const text = JSON.stringify(situation);
  return (purpose) => hashedShare(`${purpose}\n${text}`);
}
