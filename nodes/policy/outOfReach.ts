import { grouped } from "../../common/grouped.js";
import { ownWords } from "../../common/nearNames.js";
import { listed, several } from "../../common/text.js";
import { wordsOf } from "../../plans/grounding/sources.js";
import { deniesTools, AWAY, sentencesOf } from "../../plans/grounding/words.js";
import { hasSucceeded } from "../../state/calls.js";
import type { Settings } from "../../state/settings.js";
import type { GraphState, Status } from "../../state/state.js";
import { runWorkspace, type Workspace } from "../../home/workspace.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { WithheldTool } from "../../tools/library/records/pins.js";
import type { SourceAway } from "../../tools/remote.js";

const NAMED = 3;

/** What decides what a run cannot reach, and what of it is named. */
interface Surroundings extends Pick<Settings, "toolIds"> {
  sources?: readonly SourceAway[];
  /** Tools that share words with it are named before others. */
  request?: string;
  /**
   * Whether it is said how many tools `toolIds` leaves out. A model that learns this before it has missed anything takes
   * what it was given for too little. Default: true.
   */
  isCounted?: boolean;
}

/**
 * What a run cannot reach although it exists, and why, a line for each source: a model that does not know of it would say
 * that there is no such tool.
 */
export function outOfReach(
  library: Pick<LibraryView, "withheld" | "size">,
  { toolIds, sources = [], request = "", isCounted = true }: Surroundings,
): string[] {
  const asked = wordsOf(request);
  const shared = ({ tool }: WithheldTool) =>
    ownWords(tool.name).filter((word) => asked.includes(` ${word} `)).length;
  const known = library
    .withheld()
    .filter(({ tool }) => toolIds?.includes(tool.id) ?? true)
    .toSorted((one, other) => shared(other) - shared(one));
  const byKind = grouped(known, (one) => `${kindOf(one)} ${one.origin}`);
  const lines = [...byKind.values()].map((tools) => {
    const [first] = tools;
    const source = first?.origin.slice(first.origin.indexOf(":") + 1) ?? "";
    const names = tools.map(({ tool }) => tool.name);
    return `${listed(names, NAMED)} of ${source}: ${WHY[first ? kindOf(first) : "waits"]}`;
  });
  const others = toolIds && isCounted ? library.size - toolIds.length : 0;
  return [
    ...sources.map(({ name, why }) => `all of ${name}: ${WHY[why]}`),
    ...lines,
    ...(others > 0 ? [`${several(others, "other tool")}: not granted to this run`] : []),
  ];
}

/** The same as a sentence to add to what a search has found; empty if everything is within reach. */
export function outOfReachText(...given: Parameters<typeof outOfReach>): string {
  const lines = outOfReach(...given);
  return lines.length > 0 ? `Exist, but are out of reach: ${lines.join("; ")}.` : "";
}

/** What of an open library the current run cannot reach, with the sources that cannot be called now, as a sentence. */
export async function awayText(
  library: LibraryView,
  known: Omit<Surroundings, "sources">,
  workspace: Pick<Workspace, "away"> = runWorkspace(),
): Promise<string> {
  return outOfReachText(library, { ...known, sources: await workspace.away(library) });
}

/**
 * An answer that denies no tool which is only out of reach or was not looked at: such sentences are left out, and what
 * is away is said instead. An answer that says itself why something is away stays as it is.
 *
 * @returns undefined if nothing has to be said
 */
export async function toldAway(
  state: GraphState,
  settings: Settings,
  { status, answer }: { status: Status; answer: string },
): Promise<{ answer: string; status: Status } | undefined> {
  const { calls, edits, searches, toolIds, run } = state;
  if (searches.length + toolIds.length + calls.length === 0) return undefined;
  // What was missing has been made, and the answer says so.
  const isMade = edits.some(({ kind, outcome }) => kind === "create" && outcome === "done");
  if (isMade && calls.some(hasSucceeded)) return undefined;
  // What a model says; what is added to it says of itself what was tried.
  const said = answer.startsWith(state.answer) ? state.answer : answer;
  const sentences = sentencesOf(said);
  const kept = sentences.filter((sentence) => !deniesTools(sentence) || AWAY.test(sentence));
  const isDenied = kept.length < sentences.length;
  // A call that failed says itself what was away.
  const isIdle = status === "unsolved" && calls.length === 0;
  if (!isDenied && !isIdle) return undefined;
  const library = await runWorkspace().library(settings);
  const away = await awayText(library, { ...settings, request: run.request });
  if (!isDenied) {
    const isTold = away === "" || answer.includes(away) || AWAY.test(answer);
    return isTold ? undefined : { answer: `${answer} ${away}`, status };
  }
  const unseen = away === "" ? await unseenText(library, state, settings) : away;
  if (unseen === "") return undefined;
  const isClaim = status === "solved" || status === "answered";
  const told = [...kept, NONE_FOUND, unseen, answer.slice(said.length)]
    .map((each) => each.trim())
    .filter(Boolean)
    .join(" ");
  return { answer: told, status: isClaim ? "unsolved" : status };
}

const NONE_FOUND = "No tool within reach was found for this.";

/** How many tools the run has not looked at, not even by name. */
async function unseenText(
  library: LibraryView,
  state: GraphState,
  settings: Settings,
): Promise<string> {
  const { contentsOf } = await import("../programs/contents.js");
  if (state.program && contentsOf(library, settings).tells !== "groups") return "";
  const known = new Set(state.toolIds);
  const { list } = library.groups();
  const count = (settings.toolIds?.length ?? library.size) - known.size;
  if (count <= 0) return "";
  const groups = list.length > 1 ? ` of ${list.length} groups` : "";
  return `${several(count, "other tool")}${groups} ${count === 1 ? "was" : "were"} not looked at.`;
}

const WHY = {
  down: "does not answer at the moment",
  unconnected: "the user is not connected to it yet; a call asks them to",
  waits: "withheld until a person has reviewed them",
  rejected: "rejected by a person",
  unoffered: "not granted to this person",
};

function kindOf({ isUnoffered, rejected }: WithheldTool): keyof typeof WHY {
  if (isUnoffered) return "unoffered";
  return rejected ? "rejected" : "waits";
}
