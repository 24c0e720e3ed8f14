import type { AIMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { phraseSearchPrompt } from "../prompts/phraseSearch.js";
import { type Context, readContext } from "../state/context.js";
import {
  type GraphState,
  type StateUpdate,
  type Subtask,
  openSubtask,
  wasSearched,
} from "../state/state.js";
import { SEARCH_TOOLS } from "../tools/control.js";
import { askModel } from "./askModel.js";
import { excessOfPhrases } from "./excess.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { situation } from "./situation.js";

/** Some models write the numbers of JSON as texts. */
const searchArguments = z.object({
  searches: z.array(z.object({ subtask: z.coerce.number().int(), phrase: z.string().min(1) })),
});

const UNUSABLE = `Your last reply had no valid call of ${SEARCH_TOOLS.name}. Call it once, with a list of searches, each with the number of a subtask and a phrase.`;

/**
 * Asks a model to phrase searches for the open subtasks; in graphs that do not decompose, the
 * request itself is the only one (Tulip Agent: NaiveTulip). A subtask that the model leaves out
 * is searched for by its own words; one that was searched for before is given up with it.
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
  const { usage } = asked;
  const searches = readSearches(asked.reply);
  if (!searches || (searches.length === 0 && !open.every(wasSearched))) {
    return repairOrEnd({ state, stage: "phraseSearch", problem: UNUSABLE, usage });
  }
  const excess = excessOfPhrases(searches.map(({ phrase }) => phrase));
  if (excess !== undefined) {
    const problem = `Your last reply cannot be searched for: ${excess}.`;
    return repairOrEnd({ state, stage: "phraseSearch", problem, usage });
  }
  const queue = queueSearches(open, searches);
  return {
    subtasks: subtasks.map((subtask) => leftAlone(subtask, { queue, context })),
    queue,
    repair: null,
    usage,
  };
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

type Searches = z.infer<typeof searchArguments>["searches"];

/** The searches of all valid calls; undefined when there is no such call. */
function readSearches(reply: AIMessage): Searches | undefined {
  const calls = (reply.tool_calls ?? []).filter(({ name }) => name === SEARCH_TOOLS.name);
  const valid = calls.flatMap(({ args }) => searchArguments.safeParse(args).data ?? []);
  return valid.length > 0 ? valid.flatMap((one) => one.searches) : undefined;
}

function queueSearches(open: Subtask[], searches: Searches): GraphState["queue"] {
  return open.flatMap((subtask, index) => {
    const phrases = searches
      .filter((search) => search.subtask === index + 1)
      .map(({ phrase }) => phrase.trim());
    const own = wasSearched(subtask) ? [] : [subtask.text];
    const unique = [...new Set(phrases.length > 0 ? phrases : own)];
    return unique.map((phrase) => ({ phrase, subtask: subtask.id }));
  });
}
