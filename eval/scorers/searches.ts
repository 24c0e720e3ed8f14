import { goldTools } from "./goldCalls.js";
import { recallAtK } from "./retrieval.js";
import type { Scorer } from "./scorer.js";

/** What the searches of a run found. */
export const SEARCH_SCORERS: Scorer[] = [
  {
    id: "searchRecall",
    label: "Search recall",
    definition:
      "Share of the tools that the task needs, each counted once, among the hits of all searches of the run; absent for runs that made no search.",
    source: "Recall: Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval",
    unit: "share",
    better: "higher",
    score: ({ task, run }) => {
      const relevant = goldTools(task);
      if (relevant.length === 0 || run.searches.length === 0) return undefined;
      const ranked = run.searches.flatMap(({ hits }) => hits.map(({ tool }) => tool));
      return recallAtK({ ranked, relevant, k: ranked.length });
    },
  },
];
