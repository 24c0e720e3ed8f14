import MiniSearch from "minisearch";
import type { ToolDefinition } from "../tool.js";
import { lexicalText, lexicalWords } from "./lexicalText.js";

/**
 * The usual parameters of Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009, section 3.5). `d` is the lower bound that BM25+ adds; 0 is plain BM25.
 */
const BM25 = { k: 1.2, b: 0.75, d: 0 };

/** Ranks tools by the words that they share with a query. */
export interface LexicalIndex {
  /** Ids of the best tools, at most `depth`, ties in the order of the tools; of those in `among`, if given. */
  search: (question: { query: string; depth: number; among?: ReadonlySet<string> }) => string[];
}

/** Makes an index of the words of tools; it keeps their ids and nothing else of them. */
export function lexicalIndex(tools: readonly ToolDefinition[]): LexicalIndex {
  const index = new MiniSearch<{ id: number; text: string }>({
    fields: ["text"],
    tokenize: lexicalWords,
    processTerm: (word) => word,
    searchOptions: {
      bm25: BM25,
      // A word that a long request repeats counts once, which also saves a good part of the time.
      tokenize: (query) => [...new Set(lexicalWords(query))],
    },
  });
  index.addAll(tools.map((tool, id) => ({ id, text: lexicalText(tool) })));
  const ids = tools.map(({ id }) => id);
  return {
    search: ({ query, depth, among }) => {
      const scored = index.search(query).map(({ id, score, queryTerms }) => ({
        position: Number(id),
        // The package multiplies the sum by the number of query terms that matched; BM25 does not.
        score: score / queryTerms.length,
      }));
      return scored
        .toSorted((a, b) => b.score - a.score || a.position - b.position)
        .flatMap(({ position }) => ids[position] ?? [])
        .filter((id) => among === undefined || among.has(id))
        .slice(0, depth);
    },
  };
}
