import {
  type EmbeddedTool,
  nearestTools,
  type SearchIndex,
  squaredDistance,
} from "../vectors/nearest.js";
import type { LibraryWords } from "../words/openWords.js";
import { type LibraryPlace, placesOf } from "../records/records.js";
import type { ReadRequest } from "./request.js";
import type { SearchQuestion } from "./searchQuestion.js";
import { type Evidence, NO_WORDS, scoreOf } from "./searchWeights.js";
import { type WordEvidence, wordScorer } from "../words/wordScores.js";

/** A library that is searched; if there are several, tools of those above hide tools with their id below. */
export interface RankedLayer {
  place: LibraryPlace;
  words: LibraryWords;
  /** Absent if vectors do not count. */
  index: SearchIndex | undefined;
  isAllowed: (id: string) => boolean;
  /** All ids that are allowed, if they were named. */
  among: readonly string[] | undefined;
}

/** A tool that may be a hit. */
export interface Ranked {
  id: string;
  position: number;
  /** Squared L2 distance to the whole request; 0 if vectors do not count. */
  distance: number;
  /** The difference of two scores says how much more likely one is wanted, see `WEIGHTS`. */
  score: number;
}

/** How many candidates each way of searching proposes. */
const CANDIDATES = 100;

/**
 * Ranks the tools of a library by how near they are to a request and by its words. Each is measured in standard
 * deviations over the library's tools, so that the weights hold for libraries of all kinds.
 *
 * @param options.layers the topmost first
 * @param options.vector of the request, of unit length
 * @param options.adapted the request's vector as changed by a trained adapter, if there is one
 */
export async function rankTools(options: {
  layers: readonly RankedLayer[];
  request: ReadRequest;
  vector: readonly number[];
  adapted?: readonly number[];
  weights: Evidence;
  topK: number;
  kinOf?: SearchQuestion["kinOf"];
}): Promise<Ranked[]> {
  const { layers, request, vector, adapted = vector, weights, topK, kinOf } = options;
  const count = Math.max(CANDIDATES, topK);
  const countWords = weights.words > 0;
  const evidenceOf = countWords
    ? wordScorer({ libraries: layers.map(({ words }) => words), request })
    : undefined;
  const found: (EmbeddedTool & { said: WordEvidence })[] = [];
  const add = ({ words }: RankedLayer, tools: readonly EmbeddedTool[]) => {
    const evidence = evidenceOf?.(words.read(tools.map(({ position }) => position)));
    for (const tool of tools) {
      const said = evidence ? evidence.get(tool.position) : NO_WORDS;
      // Without words, it has just been removed.
      if (said) found.push({ ...tool, said });
    }
  };
  for (const layer of layers) {
    const { place, words, index, ...allowed } = layer;
    const positions = countWords ? words.best(request.terms, count) : [];
    const byWords = placesOf({ ...place, positions }).filter(({ id }) => allowed.isAllowed(id));
    const near =
      index && weights.near > 0
        ? await nearestTools({ index, vector, topK: count, ...allowed })
        : [];
    const tools: EmbeddedTool[] = index
      ? index.read([...new Set([...near, ...byWords].map(({ id }) => id))])
      : byWords.map((tool) => ({ ...tool, vector: NO_VECTOR }));
    add(layer, tools);
  }
  const toRequest = measureTo(adapted, layers.at(-1)?.index?.sample() ?? []);
  const isAdapted = adapted !== vector;
  const scored = () =>
    found
      .map(({ id, position, vector: other, said }) => {
        const { near, distance: toAdapted } = toRequest(other);
        const distance = isAdapted ? squaredDistance(vector, other) : toAdapted;
        return { id, position, distance, score: scoreOf({ ...said, near }, weights) };
      })
      .toSorted(byScore);
  if (!kinOf) return scored();
  const known = new Set(found.map(({ id }) => id));
  const kin = new Set(likelyOf(scored()).flatMap(({ id }) => kinOf(id)));
  const others = [...kin].filter((id) => !known.has(id)).slice(0, CANDIDATES);
  for (const layer of layers) add(layer, layer.index?.read(others.filter(layer.isAllowed)) ?? []);
  return scored();
}

const NO_VECTOR = new Float32Array();

/** The best first, ties in the order of registration. */
function byScore(
  one: Pick<Ranked, "score" | "position">,
  other: Pick<Ranked, "score" | "position">,
): number {
  return other.score - one.score || one.position - other.position;
}

/**
 * Measures the distance from a vector to others, and how much nearer they are than the library's tools on average, in
 * standard deviations.
 */
