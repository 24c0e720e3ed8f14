import { oneLine } from "../../common/errors.js";
import type { Context } from "../../state/context.js";
import type { GraphState, Search } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { Hit } from "../../tools/library/nearest.js";
import { embeddedTexts } from "../../tools/library/request.js";
import { embeddingUsage } from "./embeddingSpend.js";
import type { Line, StageChange } from "./stage.js";

/** A search in a run. */
export interface Searching {
  state: GraphState;
  context: Context;
  library: ToolLibrary;
}

/** Phrases to embed between checks of the run's remaining time. */
const PHRASES_AT_ONCE = 25;

/**
 * Searches the library for each phrase once and reports what embedding used. Once the run's time is up, the
 * remaining phrases find nothing.
 */
export async function searchFor(
  { state, context, library }: Searching,
  options: {
    queue: { phrase: string; depth: number; subtask?: string }[];
    topK: number;
    threshold?: number;
    asFewAsNeeded?: boolean;
  },
) {
  const { queue, topK, threshold, asFewAsNeeded } = options;
  const started = performance.now();
  const phrases = [...new Set(queue.map(({ phrase }) => phrase))];
  const within = context.toolIds;
  const hitsOf = new Map<string, Hit[]>();
  let embeddingTokens = 0;
  for (let at = 0; at < phrases.length; at += PHRASES_AT_ONCE) {
    const isOver = state.usage.ms + performance.now() - started > context.maxSeconds * 1000;
    if (at > 0 && isOver) break;
    const next = phrases.slice(at, at + PHRASES_AT_ONCE);
    const found = await library.search({
      phrases: next,
      topK,
      threshold,
      within,
      ranking: context.ranking,
      asFewAsNeeded,
    });
    for (const { phrase, hits } of found.results) hitsOf.set(phrase, hits);
    embeddingTokens += found.embeddingTokens;
  }
  const searches: Search[] = queue.map((entry) => ({
    ...entry,
    hits: (hitsOf.get(entry.phrase) ?? []).map(({ id, distance }) => ({ tool: id, distance })),
  }));
  const used = {
    ...embeddingUsage({ state, context, embeddingTokens }),
    ms: performance.now() - started,
  };
  return { searches, used };
}

/** The texts that searches for phrases embed. */
export function textsFor(phrases: readonly string[], { ranking }: Context): string[] {
  return phrases.flatMap((phrase) => embeddedTexts(phrase, ranking));
}

/** Ids of the tools found, in the order of the searches. */
export function toolsOf(searches: readonly Search[]): string[] {
  return [...new Set(searches.flatMap(({ hits }) => hits.map(({ tool }) => tool)))];
}

/** Most hits shown per search. */
const HITS_SHOWN = 4;

/** The searches a stage made, one line each. */
export function searchLines({ change: { searches = [] }, before }: StageChange): Line[] {
  return searches.slice(before.searches?.length).map(searchLine);
}

function searchLine({ phrase, hits }: Search): Line {
  const quoted = `“${oneLine(phrase)}”`;
  if (hits.length === 0) return `${quoted} → nothing`;
  const shown = hits
    .slice(0, HITS_SHOWN)
    .map(({ tool, distance }) => `${tool} ${distance.toFixed(2)}`);
  const more = hits.length > HITS_SHOWN ? `, and ${hits.length - HITS_SHOWN} more` : "";
  return `${quoted} → ${shown.join(", ")}${more}`;
}
