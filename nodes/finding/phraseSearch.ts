import type { AIMessage } from "@langchain/core/messages";
import { z } from "zod";
import { several } from "../../common/text.js";
import { readSettings } from "../../state/settings.js";
import { type GraphState, type Subtask, openSubtask, wasSearched } from "../../state/state.js";
import { SEARCH_TOOLS } from "../../tools/control.js";
import { earlierTurnsText } from "../kit/promptTexts.js";
import { excessOfPhrases } from "../kit/askModel.js";
import { type Question, askFor } from "../kit/question.js";
import type { Reading } from "../kit/replyForm.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import type { RunBasics } from "../kit/stageInputs.js";

export interface PhraseSearchInput extends RunBasics {
  /** The subtasks to find tools for, numbered from 1 in this order. */
  subtasks: string[];
  /** Phrases that found nothing in earlier searches for these subtasks. */
  tried: string[];
}

/** A search a model wants for one of its subtasks, numbered from 1. */
interface WantedSearch {
  subtask: number;
  phrase: string;
}

const UNUSABLE = `Your last reply had no valid call of ${SEARCH_TOOLS.name}. Call it like this: {"searches": [{"subtask": 1, "phrase": "multiply two numbers"}]}.`;

export const phraseSearchQuestion: Question<"phraseSearch", PhraseSearchInput, WantedSearch[]> = {
  stage: "phraseSearch",
  instructions: () => [
    `Call ${SEARCH_TOOLS.name} once, with all searches, to find tools by meaning. Phrase each like a tool's description, in general words without values: “multiply two numbers” for “Multiply 12 by 7”.`,
  ],
  // Only here can the number of searches be given, as it depends on what was tried.
  task: ({ request, subtasks, tried, earlierTurns }) => [
    earlierTurnsText(earlierTurns),
    ...(subtasks.length === 1 && subtasks[0] === request
      ? [
          `Request, as subtask 1: ${request}`,
          "Search once for each operation it needs, all as subtask 1.",
        ]
      : [`Request: ${request}`, numberedList({ subtasks, tried })]),
    tried.length > 0 &&
      `These phrases found nothing suitable: ${tried.map((phrase) => `“${phrase}”`).join(", ")}. Use other words. Leave out a subtask if other words would not help; the list may be empty.`,
  ],
  read: readReply,
  byRules: async (input) =>
    (await import("../../models/offline/replies.js")).replyToPhraseSearch(input),
};

function numberedList({ subtasks, tried }: Pick<PhraseSearchInput, "subtasks" | "tried">): string {
  const lead = tried.length > 0 ? "Subtasks:" : "Search at least once for each subtask:";
  return [lead, ...subtasks.map((subtask, index) => `${index + 1}. ${subtask}`)].join("\n");
}

/** The searches of all calls. None at all is a valid answer if phrases failed before. */
function readReply(
  { tool_calls: calls = [] }: AIMessage,
  { subtasks, tried }: PhraseSearchInput,
): Reading<WantedSearch[]> {
  const read = calls
    .filter(({ name }) => name === SEARCH_TOOLS.name)
    .flatMap(({ args }) => {
      const searches = readSearches(args, subtasks.length);
      return searches ? [searches] : [];
    });
  const searches = read.flat();
  const isUsable = searches.length > 0 || (read.length > 0 && tried.length > 0);
  if (!isUsable) return { problem: UNUSABLE };
  const excess = excessOfPhrases(searches.map(({ phrase }) => phrase));
  if (excess) return { problem: `Your last reply cannot be searched for: ${excess}.` };
  return { value: searches };
}

const phrase = z.string().trim().min(1);

/** Numbers may be texts, and phrases may come without them. */
const searchesForm = z.object({
  searches: z.array(
    z.union([
      phrase.transform((text) => ({ subtask: undefined, phrase: text })),
      z.object({ subtask: z.coerce.number().int().optional(), phrase }),
    ]),
  ),
});

/** Phrases without numbers go to the subtasks in order, any surplus to the last. */
function readSearches(args: unknown, subtasks: number): WantedSearch[] | undefined {
  return searchesForm.safeParse(args).data?.searches.map((search, at) => ({
    subtask: search.subtask ?? Math.min(at + 1, subtasks),
    phrase: search.phrase,
  }));
}

/**
 * Asks a model to phrase searches for the open subtasks; in graphs that do not decompose, the request is the
 * only one (Tulip Agent: NaiveTulip). If the model omits a subtask or its replies stay unusable, the subtask's
 * own words are searched for, or it is given up if it was searched for before.
 */
export function phraseSearch() {
  return askingStage({ lines }, async (state, config) => {
    const settings = readSettings(config);
    const subtasks =
      state.subtasks.length > 0
        ? state.subtasks
        : [openSubtask({ id: "1", text: state.run.request, depth: 0 })];
    const open = subtasks.filter(({ status }) => status === "open");
    const input: PhraseSearchInput = {
      ...runBasics(state, settings),
      subtasks: open.map(({ text }) => text),
      tried: open.flatMap(({ phrases }) => phrases),
    };
    const queueFor = (searches: readonly WantedSearch[]) => {
      const queue = queueSearches(open, searches);
      const { maxDepth } = settings;
      return { queue, subtasks: subtasks.map((one) => leftAlone(one, { queue, maxDepth })) };
    };
    const answer = await askFor(phraseSearchQuestion, {
      state,
      settings,
      config,
      input,
      tools: [SEARCH_TOOLS],
      toolChoice: SEARCH_TOOLS.name,
      instead: queueFor([]),
    });
    if ("end" in answer) return answer.end;
    return { ...queueFor(answer.value), ...answer.asked };
  });
}

function queueSearches(
  open: readonly Subtask[],
  searches: readonly WantedSearch[],
): GraphState["queue"] {
  return open.flatMap((subtask, index) => {
    const phrases = searches
      .filter((search) => search.subtask === index + 1)
      .map(({ phrase }) => phrase.trim());
    const own = wasSearched(subtask) ? [] : [subtask.text];
    const unique = [...new Set(phrases.length > 0 ? phrases : own)];
    return unique.map((phrase) => ({ phrase, subtask: subtask.id }));
  });
}

/** A subtask left without a search is a miss and is not split. */
function leftAlone(
  subtask: Subtask,
  { queue, maxDepth }: { queue: GraphState["queue"]; maxDepth: number },
): Subtask {
  const isQueued = queue.some((entry) => entry.subtask === subtask.id);
  if (subtask.status !== "open" || isQueued) return subtask;
  return { ...subtask, status: "missed", depth: maxDepth };
}

function lines({ change: { queue = [] } }: StageChange): Line[] {
  return [several(queue.length, "search phrase")];
}
