/** The simulated policy's name as "provider:name". */
export const SIMULATED_POLICY = "simulated:policy";

/** Name of the script that writes tools, as "provider:name". */
export const SIMULATED_WRITER = "simulated:writer";

/** Seed of a run that has none. */
export const DEFAULT_SEED = 1;

/**
 * How imperfect the simulated policy is; all are probabilities. They were chosen before any graph was
 * run with it, each for the reason beside it, and stay as they are: figures of different days are
 * about one policy.
 */
export const POLICY_TRAITS = {
  /** A step calls some other tool than one whose description fits: models choose well, but not always. */
  callsWrongTool: 0.1,
  /** A step makes the last call again, word for word: a habit of small models. */
  repeatsCall: 0.05,
  /** A step ends with what there is so far, although something is still open. */
  finishesEarly: 0.04,
  /** A text without the fact is taken for it: fluent filler misleads a careless reader. */
  believesEmptyText: 0.25,
  /** A step that is told prices heeds them: being told is less than being held to it. */
  heedsPrices: 0.7,
  /** A repetition heeds that its tool is withheld. */
  heedsWithheld: 0.8,
  /** Says what it does beside a call; the published trees of 12 levels hold 4 to 6 steps (DFSDT). */
  thinksAloud: 0.5,
  /** A vote names the continuation that has told more. */
  votesRight: 0.8,
  /** A verdict on a call is the right one. */
  judgesRight: 0.9,
};

export type PolicyTraits = typeof POLICY_TRAITS;
