import { rankPool, type TrainingPool } from "../../tools/library/adapter/pool.js";
import { bootstrapInterval } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";

/** Rank down to which a tool counts as found. */
const FOUND_AT = 5;

/** How often tools that are needed were found, without an adapter and with it. Shares; NaN of none. */
export interface FoundShare {
  /** (request, tool) pairs. */
  pairs: number;
  plain: number;
  adapted: number;
}

/** Figures of an adapter on the requests of one set that it was not trained on. */
export interface AdapterFigures {
  set: string;
  tools: number;
  /** Requests to learn from, those for choosing when to stop among them. */
  trained: number;
  /** Requests that the figures are of. */
  tested: number;
  /** Mean Recall@5 without an adapter and with it; NaN where nothing is tested. */
  plain: number;
  adapted: number;
  /** Bootstrap interval, 95 %, of the difference, over requests. */
  gain: { low: number; high: number };
  /** Tools that some request of training needs. */
  seen: FoundShare;
  /** The others. */
  unseen: FoundShare;
}

/**
 * Measures an adapter on requests that it was not trained on.
 *
 * @param options.seen rows of the pool's tools that some request of training needs
 * @param options.seed of the bootstrap
 */
export function adapterFigures(options: {
  set: string;
  trained: number;
  test: TrainingPool;
  weights: Float64Array;
  seen: ReadonlySet<number>;
  seed: number;
}): AdapterFigures {
  const { set, trained, test, weights, seen, seed } = options;
  const plain = foundTools({ pool: test });
  const adapted = foundTools({ pool: test, weights });
  const recalls = test.relevant.map((tools, row) => ({
    plain: (plain[row]?.size ?? 0) / tools.length,
    adapted: (adapted[row]?.size ?? 0) / tools.length,
  }));
  const pairs = test.relevant.flatMap((tools, row) =>
    tools.map((tool) => ({
      isSeen: seen.has(tool),
      plain: plain[row]?.has(tool) === true,
      adapted: adapted[row]?.has(tool) === true,
    })),
  );
  const gains = recalls.map((recall) => [recall.adapted - recall.plain]);
  return {
    set,
    tools: test.tools.length / test.dimension,
    trained,
    tested: test.relevant.length,
    plain: meanOf(recalls.map((recall) => recall.plain)),
    adapted: meanOf(recalls.map((recall) => recall.adapted)),
    gain: bootstrapInterval(gains, { seed }),
    seen: foundShare(pairs.filter(({ isSeen }) => isSeen)),
    unseen: foundShare(pairs.filter(({ isSeen }) => !isSeen)),
  };
}

/** For each request the needed tools among the first five. */
function foundTools(options: { pool: TrainingPool; weights?: Float64Array }): Set<number>[] {
  const { relevant } = options.pool;
  return rankPool(options.pool, options.weights).map((ranked, row) => {
    const first = ranked.slice(0, FOUND_AT);
    return new Set(first.filter((tool) => relevant[row]?.includes(tool)));
  });
}

function foundShare(pairs: readonly { plain: boolean; adapted: boolean }[]): FoundShare {
  return {
    pairs: pairs.length,
    plain: meanOf(pairs.map(({ plain }) => Number(plain))),
    adapted: meanOf(pairs.map(({ adapted }) => Number(adapted))),
  };
}

function meanOf(values: number[]): number {
  return values.length > 0 ? mean(values) : Number.NaN;
}
