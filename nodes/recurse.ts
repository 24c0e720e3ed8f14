import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { readContext } from "../state/context.js";
import {
  type GraphState,
  type StateUpdate,
  type Subtask,
  changeSubtask,
  leafSubtasks,
} from "../state/state.js";
import { nothingFound } from "./search.js";

/**
 * Takes one missed subtask a level down, or gives the missed ones up, with the reason, when none may
 * go deeper. Misses are judged on the library's hits alone: in the reference, control tools counted
 * as hits, so that this never happened. When nothing at all was found, the run ends.
 *
 * @param options.by `splitting`: the subtask gets the focus of the next `decompose` (CotTulip) ·
 * `paraphrasing`: it is searched for once more in other words (NaiveTulip)
 */
export function recurse({ by }: { by: "splitting" | "paraphrasing" }) {
  return function recurse(state: GraphState, config: LangGraphRunnableConfig): StateUpdate {
    const { maxDepth } = readContext(config);
    const missed = state.subtasks.filter(({ status }) => status === "missed");
    const next = missed.find(({ depth }) => depth < maxDepth);
    if (!next) return giveUp(state, missed);
    if (by === "splitting") return { focus: next.id };
    const change = { status: "open", depth: next.depth + 1 } as const;
    return { subtasks: changeSubtask(state.subtasks, next.id, change) };
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
