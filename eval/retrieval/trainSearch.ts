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

/** How strongly weights are held to the defaults: ten requests change them little, a few hundred much. */
const PULL = 20;

/** Factors that are tried on the weight of a field. */
const FIELD_STEPS = [0.5, 2];

/** Floors to choose from; the highest, which shows the fewest tools, comes first. */
const FLOORS = [0.05, 0.03, 0.02, 0.015, 0.01, 0.007, 0.005, 0.003, 0.002, 0.001];

/** Requests, and the library in which they search. */
export interface SearchedRequests extends RequestSet {
  library: Pick<ToolLibrary, "search">;
}

/** A mean over held-out requests, by the old and by the learned weights. */
export interface Change {
  before: number;
  after: number;
  /** Bootstrap interval, 95 %, of the difference, over requests. */
  difference: Interval;
}

/** What learning gains for one set: shares, and the number of tools shown. */
export interface SearchGains extends Record<ShownFigure, Change> {
  set: string;
  tools: number;
  /** Training requests. */
  trained: number;
  /** Requests that the figures are about. */
  tested: number;
}

/** `complete`: the request has all its tools among those shown. */
const SHOWN_FIGURES = [...SEARCH_FIGURES, "complete", "shown"] as const;

type ShownFigure = (typeof SHOWN_FIGURES)[number];

/** Learned weights, with the figures of each set. */
export interface SearchTraining {
  weights: SearchWeights;
  /** Training requests of all sets. */
  trained: number;
  figures: SearchGains[];
  /** Whether the mean Recall@5 of the sets is higher. */
  isBetter: boolean;
}

/** What to train on. */
interface Training {
  /** The option that named the requests, for errors. */
  setting: string;
  sets: readonly SearchedRequests[];
  /** The weights to start from. */
  weights: SearchWeights;
  /** Most tools that are shown. */
  topK: number;
  /** The same seed gives the same weights. */
  seed: number;
  onField?: (tried: { field: WordField; weight: number; loss: number }) => void;
}

/** The requests of a set by part. */
type JudgedSet = Record<Part, JudgedRequest[]>;

/**
 * Learns the search weights of a library from requests with known tools, and measures them on held-out requests.
 *
 * @throws InvalidSetting if there is nothing to learn from, to choose by or to measure on
 * @throws ModelFailed if the embedding model fails
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

/** Tries each field in turn; a weight is kept if both the training and the validation loss get lower. */
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
 * One step below the highest floor by which no more of the known requests lack a tool than by the default one:
 * other requests are less well known.
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

/** Requests, and the weights by which they were judged. */
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
