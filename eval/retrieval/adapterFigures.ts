import { rankPool, type TrainingPool } from "../../tools/library/adapter/pool.js";
import { bootstrapInterval, type Interval } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import type { NewAdapter } from "../../tools/library/adapter/storedAdapters.js";
import type { EmbeddingModel } from "../../tools/library/vectors/embedding.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { recallAtK } from "../scorers/retrieval.js";
import type { LabelledRequest, RequestSet } from "./labelledRequests.js";
import { withTemporaryLibraries } from "./temporaryLibrary.js";

/** Rank down to which a tool counts as found. */
const FOUND_AT = 5;

/** How often needed tools were found without and with an adapter, as shares; NaN if there are none. */
export interface FoundShare {
  /** (request, tool) pairs. */
  pairs: number;
  plain: number;
  adapted: number;
}

/** Figures of an adapter on those requests of one set that it was not trained on. */
export interface AdapterFigures {
  set: string;
  tools: number;
  /** Requests used for training, including those that decide when to stop. */
  trained: number;
  /** Requests that the figures are about. */
  tested: number;
  /** Mean Recall@5 without and with the adapter; NaN if nothing is tested. */
  plain: number;
  adapted: number;
  /** Bootstrap interval, 95 %, of the difference, over requests. */
  gain: { low: number; high: number };
  /** Tools that some training request needs. */
  seen: FoundShare;
  /** The others. */
  unseen: FoundShare;
}

/**
 * Measures an adapter on requests that it was not trained on.
 *
 * @param options.seen rows of the pool's tools that some training request needs
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
    plain: mean(recalls.map((recall) => recall.plain)),
    adapted: mean(recalls.map((recall) => recall.adapted)),
    gain: bootstrapInterval(gains, { seed }),
    seen: foundShare(pairs.filter(({ isSeen }) => isSeen)),
    unseen: foundShare(pairs.filter(({ isSeen }) => !isSeen)),
  };
}

/** The needed tools among the first five, for each request. */
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
    plain: mean(pairs.map(({ plain }) => Number(plain))),
    adapted: mean(pairs.map(({ adapted }) => Number(adapted))),
  };
}

/** Mean Recall@5 of searches by meaning and words without and with an adapter; NaN if nothing is tested. */
export interface InSearch {
  plain: number;
  adapted: number;
  /** Bootstrap interval, 95 %, of the difference, over requests. */
  gain: Interval;
}

/**
 * Measures what an adapter changes in the searches of graphs, which combine meaning and words.
 *
 * @param options.sets the tools, and the requests to measure with
 * @returns figures for each set
 */
export async function adapterInSearch(options: {
  sets: readonly RequestSet[];
  model: EmbeddingModel;
  adapter: NewAdapter;
  seed: number;
}): Promise<InSearch[]> {
  const { sets, model, adapter, seed } = options;
  const tools = sets.map((set) => set.tools);
  return await withTemporaryLibraries({ sets: tools, model }, async (libraries) => {
    const figures: InSearch[] = [];
    for (const [at, library] of libraries.entries()) {
      const requests = sets[at]?.requests ?? [];
      const plain = await recallsOf(library, requests);
      await library.saveAdapter(adapter);
      const adapted = await recallsOf(library, requests);
      const gains = adapted.map((recall, row) => [recall - (plain[row] ?? 0)]);
      figures.push({
        plain: mean(plain),
        adapted: mean(adapted),
        gain: bootstrapInterval(gains, { seed }),
      });
    }
    return figures;
  });
}

async function recallsOf(
  library: ToolLibrary,
  requests: readonly LabelledRequest[],
): Promise<number[]> {
  const phrases = requests.map(({ query }) => query);
  const { results } = await library.search({ phrases, topK: FOUND_AT });
  return requests.map(({ tools }, at) => {
    const ranked = (results[at]?.hits ?? []).map(({ id }) => id);
    return recallAtK({ ranked, relevant: tools, k: FOUND_AT });
  });
}
