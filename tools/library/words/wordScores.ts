import type { ReadRequest } from "../search/request.js";
import type { LibraryWords, ToolWords } from "./openWords.js";
import { DEPRECATED, isContrary, LOCAL } from "./relatedWords.js";

/**
 * The usual parameters of Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009, section 3.5).
 */
const K = 1.2;
const B = 0.75;

/** What the words of a request say about a tool. */
export interface WordEvidence {
  /** Its BM25 score, in standard deviations above the mean of the library's tools. */
  words: number;
  /**
   * Shares of its name and its description that the request mentions; rare words count for more, and in a name
   * related words for half.
   */
  name: number;
  description: number;
  /** 1 if it does only other things than the request asks for. */
  contrary: number;
  /** 1 if it is deprecated. */
  deprecated: number;
  /** 1 if the request has a path and it takes one. */
  local: number;
}

/** What a related word counts for in a name: "make a folder" mentions half of `create_directory`. */
const RELATED_IN_NAME = 0.5;

/** Scores tools of some libraries, whose words count as those of one, by the words of a request. */
export function wordScorer({
  libraries,
  request,
}: {
  libraries: readonly LibraryWords[];
  request: ReadRequest;
}): (tools: readonly ToolWords[]) => Map<number, WordEvidence> {
  const { terms, own, deeds } = request;
  const rarityOf = rarities(libraries);
  const rarityOfTerm = rarityOf([...terms.keys()]);
  const sample = libraries.flatMap((words) => words.sample);
  const meanLength = Math.max(meanOf(sample.map(({ length }) => length)), 1);
  const bm25 = ({ counts, length }: ToolWords) => {
    let score = 0;
    for (const [term, weight] of terms) {
      const count = counts.get(term) ?? 0;
      if (count === 0) continue;
      const saturation = count + K * (1 - B + (B * length) / meanLength);
      score += (weight * rarityOfTerm(term) * (K + 1) * count) / saturation;
    }
    return score;
  };
  const usual = sample.map(bm25);
  const mean = meanOf(usual);
  const deviation = Math.sqrt(meanOf(usual.map((score) => (score - mean) ** 2))) || 1;
  return (tools) => {
    const rarity = rarityOf(tools.flatMap(({ name, description }) => [...name, ...description]));
    const shareOf = (words: ReadonlySet<string>, related: number) => {
      let [said, all] = [0, 0];
      for (const word of words) {
        const rare = rarity(word);
        all += rare;
        const weight = terms.get(word) ?? 0;
        if (weight > 0) said += rare * (own.has(word) ? weight : related);
      }
      return all === 0 ? 0 : said / all;
    };
    return new Map(
      tools.map((tool) => [
        tool.position,
        {
          words: (bm25(tool) - mean) / deviation,
          name: shareOf(tool.name, RELATED_IN_NAME),
          description: shareOf(tool.description, 0),
          contrary: Number(isContrary(tool.traits, deeds)),
          deprecated: Number((tool.traits & DEPRECATED) > 0),
          local: Number(request.hasPath && (tool.traits & LOCAL) > 0),
        },
      ]),
    );
  };
}

/** How much words say, by how many tools of all libraries have them (inverse document frequency, as in BM25). */
function rarities(libraries: readonly LibraryWords[]) {
  const tools = libraries.reduce((sum, words) => sum + words.tools, 0);
  return (words: readonly string[]) => {
    const distinct = [...new Set(words)];
    const counts = libraries.map(({ countHaving }) => countHaving(distinct));
    const rarityOf = (word: string) => {
      const having = counts.reduce((sum, each) => sum + (each.get(word) ?? 0), 0);
      return Math.log(1 + (tools - having + 0.5) / (having + 0.5));
    };
    // Each word once: descriptions have most of theirs in common.
    const known = new Map(distinct.map((word) => [word, rarityOf(word)]));
    return (word: string): number => known.get(word) ?? 0;
  };
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(numbers.length, 1);
}
