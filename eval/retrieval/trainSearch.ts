import { asManyAsNeeded } from "../../tools/library/cut.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { SearchWeights } from "../../tools/library/searchWeights.js";
import { WORD_FIELDS, type WordField } from "../../tools/library/words.js";
import { bootstrapInterval, type Interval } from "../statistics/bootstrap.js";
import { mean } from "../statistics/descriptive.js";
import { type JudgedRequest, judgeRequests, rankCandidates } from "./evidence.js";
import type { RequestSet } from "./labelledRequests.js";
import { learnWeights, meanLoss } from "./learnWeights.js";
import { SEARCH_FIGURES, searchFigures } from "./searchFigures.js";
import { type Part, partOf, requireParts } from "./split.js";

/** How strongly weights are held to the usual ones: ten requests change them little, some hundred much. */
const PULL = 20;

/** What the weight of a field is multiplied with to see whether that is better. */
const FIELD_STEPS = [0.5, 2];

/** Floors to choose from, the highest first: it shows least. */
const FLOORS = [0.05, 0.03, 0.02, 0.015, 0.01, 0.007, 0.005, 0.003, 0.002, 0.001];

/** Requests, and the library that is searched for them. */
export interface SearchedRequests extends RequestSet {
  library: Pick<ToolLibrary, "search">;
}

/** A mean by the weights before and by those learned, of requests that nothing was learned from. */
export interface Change {
  before: number;
  after: number;
  /** Bootstrap interval, 95 %, of the difference, over requests. */
  difference: Interval;
}

/** What learning is worth for one set: shares between 0 and 1, and the number of tools shown as few as needed. */
export interface SearchGains extends Record<ShownFigure, Change> {
  set: string;
  tools: number;
  /** Requests learned from. */
  trained: number;
  /** Requests that the figures are of. */
  tested: number;
}

/** `complete`: the request has all its tools among those shown. */
const SHOWN_FIGURES = [...SEARCH_FIGURES, "complete", "shown"] as const;

type ShownFigure = (typeof SHOWN_FIGURES)[number];

/** Weights that were learned, with the figures of each set. */
export interface SearchTraining {
  weights: SearchWeights;
  /** Requests learned from, of all sets. */
  trained: number;
  figures: SearchGains[];
  /** Whether the mean Recall@5 of the sets is higher. */
  isBetter: boolean;
}

/** What training is of. */
interface Training {
  /** What named the requests, for errors. */
  setting: string;
  sets: readonly SearchedRequests[];
  /** Those that searches have without it. */
  weights: SearchWeights;
  /** Tools that are shown at most, of which as few as needed. */
  topK: number;
  /** The same gives the same weights. */
  seed: number;
  onField?: (tried: { field: WordField; weight: number; loss: number }) => void;
}

/** The requests of a set, part by part. */
type JudgedSet = Record<Part, JudgedRequest[]>;

/**
 * Learns what the searches of a library weigh from requests with known tools, and measures it on requests that were
 * held out.
 *
 * @throws InvalidSetting when there is nothing to learn from, to choose by or to measure on
 * @throws ModelFailed when the embedding model fails
 */
export async function trainSearch(training: Training): Promise<SearchTraining> {
  const { sets, weights: start } = training;
  requireParts(training);
  const fields = await chooseFields(training);
  const before = await judgeSets(training, start);
  const judged = await judgeSets(training, { ...start, fields });
  const known = judged.map(({ train, validation }) => [...train, ...validation]);
  const learned = { ...start, fields, ...learnWeights({ sets: known, start, pull: PULL }) };
  const weights = { ...learned, floor: chooseFloor({ ...training, known, weights: learned }) };
  const figures = sets.map(({ name, tools }, at) => ({
    set: name,
    tools: tools.length,
    trained: known[at]?.length ?? 0,
    ...changesOf({
      training,
      before: { requests: before[at]?.test ?? [], weights: start },
      after: { requests: judged[at]?.test ?? [], weights },
    }),
  }));
  const tested = figures.filter((figure) => figure.tested > 0);
  const gain = mean(tested.map(({ recall5 }) => recall5.after - recall5.before));
  const trained = known.reduce((sum, requests) => sum + requests.length, 0);
  return { weights, trained, figures, isBetter: gain > 0 };
}

