import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { readContext } from "../../state/context.js";
import {
  type GraphState,
  type StateUpdate,
  type Subtask,
  leafSubtasks,
} from "../../state/state.js";
import { nothingFound } from "./search.js";

/**
 * Takes missed subtasks a level down, or gives them up, with the reason, when none may
 * go deeper. Misses are judged on the library's hits alone: in the reference, control tools counted
 * as hits, so that this never happened. When nothing at all was found, the run ends.
 *
 * @param options.by `splitting`: one of them gets the focus of the next `decompose` (CotTulip) ·
 * `paraphrasing`: all are searched for once more in other words (NaiveTulip)
 * @param options.sparing no more often than `maxParaphrases` says either: a plan stands without what is not found
 */
export function recurse({
  by,
  sparing = false,
}: {
  by: "splitting" | "paraphrasing";
  sparing?: boolean;
}) {
  return function recurse(state: GraphState, config: LangGraphRunnableConfig): StateUpdate {
    const { maxDepth, maxParaphrases } = readContext(config);
    const deepest = sparing ? Math.min(maxDepth, maxParaphrases) : maxDepth;
    const missed = state.subtasks.filter(({ status }) => status === "missed");
    const deeper = missed.filter(({ depth }) => depth < deepest);
    const [next] = deeper;
    if (!next) return giveUp(state, missed);
    return by === "splitting" ? { focus: next.id } : reopen(state, deeper);
  };
}

function reopen({ subtasks }: GraphState, missed: Subtask[]): StateUpdate {
  return {
    subtasks: subtasks.map((subtask) =>
      missed.includes(subtask)
        ? { ...subtask, status: "open" as const, depth: subtask.depth + 1 }
        : subtask,
    ),
  };
}

function giveUp(state: GraphState, missed: Subtask[]): StateUpdate {
  const subtasks = state.subtasks.map((subtask) =>
    missed.includes(subtask)
      ? { ...subtask, status: "unserved" as const, reason: "no tool was found for it" }
      : subtask,
  );
  if (state.toolIds.length > 0) return { subtasks };
  return { subtasks, ...nothingFound(leafSubtasks(subtasks).map(({ text }) => text)) };
}
