import { type Settings, MOST_PARAPHRASES } from "../../state/settings.js";
import { type GraphState, type StateUpdate, type Subtask, openSubtask } from "../../state/state.js";

/**
 * Searches for what a plan lacks. What it still lacks although something was found is a miss: it is reworded,
 * and given up after enough attempts. Each plan takes this a level deeper, so it ends.
 */
export function searchesFor(options: {
  state: Pick<GraphState, "subtasks">;
  settings: Settings;
  lacking: readonly string[];
}): Required<Pick<StateUpdate, "subtasks" | "queue">> {
  const { state, settings, lacking } = options;
  const { subtasks } = state;
  const depth = Math.max(-1, ...subtasks.map((subtask) => subtask.depth)) + 1;
  const known = new Set(subtasks.map(({ text }) => text));
  const fresh = (depth > settings.maxDepth ? [] : lacking)
    .filter((text) => !known.has(text))
    .map((text, at) => openSubtask({ id: `${subtasks.length + at + 1}`, text, depth }));
  const looked = subtasks.map((subtask) =>
    subtask.status === "found" && lacking.includes(subtask.text) ? unfitlyFound(subtask) : subtask,
  );
  return {
    subtasks: [...looked, ...fresh],
    queue: fresh.map(({ id, text }) => ({ phrase: text, subtask: id })),
  };
}

function unfitlyFound(subtask: Subtask): Subtask {
  if (subtask.depth < MOST_PARAPHRASES) return { ...subtask, status: "missed" };
  return { ...subtask, status: "unserved", reason: "what was found for it does not serve" };
}
