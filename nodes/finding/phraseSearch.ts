import type { AIMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { phraseSearchPrompt } from "./phraseSearchPrompt.js";
import { type Context, readContext } from "../../state/context.js";
import {
  type GraphState,
  type StateUpdate,
  type Subtask,
  openSubtask,
  wasSearched,
} from "../../state/state.js";
import { SEARCH_TOOLS } from "../../tools/control.js";
import { askModel } from "../shared/askModel.js";
import { excessOfPhrases } from "../shared/excess.js";
import { type WantedSearch, readSearches } from "./readSearches.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { situation } from "../shared/situation.js";

const UNUSABLE = `Your last reply had no valid call of ${SEARCH_TOOLS.name}. Call it once, with a list of searches, each with the number of a subtask and a phrase.`;

/**
 * Asks a model to phrase searches for the open subtasks; in graphs that do not decompose, the
 * request itself is the only one (Tulip Agent: NaiveTulip). A subtask that the model leaves out
 * is searched for by its own words; one that was searched for before is given up with it. So are all where
 * the model's replies cannot be used.
 */
export async function phraseSearch(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const context = readContext(config);
  const subtasks =
    state.subtasks.length > 0
      ? state.subtasks
      : [openSubtask({ id: "1", text: state.run.request, depth: 0 })];
  const open = subtasks.filter(({ status }) => status === "open");
  const prompt = phraseSearchPrompt(
    {
      ...situation({ state, context }),
      subtasks: open.map(({ text }) => text),
      tried: open.flatMap(({ phrases }) => phrases),
    },
    problemAt(state, "phraseSearch"),
  );
  const tools = [SEARCH_TOOLS];
  const toolChoice = SEARCH_TOOLS.name;
  const asked = await askModel(state, { prompt, context, config, tools, toolChoice });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const searches = searchesIn(reply, open.length);
  const problem = problemWith(searches, open);
  const queue = queueSearches(open, problem === undefined && searches ? searches : []);
  const update = {
    subtasks: subtasks.map((subtask) => leftAlone(subtask, { queue, context })),
    queue,
  };
  if (problem === undefined) return { ...update, repair: null, usage };
  return repairOrEnd({ state, stage: "phraseSearch", problem, reply, usage, instead: update });
}

/** Why there is nothing to search for in a reply, or too much. */
function problemWith(
  searches: readonly WantedSearch[] | undefined,
  open: readonly Subtask[],
): string | undefined {
  if (!searches || (searches.length === 0 && !open.every(wasSearched))) return UNUSABLE;
  const excess = excessOfPhrases(searches.map(({ phrase }) => phrase));
  return excess && `Your last reply cannot be searched for: ${excess}.`;
}

/** A subtask that stays open without a search is a miss that is taken no deeper. */
function leftAlone(
  subtask: Subtask,
  { queue, context }: { queue: GraphState["queue"]; context: Context },
): Subtask {
  const isQueued = queue.some((entry) => entry.subtask === subtask.id);
  if (subtask.status !== "open" || isQueued) return subtask;
  return { ...subtask, status: "missed", depth: context.maxDepth };
}

/** The searches of all calls that have some; undefined when there is no such call. */
function searchesIn(reply: AIMessage, subtasks: number): WantedSearch[] | undefined {
  const calls = (reply.tool_calls ?? []).filter(({ name }) => name === SEARCH_TOOLS.name);
  const read = calls.flatMap(({ args }) => {
    const searches = readSearches(args, subtasks);
    return searches ? [searches] : [];
  });
  return read.length > 0 ? read.flat() : undefined;
}

function queueSearches(open: Subtask[], searches: WantedSearch[]): GraphState["queue"] {
  return open.flatMap((subtask, index) => {
    const phrases = searches
      .filter((search) => search.subtask === index + 1)
      .map(({ phrase }) => phrase.trim());
    const own = wasSearched(subtask) ? [] : [subtask.text];
    const unique = [...new Set(phrases.length > 0 ? phrases : own)];
    return unique.map((phrase) => ({ phrase, subtask: subtask.id }));
  });
}
