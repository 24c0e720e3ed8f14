import { readSettings } from "../../state/settings.js";
import { addUsage } from "../../state/state.js";
import { changeCurrentTask } from "../../state/taskTree.js";
import { runWorkspace } from "../../home/workspace.js";
import {
  embeddingRefusal,
  searchFor,
  searchLines,
  textsFor,
  toolsOf,
} from "../policy/searchFor.js";
import { stage } from "../kit/stage.js";
import { taskAtWork } from "./taskAtWork.js";

/**
 * Searches with the words of the innermost task (Tulip Agent: DfsTulip). The planner is told the nearest `topK` tools,
 * however far; those near enough may solve the task. One search serves both; the published method runs it twice.
 */
export function searchTask() {
  return stage({ ends: true, lines: searchLines }, async (state, config) => {
    const { tree, task } = taskAtWork(state, "searchTask");
    const settings = readSettings(config, state);
    const refusal = embeddingRefusal(state, settings, textsFor([task.text]));
    if (refusal) return refusal;
    const library = await runWorkspace().library(settings);
    const queue = [{ phrase: task.text, subtask: task.id, depth: task.level }];
    const { searches, missed, used } = await searchFor(
      { state, settings, library },
      { queue, purpose: "phrase" },
    );
    const found = toolsOf(searches);
    const earlier = state.earlierTools.filter((id) => library.get(id) !== undefined);
    return {
      taskTree: changeCurrentTask(tree, {
        hints: [...found, ...missed]
          .slice(0, settings.topK)
          .flatMap((id) => library.get(id)?.name ?? []),
        tools: [...new Set([...found, ...earlier])],
      }),
      searches: [...state.searches, ...searches],
      usage: addUsage(state.usage, used),
    };
  });
}
