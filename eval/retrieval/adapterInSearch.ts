import type { NewAdapter } from "../../tools/library/adapter/storedAdapters.js";
import type { EmbeddingModel } from "../../tools/library/embedding.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { SearchWeights } from "../../tools/library/searchWeights.js";
import { recallAtK } from "../scorers/retrieval.js";
import { bootstrapInterval, type Interval } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import type { LabelledRequest, RequestSet } from "./labelledRequests.js";
import { withTemporaryLibraries } from "./temporaryLibrary.js";

/** Rank down to which a tool counts as found. */
const FOUND_AT = 5;

/** Mean Recall@5 of searches by meaning and words, without an adapter and with it; NaN where nothing is tested. */
export interface InSearch {
  plain: number;
  adapted: number;
  /** Bootstrap interval, 95 %, of the difference, over requests. */
  gain: Interval;
}

/**
 * Measures what an adapter changes in the searches of graphs, where meaning is weighed with words.
 *
 * @param options.sets the tools, and the requests to measure with
 * @param options.weights of the searches; the usual ones where absent
 * @returns figures of each set
 */
export async function adapterInSearch(options: {
  sets: readonly RequestSet[];
  model: EmbeddingModel;
  adapter: NewAdapter;
  weights: SearchWeights | undefined;
  seed: number;
}): Promise<InSearch[]> {
  const { sets, model, adapter, weights, seed } = options;
  const tools = sets.map((set) => set.tools);
  return await withTemporaryLibraries({ sets: tools, model }, async (libraries) => {
    const figures: InSearch[] = [];
    for (const [at, library] of libraries.entries()) {
      const requests = sets[at]?.requests ?? [];
      const plain = await recallsOf({ library, requests, weights });
      await library.saveAdapter(adapter);
      const adapted = await recallsOf({ library, requests, weights });
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

async function recallsOf(options: {
  library: ToolLibrary;
  requests: readonly LabelledRequest[];
  weights: SearchWeights | undefined;
}): Promise<number[]> {
  const { library, requests, weights } = options;
  const phrases = requests.map(({ query }) => query);
  const { results } = await library.search({ phrases, topK: FOUND_AT, weights });
  return requests.map(({ tools }, at) => {
    const ranked = (results[at]?.hits ?? []).map(({ id }) => id);
    return recallAtK({ ranked, relevant: tools, k: FOUND_AT });
  });
}
