import { beginning, several } from "../../common/text.js";
import { readSettings } from "../../state/settings.js";
import {
  type GraphState,
  type Search,
  type StateUpdate,
  type Subtask,
  addUsage,
  wasSearched,
} from "../../state/state.js";
import { earlierTurns } from "../../state/history.js";
import { wholeLibrary } from "../programs/contents.js";
import { runWorkspace } from "../../home/workspace.js";
import {
  embeddingRefusal,
  type Searching,
  searchFor,
  searchLines,
  textsFor,
  toolsOf,
} from "../policy/searchFor.js";
import { type Line, type StageChange, stage } from "../kit/stage.js";

/**
 * Searches the library for tools and records hits and misses.
 *
 * @param options.by `phrases`: what `phraseSearch` queued, for its subtasks · `lacking`: what a plan lacks;
 * rewordings count only if they find more · `request`: the request itself (Tulip Agent: MinimalTulip) · `planning`:
 * the request, for as few tools as a plan of it needs · `priming`: the request, for names only (PrimedCot) ·
 * `everything`: no search, all tools of the library (CotTool, NaiveTool)
 */
export function search({ by }: { by: keyof typeof SEARCH_BY }) {
  const ends = by !== "everything" && by !== "priming";
  return stage({ ends, lines }, async (state, config) => {
    const settings = readSettings(config);
    const refusal = embeddingRefusal(state, settings, textsFor(phrasesOf(by, state)));
    if (refusal) return refusal;
    const library = await runWorkspace().library(settings);
    return await SEARCH_BY[by]({ state, settings, library });
  });
}

const SEARCH_BY = {
  phrases: (searching: Searching) => searchQueue(searching, () => false),
  // A first search counts even if it finds only known tools, which a plan may have overlooked; rewordings must find new ones.
  lacking: (searching: Searching) => searchQueue(searching, wasSearched),
  request: (searching: Searching) => forRequest(searching, "request"),
  planning: (searching: Searching) => forRequest(searching, "plan"),
  priming: forHints,
  everything,
};

function phrasesOf(by: keyof typeof SEARCH_BY, state: GraphState): string[] {
  if (by === "everything") return [];
  const isQueued = by === "phrases" || by === "lacking";
  return isQueued ? state.queue.map(({ phrase }) => phrase) : [questionOf(state)];
}

/** Words of a request that may leave its task to the turn before, as in "and for tomorrow?". */
const FEW_WORDS = 8;

/** Most characters of each text that is searched for besides the request. */
const LONGEST_ADDED = 500;

/**
 * The request, followed on separate lines by what else says which tools it needs: why a person rejected its plan,
 * and the previous request if this one is short.
 */
function questionOf(state: GraphState): string {
  const { request } = state.run;
  const { program } = state;
  const isRejected = program?.issues.some(({ kind }) => kind === "rejected");
  const isShort = request.split(/\s+/u).length <= FEW_WORDS;
  const before = earlierTurns(state).findLast(({ role }) => role === "user");
  const added = [isRejected ? program?.cues.at(-1) : undefined, isShort ? before?.text : undefined];
  const lines = added.flatMap((text) => (text ? beginning(text, LONGEST_ADDED) : []));
  return [request, ...lines].join("\n");
}

/** @param needsOthers whether only tools not yet at hand count */
async function searchQueue(
  searching: Searching,
  needsOthers: (subtask: Subtask) => boolean,
): Promise<StateUpdate> {
  const { state } = searching;
  const depthOf = (id: string) => state.subtasks.find((subtask) => subtask.id === id)?.depth ?? 0;
  const { searches, used } = await searchFor(searching, {
    queue: state.queue.map((entry) => ({ ...entry, depth: depthOf(entry.subtask) })),
    purpose: "phrase",
  });
  const others = searches.map((one) => ({
    ...one,
    hits: one.hits.filter(({ tool }) => !state.toolIds.includes(tool)),
  }));
  return {
    searches: [...state.searches, ...searches],
    subtasks: state.subtasks.map((subtask) =>
      judged(subtask, needsOthers(subtask) ? others : searches),
    ),
    toolIds: [...new Set([...toolsThere(searching), ...toolsOf(searches)])],
    queue: [],
    usage: addUsage(state.usage, used),
  };
}

/**
 * One search has to find everything: a plan has only what this finds to go by, so only an explicit threshold applies, as in
 * the reference, which has none. For `plan` alone, every tool shown costs tokens, and what is missed is in the contents of
 * the library, which the model is shown, too.
 */
async function forRequest(searching: Searching, purpose: "request" | "plan"): Promise<StateUpdate> {
  const { state, settings, library } = searching;
  const isPlan = purpose === "plan";
  const whole = isPlan && (await wholeLibrary(library, settings));
  if (whole)
    return { toolIds: [...new Set([...whole.map(({ id }) => id), ...toolsThere(searching)])] };
  const queue = [{ phrase: questionOf(state), depth: 0 }];
  const { searches, used } = await searchFor(searching, { queue, purpose });
  const toolIds = [...new Set([...toolsOf(searches), ...toolsThere(searching)])];
  return {
    searches: isPlan ? [...state.searches, ...searches] : searches,
    toolIds,
    usage: addUsage(state.usage, used),
    ...((isPlan ? library.size : toolIds.length) === 0 ? nothingFound([state.run.request]) : {}),
  };
}

/** Only names are wanted here, so no hit is too far away. */
async function forHints(searching: Searching): Promise<StateUpdate> {
  const { state, settings, library } = searching;
  const unlimited = { ...settings, topK: settings.primingTopK, threshold: 0 };
  const { searches, used } = await searchFor(
    { ...searching, settings: unlimited },
    { queue: [{ phrase: questionOf(state), depth: 0 }], purpose: "request" },
  );
  const hints = toolsOf(searches).flatMap((id) => library.get(id)?.name ?? []);
  return { hints, usage: addUsage(state.usage, used) };
}

async function everything({ settings, library }: Searching): Promise<StateUpdate> {
  return { toolIds: settings.toolIds ?? library.list().map(({ id }) => id) };
}

/** The tools at hand before a search; the library may have lost some since an earlier run called them. */
function toolsThere({ state, library }: Searching): string[] {
  return state.toolIds.filter((id) => library.get(id) !== undefined);
}

/** The end of a run for which the library has no tool. */
export function nothingFound(tasks: string[]): StateUpdate {
  return { status: "unsolved", answer: `No tool was found for: ${tasks.join("; ")}` };
}

/** A subtask is found when any of its phrases has a hit in the library. */
function judged(subtask: Subtask, searches: Search[]): Subtask {
  const own = searches.filter((search) => search.subtask === subtask.id);
  if (own.length === 0) return subtask;
  const found = own.some(({ hits }) => hits.length > 0);
  const phrases = [...new Set([...subtask.phrases, ...own.map(({ phrase }) => phrase)])];
  return { ...subtask, phrases, status: found ? "found" : "missed" };
}

function lines(stage: StageChange): Line[] {
  const { hints, searches, toolIds = [] } = stage.change;
  if (hints) return [several(hints.length, "tool name")];
  return searches ? searchLines(stage) : [`${several(toolIds.length, "tool")}: all of the library`];
}
