import { LONGEST_SEARCHED } from "../../common/bounds.js";
import { beginning } from "../../common/text.js";
import { embeddingPrice, unknownPrice } from "../../models/prices.js";
import { leftOf } from "../../state/ledger.js";
import { outOfMoney } from "../kit/askModel.js";
import { oneLine } from "../../common/errors.js";
import type { Settings } from "../../state/settings.js";
import type { GraphState, Search, StateUpdate, Usage } from "../../state/state.js";
import type { LibraryView } from "../../tools/library/library.js";
import { likelyOf } from "../../tools/library/search/rank.js";
import { embeddedText } from "../../tools/library/search/request.js";
import type { PhraseResult } from "../../tools/library/search/search.js";
import type { SearchQuestion } from "../../tools/library/search/searchQuestion.js";
import { contentsOf } from "../programs/contents.js";
import { lineLength } from "../programs/functionDeclarations.js";
import type { Line, StageChange } from "../kit/stage.js";

export interface Searching {
  state: GraphState;
  settings: Settings;
  library: LibraryView;
}

/** Phrases to embed between checks of the run's remaining time. */
const PHRASES_AT_ONCE = 25;

/**
 * What a search is for: `request`: the best tools for a whole request, however far, unless the run has a threshold ·
 * `phrase`: those near enough for something that the library may have no tool for; a model that searches itself is also
 * given the nearest, as unsure · `plan`: as few as a plan of the request needs.
 */
type Purpose = "request" | "phrase" | "plan";

/**
 * Searches the library for each phrase once and reports what embedding used. Once the run's time is up, the
 * remaining phrases find nothing.
 *
 * @param options.queue `call`: the model's own call that asks for it
 */
export async function searchFor(
  { state, settings, library }: Searching,
  options: {
    queue: { phrase: string; depth: number; subtask?: string; call?: string }[];
    purpose: Purpose;
  },
) {
  const { queue, purpose } = options;
  const question = questionFor(purpose, {
    settings,
    library,
    isByModel: queue.some(({ call }) => call !== undefined),
  });
  const started = performance.now();
  const phrases = [...new Set(queue.map(({ phrase }) => phrase))];
  const resultOf = new Map<string, PhraseResult>();
  let embeddingTokens = 0;
  for (let at = 0; at < phrases.length; at += PHRASES_AT_ONCE) {
    const isOver = state.usage.ms + performance.now() - started > settings.maxSeconds * 1000;
    if (at > 0 && isOver) break;
    const next = phrases.slice(at, at + PHRASES_AT_ONCE);
    const found = await library.search({ ...question, phrases: next });
    for (const result of found.results) resultOf.set(result.phrase, result);
    embeddingTokens += found.embeddingTokens;
  }
  const searches: Search[] = queue.map((entry) => ({
    ...entry,
    ...foundBy(resultOf.get(entry.phrase)),
  }));
  const used = {
    ...embeddingUsage(state, settings, embeddingTokens),
    ms: performance.now() - started,
  };
  // The best of those that were too far away.
  const missed = [...resultOf.values()].flatMap(({ misses = [] }) => misses.map(({ id }) => id));
  return { searches, missed, used };
}

function questionFor(
  purpose: Purpose,
  options: Omit<Searching, "state"> & { isByModel: boolean },
): Omit<SearchQuestion, "phrases"> {
  const { settings, library, isByModel } = options;
  const { topK, primingTopK, threshold, ranking, toolIds: within } = settings;
  const asked = { topK, threshold, ranking, within };
  if (purpose === "request") return asked;
  if (purpose === "phrase") return { ...asked, nearOnly: true, keepUnsure: isByModel };
  const { tells } = contentsOf(library, settings);
  const plan = {
    ...asked,
    topK: primingTopK,
    asFewAsNeeded: true,
    allNamed: tells === "signatures",
  };
  if (tells !== "groups") return plan;
  const { kinOf, functionName } = library.groups();
  const lengthsOf = (ids: readonly string[]) =>
    new Map([...library.pick(ids)].map(([id, tool]) => [id, lineLength(functionName(tool), tool)]));
  return { ...plan, kinOf, lengthsOf };
}

