import type { ToolCall } from "@langchain/core/messages/tool";
import { z } from "zod";
import { runWorkspace } from "../../workspace/workspace.js";
import { readContext } from "../../state/context.js";
import { openCallsOf } from "../../state/controls.js";
import { type Search, addUsage } from "../../state/state.js";
import { SEARCH_LIBRARY } from "../../tools/control.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { embeddingRefusal } from "../shared/embeddingSpend.js";
import { excessOfPhrases } from "../shared/excess.js";
import { nearestText, searchFor, searchLines, toolsOf } from "../shared/searchFor.js";
import { stage } from "../shared/stage.js";
import { toolAnswer } from "../shared/toolAnswer.js";

const searchArguments = z.object({
  action_descriptions: z.array(z.string().trim().min(1)).min(1),
});

/**
 * Answers the model's own calls of `search_tools`: the tools found are on offer from the next step (Tulip
 * Agent: AutoTulip). Control tools are not hits, so the model learns when nothing was found; in the reference
 * it never did.
 */
export function searchCalls() {
  return stage({ ends: true, lines: searchLines }, async (state, config) => {
    const context = readContext(config, state);
    const asked = openCallsOf(state, SEARCH_LIBRARY).map((call) => ({
      call,
      phrases: searchArguments.safeParse(call.args).data?.action_descriptions,
    }));
    const texts = asked.flatMap(({ phrases = [] }) => phrases);
    const excess = excessOfPhrases(texts);
    if (excess !== undefined) {
      return {
        messages: asked.map(({ call }) => toolAnswer(call, { text: excess, failed: true })),
      };
    }
    const refusal = embeddingRefusal({ state, context, texts });
    if (refusal) return refusal;
    const library = await runWorkspace().library(context);
    const { searches, used } = await searchFor(
      { state, context, library },
      {
        queue: texts.map((phrase) => ({ phrase, depth: 0 })),
        topK: context.topK,
        threshold: context.threshold,
        keepShare: context.keepShare,
      },
    );
    return {
      messages: asked.map(({ call, phrases }) => answer({ call, phrases, searches, library })),
      searches: [...state.searches, ...searches],
      toolIds: [...new Set([...state.toolIds, ...toolsOf(searches)])],
      usage: addUsage(state.usage, used),
    };
  });
}

function answer(options: {
  call: ToolCall;
  phrases: string[] | undefined;
  searches: Search[];
  library: ToolLibrary;
}) {
  const { call, phrases, searches, library } = options;
  if (!phrases) {
    const text = `${call.name} needs action_descriptions, a list of texts that are not empty.`;
    return toolAnswer(call, { text, failed: true });
  }
  const text = phrases.map((phrase) => {
    const { hits = [], nearest } = searches.find((search) => search.phrase === phrase) ?? {};
    const found = hits.map(({ tool }) => library.get(tool)?.name ?? tool).join(", ");
    return `${phrase}: ${found || [NOTHING, ...(nearest ? [`(${nearestText(nearest)})`] : [])].join(" ")}`;
  });
  return toolAnswer(call, { text: text.join("\n") });
}

const NOTHING =
  "nothing was found. Search again in other, more general words, or split the task; if that does not help, create a tool.";