function measureTo(
  vector: readonly number[],
  sample: readonly Float32Array[],
): (other: Float32Array) => { distance: number; near: number } {
  const distances = sample.map((other) => squaredDistance(vector, other));
  // Without a sample, nothing is nearer than anything else.
  const count = distances.length || 1;
  const mean = distances.reduce((sum, each) => sum + each, 0) / count;
  const variance = distances.reduce((sum, each) => sum + (each - mean) ** 2, 0) / count;
  const deviation = Math.sqrt(variance) || 1;
  return (other) => {
    const distance = squaredDistance(vector, other);
    return { distance, near: (mean - distance) / deviation };
  };
}

/**
 * The best and those that are not much less likely. What is shown unasked may be taken for what is meant, and stands in all
 * of a model's prompts from then on (docs/agents.md).
 *
 * @param hits the best first; those without a score are all kept
 */
export function likelyOf<One extends { score?: number | undefined }>(hits: readonly One[]): One[] {
  const least = (hits[0]?.score ?? 0) + Math.log(LEAST_LIKELY);
  return hits.filter(({ score }) => score === undefined || score > least);
}

/** The chance of what is still likely, beside that of the best. */
const LEAST_LIKELY = 1 / 20;

/** This many are shown however unlikely they are: most of what is wanted is among the first, and they cost little. */
const AT_LEAST = 8;

/** Tools with a smaller chance of being wanted are left out, if as few as needed are shown; of others, a line tells. */
const LEAST_CHANCE = 0.005;
const LEAST_NAMED = 0.0002;

/**
 * How many tools are needed: those whose chance of being wanted is not below a floor. These are few behind clear
 * winners, and many if scores are close. Of the rules that were measured (a fixed number, a distance from the best
 * score, a share of all chances), this one most often shows all tools of a request for the same tokens
 * (docs/retrieval.md).
 *
 * @param ranked all tools that a search considers, best first
 */
export function asManyAsNeeded(ranked: readonly Scored[]): number {
  const chanceOf = chancesOf(ranked);
  const first = ranked.findIndex((one) => chanceOf(one) < LEAST_CHANCE);
  return first === -1 ? ranked.length : Math.min(Math.max(first, AT_LEAST), ranked.length);
}

/**
 * The next likely tools behind the first ones. Those with a group that has a likely tool come earlier, and those of the group
 * that fits best earlier still: requests that take several tools often take those of one server. Of the same chance, what
 * is short to tell comes earlier: more of it fits.
 */
export function nextLikely(
  ranked: readonly Ranked[],
  shown: number,
  { kinOf = () => [], lengthsOf }: Pick<SearchQuestion, "kinOf" | "lengthsOf">,
): Ranked[] {
  const chanceOf = chancesOf(ranked);
  const groupOf = ({ id }: Pick<Ranked, "id">) => kinOf(id)[0];
  const likely = new Set(likelyOf(ranked).map(groupOf));
  const best = bestGroup(ranked, groupOf);
  const gainOf = (group: string | undefined) =>
    group === undefined ? 0 : (likely.has(group) ? TOGETHER : 0) + (group === best ? BEST : 0);
  const next = ranked
    .slice(shown)
    .map((one) => ({ ...one, score: one.score + gainOf(groupOf(one)) }))
    .filter((one) => chanceOf(one) >= LEAST_NAMED);
  const lengths = lengthsOf?.(next.map(({ id }) => id));
  return next
    .map((one) => ({ ...one, score: one.score - BREVITY * Math.log(lengths?.get(one.id) ?? 1) }))
    .toSorted(byScore);
}

/** The group whose best tools score highest, of those with several. */
function bestGroup(
  ranked: readonly Ranked[],
  groupOf: (one: Ranked) => string | undefined,
): string | undefined {
  const groups = new Map<string, number[]>();
  for (const one of ranked) {
    const group = groupOf(one);
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), one.score]);
  }
  const several = Array.from(groups, ([group, scores]) => ({
    group,
    best: scores.slice(0, SEVERAL),
  }))
    .filter(({ best }) => best.length === SEVERAL)
    .map(({ group, best }) => ({ group, sum: best.reduce((sum, each) => sum + each, 0) }));
  return several.toSorted((one, other) => other.sum - one.sum)[0]?.group;
}

/** What the score of a tool gains if its group has a likely one, and if no other group fits as well; of how many tools. */
const TOGETHER = 4;
const BEST = 3;
const SEVERAL = 3;

/** What the score of a tool loses if it is e times as long as another one. */
const BREVITY = 3;

type Scored = Pick<Ranked, "score">;

/** The chances of tools, by their scores as logits. */
function chancesOf(ranked: readonly Scored[]): (one: Scored) => number {
  const best = ranked[0]?.score ?? 0;
  const chance = ({ score }: Scored) => Math.exp(score - best);
  const all = ranked.reduce((sum, one) => sum + chance(one), 0);
  return (one) => chance(one) / all;
}