function foundBy(result: PhraseResult | undefined): Pick<Search, "hits" | "nearest" | "others"> {
  const { hits = [], misses: [miss] = [], abstained, others } = result ?? {};
  const found = {
    hits: hits.map(({ id, distance, score }) => ({
      tool: id,
      distance,
      ...(score === undefined ? {} : { score: Number(score.toFixed(2)) }),
    })),
    ...(others ? { others } : {}),
  };
  if (!abstained || !miss) return found;
  const { id, distance, needed } = miss;
  return { ...found, nearest: { tool: id, distance, needed } };
}

/** The texts that searches for phrases embed. */
export function textsFor(phrases: readonly string[]): string[] {
  return phrases.map(embeddedText);
}

/** Ids of the tools found, in the order of the searches. */
export function toolsOf(searches: readonly Search[]): string[] {
  return [...new Set(searches.flatMap(({ hits }) => hits.map(({ tool }) => tool)))];
}

/** Tools that a search found, but none holds likely beside its best. */
export function unlikelyIn(searches: readonly Search[]): ReadonlySet<string> {
  const likely = new Set(searches.flatMap(({ hits }) => likelyOf(hits)).map(({ tool }) => tool));
  return new Set(toolsOf(searches).filter((tool) => !likely.has(tool)));
}

const HITS_SHOWN = 4;

export function searchLines({ change: { searches = [] }, before }: StageChange): Line[] {
  return searches.slice(before.searches?.length).map(searchLine);
}

function searchLine({ phrase, hits, nearest }: Search): Line {
  const quoted = `“${oneLine(phrase)}”`;
  if (hits.length === 0) return `${quoted} → nothing${nearest ? ` (${nearestText(nearest)})` : ""}`;
  const shown = hits.slice(0, HITS_SHOWN).map(({ tool }) => tool);
  const more = hits.length > HITS_SHOWN ? `, and ${hits.length - HITS_SHOWN} more` : "";
  return `${quoted} → ${nearest ? "unsure: " : ""}${shown.join(", ")}${more}`;
}

/** "the nearest was add at 1.32; a hit is below 1.10" */
export function nearestText(nearest: { tool: string; distance: number; needed: number }): string {
  const { tool, distance, needed } = nearest;
  return `the nearest was ${tool} at ${distance.toFixed(2)}; a hit is below ${needed.toFixed(2)}`;
}

const MILLION = 1_000_000;

/**
 * The end of a run whose dollar budget does not cover embedding these texts, else undefined. The price is an
 * upper bound: no tokenizer makes more tokens than a text has bytes.
 */
export function embeddingRefusal(
  state: GraphState,
  settings: Settings,
  texts: readonly string[],
): StateUpdate | undefined {
  if (!countsDollars(state)) return undefined;
  const read = texts.map((text) => beginning(text, LONGEST_SEARCHED));
  const bytes = read.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const price = (bytes * priceOf(settings)) / MILLION;
  return price > leftOf(state) ? outOfMoney(state, { what: "a search", price }) : undefined;
}

/** What embedding used, with its cost if the budget is in dollars. */
export function embeddingUsage(
  state: GraphState,
  settings: Settings,
  embeddingTokens: number,
): Partial<Usage> {
  if (!countsDollars(state)) return { embeddingTokens };
  return { embeddingTokens, usd: (embeddingTokens * priceOf(settings)) / MILLION };
}

function countsDollars({ ledger }: GraphState): boolean {
  return ledger !== null && ledger.unit === "usd";
}

/** @throws InvalidSetting if the price is unknown, since no budget could be kept */
function priceOf({ embeddings }: Settings): number {
  const price = embeddingPrice(embeddings);
  if (price !== undefined) return price;
  throw unknownPrice(embeddings);
}
