/**
 * The parameters of the priced world. They were chosen before any graph was run in it, for the reasons given, and
 * must not change: figures of different days are about the same world.
 */
export const WORLD_PARAMETERS = {
  /** All draws depend on it. */
  seed: 2402,
  /** Enough test requests to distinguish the strategies of the published comparison. */
  testRequests: 600,
  /** A hundred past requests for each of the 30 families. */
  trainingRequests: 3000,
  /** Share of requests with one, two and three needs: mostly more than one, as in ToolBench. */
  needShares: [0.3, 0.4, 0.3],
  /** Tools that serve one facet, at different prices: enough to choose among. */
  alternatives: 4,
  /** Units of one call, drawn evenly (BTP: whole numbers from 1 to 10). */
  cost: { least: 1, most: 10 },
  /** Probability that a call returns its fact: a retry is sometimes worth it, never certain. */
  reliability: { least: 0.5, most: 0.95 },
  /**
   * Probability that a fitting tool is useful to a family at all: about a third of the fitting tools never is, so that
   * experience has something to teach.
   */
  usefulShare: 0.7,
  /** Share of a tool's failures that show as errors; the rest are texts without the fact. */
  errorShare: { least: 0.2, most: 0.8 },
  /** Milliseconds of a call, drawn evenly on a logarithmic scale: from a cache to a slow service. */
  latencyMs: { least: 50, most: 2000 },
  /** Largest deviation of a call from its tool's latency, as a share of it. */
  latencySpread: 0.25,
  /**
   * What a retriever offers for each need: five tools (BTP), of which three serve the need and two something else of
   * the same theme. One fitting tool in four is missed.
   */
  offered: { fitting: 3, other: 2 },
  /** How the past was explored: without preferences that a plan could mistake for knowledge. */
  experience: {
    /** Fitting tools that are tried for a need, in random order, until one returns the fact. */
    mostTries: 3,
    /** Probability that a tool for something else is called first. */
    wrongCall: 0.15,
  },
};

export type WorldParameters = typeof WORLD_PARAMETERS;
