import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { MOST_STEPS, counted } from "../../common/bounds.js";
import { UnknownName } from "../../common/errors.js";
import { jsonInText, parseJson } from "../../plans/jsonInText.js";
import { sameName } from "../../plans/names.js";
import type { PlanReference } from "../../plans/plan.js";
import { partsOf, writeReference } from "../../plans/references.js";
import { NO_TOOL, outlinePrompt } from "./outlinePrompt.js";
import { readContext } from "../../state/context.js";
import { freshPlan } from "../../state/plan.js";
import type { GraphState, Outline, StateUpdate } from "../../state/state.js";
import { askModel } from "../shared/askModel.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { type NamedTools, shownDemonstrations, shownTool } from "../shared/shown.js";
import { situation } from "../shared/situation.js";
import { toolsAtHand } from "../shared/toolsAtHand.js";

/** Models write null, or nothing, for a task without a tool. */
const taskReply = z.object({
  thought: z.string().default(""),
  tool_name: z.string().nullish(),
  task: z.string(),
});

/** The tasks as they are asked for, or as a bare list. */
const outlineReply = z.union([z.object({ tasks: z.array(taskReply) }), z.array(taskReply)]);

const UNUSABLE =
  'Your last reply was no JSON object with the key "tasks" and a list of tasks, each with "thought", "tool_name" and "task". Reply with that alone.';

/**
 * Asks a model for the tasks of the request, each with its tool ("AI Agent 007", alternate solution). With
 * them the plan is begun, whose calls `composeSteps` writes; tasks that need no tool go, and no task at all is
 * an empty plan.
 */
export async function writeOutline(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const context = readContext(config);
  const { offered } = await toolsAtHand({ state, context });
  const prompt = outlinePrompt(
    {
      ...situation({ state, context }),
      tools: [...offered].map(shownTool),
      demonstrations: shownDemonstrations(state, offered),
    },
    problemAt(state, "outline"),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const outline = readOutline(reply.text, offered);
  if (typeof outline === "string") {
    return repairOrEnd({ state, stage: "outline", problem: outline, reply, usage });
  }
  const plan = freshPlan({ plan: { steps: [], answer: "", lacking: [] }, repairs: [] });
  return { outline, plan, repair: null, usage };
}

/** The tasks with the ids of their tools, or what the model is to be told. */
function readOutline(text: string, offered: NamedTools): Outline | string {
  const candidates = [parseJson(text), ...jsonInText(text).values.toReversed()];
  const found = candidates
    .map((value) => outlineReply.safeParse(value))
    .find(({ success }) => success);
  if (!found?.data) return UNUSABLE;
  const tasks = Array.isArray(found.data) ? found.data : found.data.tasks;
  if (tasks.length > MOST_STEPS) return tooManyTasks(tasks.length);
  const outline: Outline = [];
  for (const { thought, tool_name: name, task } of tasks) {
    const tool = toolNamed(name ?? NO_TOOL, offered);
    if (tool === undefined) return unknownTool(name ?? NO_TOOL, offered);
    outline.push({ thought, tool, task });
  }
  return wrongReference(outline) ?? withTools(outline);
}

/** The tasks that take a call, counted anew; no other refers to one that takes none. */
function withTools(outline: Outline): Outline {
  const kept = [...outline.entries()].filter(([, { tool }]) => tool !== "");
  const places = new Map(kept.map(([at], place) => [at, place]));
  const renumbered = (part: string | PlanReference) =>
    typeof part === "string"
      ? part
      : writeReference({ ...part, $prev: places.get(part.$prev) ?? part.$prev });
  return kept.map(([, { task, ...rest }]) => ({
    ...rest,
    task: partsOf(task).map(renumbered).join(""),
  }));
}

/** What the model is told of a task that builds on what no task before it gives. */
function wrongReference(outline: Outline): string | undefined {
  for (const [at, { task }] of outline.entries()) {
    const parts = partsOf(task).filter((part) => typeof part !== "string");
    const wrong = parts.find(({ $prev }) => $prev >= at || !outline[$prev]?.tool);
    if (!wrong) continue;
    const why = wrong.$prev >= at ? "gives nothing before it" : "has no tool, and gives nothing";
    return `In your last reply task ${at}, “${task}”, refers to ${writeReference(wrong)}, and task ${wrong.$prev} ${why}. Refer only to earlier tasks that have a tool. Reply with all tasks.`;
  }
  return undefined;
}

function tooManyTasks(count: number): string {
  return `Your last reply had ${counted(count)} tasks, and a plan has at most ${MOST_STEPS}. Reply with fewer.`;
}

/** Id of the tool; empty for none, undefined where there is no such tool. */
function toolNamed(wanted: string, offered: NamedTools): string | undefined {
  const meant = sameName(wanted || NO_TOOL, [...offered.keys(), NO_TOOL]);
  return meant === NO_TOOL ? "" : offered.get(meant ?? "")?.id;
}

function unknownTool(wanted: string, offered: NamedTools): string {
  const available = [...offered.keys(), NO_TOOL];
  return `Your last reply names a tool that is not there: ${new UnknownName({ kind: "tool", wanted, available }).message}. Reply with all tasks.`;
}