async function judgeSets(
  { sets, seed }: Pick<Training, "sets" | "seed">,
  weights: SearchWeights,
): Promise<JudgedSet[]> {
  const judged = [];
  for (const { library, requests } of sets) {
    const all = await judgeRequests({ library, requests, weights });
    const parts = requests.map((request) => partOf(request, seed));
    const part = (wanted: Part) => all.filter((_, at) => parts[at] === wanted);
    judged.push({ train: part("train"), validation: part("validation"), test: part("test") });
  }
  return judged;
}

/** Steps from field to field, where both what is learned from and what it is checked with are found better. */
async function chooseFields({ sets, seed, weights: start, onField }: Training) {
  const known = sets.map((set) => ({
    ...set,
    requests: set.requests.filter((request) => partOf(request, seed) !== "test"),
  }));
  const tried = async (fields: SearchWeights["fields"]) => {
    const judged = await judgeSets({ sets: known, seed }, { ...start, fields });
    return { fields, ...lossesOf(judged, start) };
  };
  let best = await tried(start.fields);
  for (const field of Object.keys(WORD_FIELDS) as WordField[]) {
    for (const factor of FIELD_STEPS) {
      const weight = start.fields[field] * factor;
      const other = await tried({ ...best.fields, [field]: weight });
      onField?.({ field, weight, loss: other.checked });
      if (other.learned < best.learned && other.checked < best.checked) best = other;
    }
  }
  return best.fields;
}

function lossesOf(judged: readonly JudgedSet[], start: SearchWeights) {
  const weights = learnWeights({ sets: judged.map(({ train }) => train), start, pull: PULL });
  const meanOf = (part: "train" | "validation") =>
    mean(
      judged
        .map((set) => set[part])
        .filter((requests) => requests.length > 0)
        .map((requests) => meanLoss(requests, weights)),
    );
  return { learned: meanOf("train"), checked: meanOf("validation") };
}

/**
 * The highest floor by which no more of the known requests lack a tool than by the usual one, and one step below it:
 * others are less well known.
 */
function chooseFloor(options: {
  known: readonly (readonly JudgedRequest[])[];
  weights: SearchWeights;
  topK: number;
}): number {
  const { known, weights, topK } = options;
  const requests = known.flat();
  const complete = (floor: number) =>
    mean(requests.map((request) => shownFor({ request, weights, topK, floor }).complete));
  const usual = complete(weights.floor);
  const highest = FLOORS.findIndex((floor) => complete(floor) >= usual);
  return FLOORS[highest + 1] ?? weights.floor;
}

function shownFor(options: {
  request: JudgedRequest;
  weights: SearchWeights;
  topK: number;
  floor?: number;
}): Record<ShownFigure, number> {
  const { request, weights, topK, floor = weights.floor } = options;
  const { relevant } = request;
  const ranked = rankCandidates(request, weights);
  const ids = ranked.map(({ id }) => id);
  const scores = ranked.map(({ score }) => score);
  const shown = ids.slice(0, Math.min(asManyAsNeeded(scores, floor), topK));
  const complete = relevant.every((id) => shown.includes(id)) ? 1 : 0;
  return { ...searchFigures({ ranked: ids, relevant }), complete, shown: shown.length };
}

/** Requests by the weights under which they were judged. */
interface Weighed {
  requests: readonly JudgedRequest[];
  weights: SearchWeights;
}

function changesOf(options: {
  training: Pick<Training, "topK" | "seed">;
  before: Weighed;
  after: Weighed;
}): Record<ShownFigure, Change> & { tested: number } {
  const { topK, seed } = options.training;
  const figuresOf = ({ requests, weights }: Weighed) =>
    requests.map((request) => shownFor({ request, weights, topK }));
  const before = figuresOf(options.before);
  const after = figuresOf(options.after);
  const changes = SHOWN_FIGURES.map((figure) => {
    const differences = after.map((each, at) => [each[figure] - (before[at]?.[figure] ?? 0)]);
    const change: Change = {
      before: mean(before.map((each) => each[figure])),
      after: mean(after.map((each) => each[figure])),
      difference: bootstrapInterval(differences, { seed }),
    };
    return [figure, change];
  });
  const figures = Object.fromEntries(changes) as Record<ShownFigure, Change>;
  return { ...figures, tested: after.length };
}
