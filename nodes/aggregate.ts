import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../models/reply.js";
import { aggregatePrompt } from "../prompts/aggregate.js";
import { readContext } from "../state/context.js";
import type { TaskResult } from "../prompts/stages.js";
import type { GraphState, StateUpdate } from "../state/state.js";
import { changeCurrentTask, currentTask, plannedTasks } from "../state/taskTree.js";
import type { Task } from "../state/tasks.js";
import { askModel } from "./askModel.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { situation } from "./situation.js";

/** Some models write the truth values of JSON as texts. */
const aggregateReply = z.object({
  result: z.string().trim(),
  solved: z.union([z.boolean(), z.stringbool()]).default(true),
});

const UNUSABLE =
  'Your last reply was no JSON object with the keys "result", a text, and "solved", true or false. Reply with that alone.';

/**
 * Asks a model for the result of the innermost task from those of its parts (Tulip Agent: DfsTulip). No
 * result is none, whatever the model says; in the reference it counted as success. Where the model's replies cannot be
 * used, the results of the parts are the result.
 */
export async function aggregate(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { taskTree } = state;
  const task = currentTask(taskTree);
  // Routers lead here with a task only.
  if (!taskTree || !task) return {};
  const context = readContext(config);
  const parts = plannedTasks(taskTree, task).map(({ text, result }) => ({ task: text, result }));
  const prompt = aggregatePrompt(
    { ...situation({ state, context }), task: task.text, results: parts },
    problemAt(state, "aggregate"),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const { data } = aggregateReply.safeParse(jsonObject(reply.text));
  if (!data) {
    const instead = { taskTree: changeCurrentTask(taskTree, resultOfParts(parts)) };
    return repairOrEnd({ state, stage: "aggregate", problem: UNUSABLE, reply, usage, instead });
  }
  const { result, solved } = data;
  const status = solved && result ? ("done" as const) : ("failed" as const);
  return { taskTree: changeCurrentTask(taskTree, { status, result }), repair: null, usage };
}

function resultOfParts(parts: readonly TaskResult[]): Pick<Task, "status" | "result"> {
  const lines = parts
    .filter(({ result }) => result)
    .map(({ task, result }) => `${task}: ${result}`);
  return { status: lines.length > 0 ? "done" : "failed", result: lines.join("\n") };
}
