import { readSettings, MOST_PARAPHRASES } from "../../state/settings.js";
import {
  type GraphState,
  type StateUpdate,
  type Subtask,
  leafSubtasks,
} from "../../state/state.js";
import { type Line, type StageChange, stage } from "../kit/stage.js";
import { nothingFound } from "./search.js";

/**
 * Marks missed subtasks for another attempt, or gives them up with the reason. Only library tools count as found: the
 * reference counted control tools too, so it never recursed. If nothing at all was found, the run ends.
 *
 * @param options.by `splitting`: the next `decompose` focuses on one of them (CotTulip) · `paraphrasing`: all are
 *   searched for again in other words (NaiveTulip)
 * @param options.sparing at most {@link MOST_PARAPHRASES} times: a plan can do without what is not found
 */
export function recurse({
  by,
  sparing = false,
}: {
  by: "splitting" | "paraphrasing";
  sparing?: boolean;
}) {
  return stage({ ends: true, lines }, (state, config) => {
    const { maxDepth } = readSettings(config);
    const deepest = sparing ? Math.min(maxDepth, MOST_PARAPHRASES) : maxDepth;
    const missed = state.subtasks.filter(({ status }) => status === "missed");
    const deeper = missed.filter(({ depth }) => depth < deepest);
    const [next] = deeper;
    if (!next) return giveUp(state, missed);
    return by === "splitting" ? { focus: next.id } : reopen(state, deeper);
  });
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

function lines({ change: { focus } }: StageChange): Line[] {
  return [focus ? `splitting subtask ${focus}` : "continuing"];
}
