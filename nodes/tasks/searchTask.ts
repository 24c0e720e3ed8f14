import { missThreshold, readContext } from "../../state/context.js";
import { addUsage } from "../../state/state.js";
import { changeCurrentTask } from "../../state/taskTree.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { embeddingRefusal } from "../shared/embeddingSpend.js";
import { searchFor, searchLines, textsFor, toolsOf } from "../shared/searchFor.js";
import { stage } from "../shared/stage.js";
import { taskAtWork } from "./taskAtWork.js";

/**
 * Searches with the words of the innermost task (Tulip Agent: DfsTulip). The planner is told the nearest `topK`
 * tools, however far; those within the threshold may solve the task. One search serves both; the published
 * method runs it twice.
 */
export function searchTask() {
  return stage({ ends: true, lines: searchLines }, async (state, config) => {
    const { tree, task } = taskAtWork(state, "searchTask");
    const context = readContext(config, state);
    const refusal = embeddingRefusal({ state, context, texts: textsFor([task.text], context) });
    if (refusal) return refusal;
    const library = await runWorkspace().library(context);
    const { searches, used } = await searchFor(
      { state, context, library },
      {
        queue: [{ phrase: task.text, subtask: task.id, depth: task.level }],
        topK: context.topK,
        threshold: 0,
      },
    );
    const limit = missThreshold(context) || Number.POSITIVE_INFINITY;
    const near = searches.map((search) => ({
      ...search,
      hits: search.hits.filter(({ distance }) => distance < limit),
    }));
    const earlier = state.earlierTools.filter((id) => library.get(id) !== undefined);
    return {
      taskTree: changeCurrentTask(tree, {
        hints: toolsOf(searches).flatMap((id) => library.get(id)?.name ?? []),
        tools: [...new Set([...toolsOf(near), ...earlier])],
      }),
      searches: [...state.searches, ...near],
      usage: addUsage(state.usage, used),
    };
  });
}
