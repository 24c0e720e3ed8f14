import type { ToolCall } from "@langchain/core/messages/tool";
import { z } from "zod";
import { MOST_OFFERED } from "../../common/bounds.js";
import { readSettings } from "../../state/settings.js";
import { openCallsOf } from "../../state/calls.js";
import { type GraphState, type Search, addUsage } from "../../state/state.js";
import { groupNamed, groupsText, type ToolGroups } from "../../tools/library/records/groups.js";
import { SEARCH_LIBRARY } from "../../tools/control.js";
import { runWorkspace } from "../../home/workspace.js";
import { embeddingRefusal, searchFor, searchLines, textsFor } from "../policy/searchFor.js";
import { awayText } from "../policy/outOfReach.js";
import { excessOfPhrases } from "../kit/askModel.js";
import { offeredTools } from "../policy/offeredTools.js";
import { allTools } from "../policy/toolOffer.js";
import { stage } from "../kit/stage.js";
import { toldIn } from "./foundOffer.js";
import { toolAnswer } from "../policy/callTexts.js";

const searchArguments = z.object({ action_descriptions: z.array(z.string().trim().min(1)).min(1) });

/**
 * Answers the model's own calls of `search_tools`: what is found is on offer from the next step. A first search
 * that found the wrong tools is therefore not the end (Tulip Agent has this only in AutoTulip). Control tools are
 * not hits, so the model learns when nothing was found; in the reference it never did. A phrase may also be the name of
 * a tool, or of a group, whose tools are then named.
 *
 * A phrase that was searched for before in this run is answered from the record, and costs nothing.
 */
export function searchCalls() {
  return stage({ ends: true, lines: searchLines }, async (state, config) => {
    const settings = readSettings(config, state);
    const asked = openCallsOf(state, SEARCH_LIBRARY).map((call) => ({
      call,
      phrases: searchArguments.safeParse(call.args).data?.action_descriptions,
    }));
    const excess = excessOfPhrases(asked.flatMap(({ phrases = [] }) => phrases));
    if (excess !== undefined) {
      return {
        messages: asked.map(({ call }) => toolAnswer(call, { text: excess, failed: true })),
      };
    }
    const phrases = freshPhrases(state, asked);
    const texts = phrases.map(({ phrase }) => phrase);
    const refusal = embeddingRefusal(state, settings, textsFor(texts));
    if (refusal) return refusal;
    const library = await runWorkspace().library(settings);
    const groups = library.groups();
    const fresh = phrases.filter(({ phrase }) => !groupNamed(phrase, groups));
    const named = fresh.flatMap(({ phrase, ...one }) => {
      const tool = groups.toolNamed(phrase) ?? library.get(phrase)?.id;
      const isAllowed = tool !== undefined && (settings.toolIds?.includes(tool) ?? true);
      return isAllowed ? [{ ...one, phrase, hits: [{ tool, distance: 0 }] }] : [];
    });
    const queue = fresh.filter(({ phrase }) => !named.some((one) => one.phrase === phrase));
    const { searches: made, used } = await searchFor(
      { state, settings, library },
      { queue, purpose: "phrase" },
    );
    const searches = [...named, ...made];
    const known = [...state.searches, ...searches];
    const wanted = asked.flatMap(({ phrases = [] }) =>
      phrases.map((phrase) => searchOf(phrase, known)?.hits.map(({ tool }) => tool) ?? []),
    );
    const toolIds = withFound(state, wanted);
    const tools = allTools(await offeredTools({ ...state, toolIds }, settings));
    const names = new Map([...tools].map(([name, { id }]) => [id, name]));
    const away = await awayText(library, { ...settings, request: state.run.request });
    return {
      messages: asked.map(({ call, phrases }) =>
        answer({ call, phrases, known, names, groups, state, away }),
      ),
      searches: known,
      toolIds,
      usage: addUsage(state.usage, used),
    };
  });
}

/** The phrases to search for, each once; `call` distinguishes these searches from those of a wiring. */
function freshPhrases(
  { searches }: GraphState,
  asked: readonly { call: ToolCall; phrases?: string[] }[],
): { phrase: string; depth: number; call?: string }[] {
  const known = new Set(searches.map(({ phrase }) => plain(phrase)));
  return asked.flatMap(({ call, phrases = [] }) =>
    phrases.flatMap((phrase) => {
      if (known.has(plain(phrase))) return [];
      known.add(plain(phrase));
      return { phrase, depth: 0, call: call.id };
    }),
  );
}

function searchOf(phrase: string, searches: readonly Search[]): Search | undefined {
  return searches.findLast((search) => plain(search.phrase) === plain(phrase));
}

function plain(phrase: string): string {
  return phrase.trim().toLowerCase();
}

/**
 * The tools on offer plus those found, the best hit of each search before the second of any. If they are too many,
 * the oldest that were never called are dropped, then the worst of the new.
 */
function withFound({ toolIds, calls }: GraphState, found: readonly string[][]): string[] {
  const longest = Math.max(0, ...found.map((hits) => hits.length));
  const byRank = Array.from({ length: longest }, (_, rank) =>
    found.flatMap((hits) => hits[rank] ?? []),
  ).flat();
  const joined = [...new Set([...toolIds, ...byRank])];
  const room = Math.max(MOST_OFFERED, toolIds.length);
  if (joined.length <= room) return joined;
  const wanted = new Set([...byRank, ...calls.map(({ tool }) => tool)]);
  const unused = toolIds.filter((id) => !wanted.has(id));
  const leaving = new Set(unused.slice(0, joined.length - room));
  return joined.filter((id) => !leaving.has(id)).slice(0, room);
}

function answer(options: {
  call: ToolCall;
  phrases: string[] | undefined;
  known: readonly Search[];
  names: ReadonlyMap<string, string>;
  groups: ToolGroups;
  state: GraphState;
  /** What exists, and cannot be reached. */
  away: string;
}) {
  const { call, phrases, known, names, groups, state, away } = options;
  if (!phrases) {
    const text = `${call.name} needs action_descriptions, a list of texts that are not empty.`;
    return toolAnswer(call, { text, failed: true });
  }
  const told = toldIn(state.messages);
  const before = new Set(told ?? state.toolIds);
  const fresh = phrases
    .flatMap((phrase) => searchOf(phrase, known)?.hits.map(({ tool }) => tool) ?? [])
    .filter((id) => !before.has(id));
  const texts = phrases.map((phrase) => {
    const members = groupNamed(phrase, groups);
    if (members)
      return `${phrase} has ${members.join(", ")}. Search by name for the ones you want.`;
    const search = searchOf(phrase, known);
    const hits = search?.hits.filter(({ tool }) => names.has(tool)) ?? [];
    if (hits.length === 0) {
      const others = groupsText(groups, GROUPS_NAMED);
      const told = [NOTHING, others && `The library has tools of ${others}.`, away];
      return `${phrase}: ${told.filter(Boolean).join(" ")}`;
    }
    const found = hits.flatMap(({ tool }) => names.get(tool) ?? []).join(", ");
    const said = search?.nearest ? `${phrase} (unsure, only the nearest)` : phrase;
    return `${said}: ${found}${hits.every(({ tool }) => before.has(tool)) ? NOTHING_NEW : ""}`;
  });
  const message = toolAnswer(call, { text: texts.join("\n") });
  // Told with their signatures, if these stand in messages.
  if (told) message.artifact = { fresh: [...new Set(fresh)] };
  return message;
}

const GROUPS_NAMED = 20;

const NOTHING = "nothing was found. Search again in more general words, or for a part of it.";

const NOTHING_NEW = ", all already on offer. Other words may find others.";
