import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { jsonObject } from "../models/reply.js";
import { aggregatePrompt } from "../prompts/aggregate.js";
import type { TaskResult } from "../prompts/stages.js";
import { readContext } from "../state/context.js";
import type { GraphState, StateUpdate } from "../state/state.js";
import { changeCurrentTask, currentTask, plannedTasks } from "../state/taskTree.js";
import type { Task } from "../state/tasks.js";
import { askModel } from "./askModel.js";
import { doubtsAbout, doubtsText } from "./grounded.js";
import { knownTo } from "./known.js";
import { problemAt, repairOrEnd } from "./repair.js";
import { situation } from "./situation.js";

/** Some models write the truth values of JSON as texts. */
const aggregateReply = z.object({
  result: z.string().trim(),
  solved: z.union([z.boolean(), z.stringbool()]).default(true),
});

const UNUSABLE =
  'Your last reply was no JSON object with the keys "result", a text, and "solved", true or false. Reply with that alone.';

/** Under this name a result is asked for again, so that it is asked for again once. */
const UNGROUNDED = "aggregated values";

/**
 * Asks a model for the result of the innermost task from those of its parts (Tulip Agent: DfsTulip). No
 * result is none, whatever the model says; in the reference it counted as success. Where the model's replies cannot be
 * used, or a result holds values from nowhere though the model was told, the results of the parts are the result.
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
    problemAt(state, "aggregate") ?? problemAt(state, UNGROUNDED),
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
  const doubts = doubtsAbout(result, knownTo({ state, context }));
  if (doubts.length > 0 && state.repair?.stage !== UNGROUNDED) {
    const problem = doubtsText(doubts, "Leave out what they do not give.");
    return repairOrEnd({ state, stage: UNGROUNDED, problem, reply, usage });
  }
  const told = doubts.length > 0 ? resultOfParts(parts).result : result;
  const status = solved && told ? ("done" as const) : ("failed" as const);
  const update = { status, result: told };
  return { taskTree: changeCurrentTask(taskTree, update), repair: null, usage };
}

function resultOfParts(parts: readonly TaskResult[]): Pick<Task, "status" | "result"> {
  const lines = parts
    .filter(({ result }) => result)
    .map(({ task, result }) => `${task}: ${result}`);
  return { status: lines.length > 0 ? "done" : "failed", result: lines.join("\n") };
}
