import { z } from "zod";
import { MOST_STEPS } from "../../common/bounds.js";
import { counted } from "../../common/text.js";
import { UnknownName, oneLine } from "../../common/errors.js";
import { toolLines } from "../../models/chat/toolLines.js";
import { jsonInText, parseJson } from "../../common/jsonInText.js";
import { sameName } from "../../plans/steps/nameArguments.js";
import type { PlanReference } from "../../plans/steps/plan.js";
import { partsOf, writeReference } from "../../plans/steps/references.js";
import { readSettings } from "../../state/settings.js";
import { freshPlan } from "../../state/plan.js";
import type { Outline } from "../../state/state.js";
import { earlierTurnsText } from "../kit/promptTexts.js";
import { type Asking, askFor } from "../kit/question.js";
import type { Reading } from "../kit/replyForm.js";
import { type NamedTools, demonstrationViews, toolView } from "../policy/modelView.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import type { OfferedTool, ShownDemonstration, RunBasics } from "../kit/stageInputs.js";
import { offeredTools } from "../policy/offeredTools.js";
import { nameSchema, strictObject } from "./callSchema.js";
import { planDemonstrationsText } from "./planForms.js";

export interface OutlineInput extends RunBasics {
  tools: OfferedTool[];
  demonstrations: ShownDemonstration[];
}

/** Replaces the tool of a task that needs none ("AI Agent 007"). */
const NO_TOOL = "no_tool";

const FORM = '{"tasks": [{"thought": "...", "tool_name": "...", "task": "..."}]}';

/**
 * Asks for the tasks of a request in their order, each with a thought and the tool that does it ("AI Agent
 * 007", alternate solution: decomposition).
 */
export const outlineQuestion: Asking<"outline", OutlineInput> = {
  stage: "outline",
  schema: ({ tools }) =>
    strictObject({
      tasks: {
        type: "array",
        items: strictObject({
          thought: { type: "string", description: "Why this is needed now" },
          tool_name: nameSchema([...tools.map(({ name }) => name), NO_TOOL]),
          task: { type: "string", description: "What the call has to do" },
        }),
      },
    }),
  instructions: ({ tools, demonstrations }) => [
    "Split a request into tasks, each one call of one tool. The calls are written later from these tasks alone.",
    [
      `Reply with one JSON object and nothing else: ${FORM}`,
      "- thought: one sentence on why. task: what the call does, with every value that it needs from the request.",
      `- tool_name: a tool below, or "${NO_TOOL}" for a task without one; other tasks cannot refer to it.`,
      "- $$PREV[i] is the result of task i, counted from 0; $$PREV[i].field is part of it.",
      "- Make the fewest tasks. Leave out what the tools cannot do, even if nothing is left.",
    ].join("\n"),
    [
      "Example, with other tools, for: Tell my boss that it rains",
      '{"tasks": [{"thought": "My boss is found by my id.", "tool_name": "current_user", "task": "Find the current user"}, {"thought": "The boss gets the message.", "tool_name": "manager_of", "task": "Find the manager of $$PREV[0].id"}, {"thought": "All is known.", "tool_name": "send_message", "task": "Send “it rains” to $$PREV[1]"}]}',
    ].join("\n"),
    `Tools:\n${toolLines(tools)}`,
    planDemonstrationsText(demonstrations, { style: "stateAction" }),
  ],
  task: ({ request, earlierTurns }) => [earlierTurnsText(earlierTurns), `Request: ${request}`],
  byRules: async (input) => (await import("../../models/offline/plans.js")).replyToOutline(input),
};

/**
 * Asks a model for the tasks of the request, each with its tool ("AI Agent 007", alternate solution). They start the
 * plan whose calls `composeSteps` writes. Tasks that need no tool are dropped; without tasks the plan is empty.
 */
export function writeOutline() {
  return askingStage({ lines }, async (state, config) => {
    const settings = readSettings(config);
    const { offered } = await offeredTools(state, settings);
    const input: OutlineInput = {
      ...runBasics(state, settings),
      tools: [...offered].map(toolView),
      demonstrations: demonstrationViews(state, offered),
    };
    const answer = await askFor(
      { ...outlineQuestion, read: ({ text }) => readOutline(text, offered) },
      { state, settings, config, input },
    );
    if ("end" in answer) return answer.end;
    const plan = freshPlan({ plan: { steps: [], answer: "" }, repairs: [] });
    return { outline: answer.value, plan, ...answer.asked };
  });
}

/** For a task without a tool, models write null or nothing. */
const taskReply = z.object({
  thought: z.string().default(""),
  tool_name: z.string().nullish(),
  task: z.string(),
});

/** The tasks as requested, or as a bare list. */
const outlineReply = z.union([z.object({ tasks: z.array(taskReply) }), z.array(taskReply)]);

/** The tasks with the ids of their tools. */
function readOutline(text: string, offered: NamedTools): Reading<Outline> {
  const candidates = [parseJson(text), ...jsonInText(text).values.toReversed()];
  const found = candidates
    .map((value) => outlineReply.safeParse(value))
    .find(({ success }) => success);
  if (!found?.data) {
    const problem = `Your last reply was not a JSON object of the form ${FORM}. Reply with that alone.`;
    return { problem };
  }
  const tasks = Array.isArray(found.data) ? found.data : found.data.tasks;
  if (tasks.length > MOST_STEPS) {
    const problem = `Your last reply had ${counted(tasks.length)} tasks, and a plan has at most ${MOST_STEPS}. Reply with fewer.`;
    return { problem };
  }
  const outline: Outline = [];
  for (const { thought, tool_name: name, task } of tasks) {
    const tool = toolNamed(name ?? NO_TOOL, offered);
    if (tool === undefined) return { problem: unknownTool(name ?? NO_TOOL, offered) };
    outline.push({ thought, tool, task });
  }
  const problem = wrongReference(outline);
  return problem ? { problem } : { value: withTools(outline) };
}

/** The tasks that need a call, renumbered; none refers to a dropped one. */
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

/** What to tell the model about a task that uses something no earlier task provides. */
function wrongReference(outline: Outline): string | undefined {
  for (const [at, { task }] of outline.entries()) {
    const parts = partsOf(task).filter((part) => typeof part !== "string");
    const wrong = parts.find(({ $prev }) => $prev >= at || !outline[$prev]?.tool);
    if (!wrong) continue;
    const why = wrong.$prev >= at ? "does not come earlier" : "has no tool and no result";
    return `In your last reply task ${at}, “${task}”, refers to ${writeReference(wrong)}, but task ${wrong.$prev} ${why}. Refer only to earlier tasks that have a tool. Reply with all tasks.`;
  }
  return undefined;
}

/** Id of the tool; empty for none, undefined if there is no such tool. */
function toolNamed(wanted: string, offered: NamedTools): string | undefined {
  const meant = sameName(wanted || NO_TOOL, [...offered.keys(), NO_TOOL]);
  return meant === NO_TOOL ? "" : offered.get(meant ?? "")?.id;
}

function unknownTool(wanted: string, offered: NamedTools): string {
  const available = [...offered.keys(), NO_TOOL];
  return `Your last reply names a tool that does not exist: ${new UnknownName({ kind: "tool", wanted, available }).message}. Reply with all tasks.`;
}

function lines({ change: { outline = [] } }: StageChange): Line[] {
  if (outline.length === 0) return ["plans no task"];
  return outline.map(({ tool, task }, at) => `${at}. ${oneLine(task)} → ${tool}`);
}
