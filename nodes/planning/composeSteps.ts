import { several, counted } from "../../common/text.js";
import { toolLines } from "../../models/chat/toolLines.js";
import { sameName } from "../../plans/steps/nameArguments.js";
import type { PlanStep, PlanReference } from "../../plans/steps/plan.js";
import { readPlan } from "../../plans/steps/readPlan.js";
import {
  referencesIn,
  writeReference,
  partsOf,
  writtenValue,
} from "../../plans/steps/references.js";
import { readSettings } from "../../state/settings.js";
import { freshPlan } from "../../state/plan.js";
import type { ToolRecord } from "../../tools/tool.js";
import { earlierTurnsText } from "../kit/promptTexts.js";
import { needed, type Line, type StageChange, askingStage } from "../kit/stage.js";
import { type Asking, askFor } from "../kit/question.js";
import type { Reading } from "../kit/replyForm.js";
import { type NamedTools, toolView, planTools, demonstrationViews } from "../policy/modelView.js";
import { runBasics } from "../kit/runBasics.js";
import type { OfferedTool, RunBasics, ShownDemonstration } from "../kit/stageInputs.js";
import { offeredTools } from "../policy/offeredTools.js";
import { VALUE_DEFINITIONS, callSchema, strictObject, nameSchema } from "./callSchema.js";
import { plannedCall } from "./checkPlan.js";
import { z } from "zod";
import { MOST_STEPS } from "../../common/bounds.js";
import { UnknownName, oneLine } from "../../common/errors.js";
import { jsonInText, parseJson } from "../../common/jsonInText.js";
import type { Outline } from "../../state/state.js";
import { planDemonstrationsText } from "./planForms.js";

export interface ComposeStepsInput extends RunBasics {
  /** The tasks in order; tools by wire name. */
  tasks: { thought: string; tool: string; task: string }[];
  /** Only the tools of the tasks. */
  tools: OfferedTool[];
}

const FORM =
  '{"calls": [{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]}';

/**
 * Asks for the calls of all tasks of an outline, with only the tools chosen for them ("AI Agent 007", alternate
 * solution: recomposition).
 */
export const composeStepsQuestion: Asking<"composeSteps", ComposeStepsInput> = {
  stage: "composeSteps",
  schema: ({ tools }) => ({
    ...strictObject({ calls: { type: "array", items: callSchema(tools) } }),
    $defs: VALUE_DEFINITIONS,
  }),
  instructions: ({ tools }) => [
    "A request was split into tasks, each one call of a tool. Write these calls, one for each task in order. Nothing has run yet.",
    [
      `Reply with one JSON object and nothing else: ${FORM}`,
      '- "$$PREV[i]" is the result of task i, counted from 0; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Use earlier tasks only, and nest no calls.',
      "- Copy other values from the request and the tasks. Invent none; omit optional arguments that are not needed.",
      '- Write an object as its fields: {"object_fields": [{"field_name": "name", "field_value": value}]}.',
    ].join("\n"),
    `Tools:\n${toolLines(tools)}`,
  ],
  task: ({ request, earlierTurns, tasks }) => [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    ["Tasks:", ...tasks.map(taskLine)].join("\n"),
  ],
  byRules: async (input) =>
    (await import("../../models/offline/plans.js")).replyToComposeSteps(input),
};

/** Asks for the call of the last task alone. */
const composeStepQuestion: Asking<"composeSteps", ComposeStepsInput> = {
  ...composeStepsQuestion,
  instructions: (input) => [
    "A request was split into tasks, each one call of a tool. Write the call of the last task below, and no other. Nothing has run yet.",
    ...composeStepsQuestion.instructions(input).slice(1),
  ],
};

function taskLine({ thought, tool, task }: ComposeStepsInput["tasks"][number], at: number): string {
  return `${at}. (${tool}) ${task}${thought ? ` [${thought}]` : ""}`;
}

/**
 * Asks a model for the calls of all tasks of the outline in one reply, showing only their tools ("AI Agent
 * 007", alternate solution). The reply must have one call per task, with the task's tool, and refer only to earlier
 * tasks; `checkPlan` fixes the rest.
 *
 * @param options.each asks for the next task's call alone, with its tool and the tasks before it, as the appendix of the
 * report prints it
 * @default false
 */
export function composeSteps({ each = false }: { each?: boolean } = {}) {
  return askingStage({ lines }, async (state, config) => {
    const plan = needed(state.plan, { stage: "composeSteps", what: "a plan" });
    const done = each ? plan.steps : [];
    const outline = each ? state.outline.slice(0, done.length + 1) : state.outline;
    const settings = readSettings(config);
    const { offered } = await offeredTools(state, settings);
    const entries = outline.map(({ tool }) =>
      needed(
        [...offered].find(([, { id }]) => id === tool),
        { stage: "composeSteps", what: "the tools of the tasks" },
      ),
    );
    const tools = new Map(entries.slice(done.length));
    const input: ComposeStepsInput = {
      ...runBasics(state, settings),
      tasks: outline.map((task, at) => ({ ...task, tool: entries[at]?.[0] ?? task.tool })),
      tools: [...tools].map(toolView),
    };
    const answer = await askFor(
      {
        ...(each ? composeStepQuestion : composeStepsQuestion),
        read: ({ text }) => readCalls({ text, tasks: entries, tools, done }),
      },
      { state, settings, config, input },
    );
    if ("end" in answer) return answer.end;
    const { steps, repairs } = answer.value;
    const read = { plan: { ...plan, steps }, repairs: [...(each ? plan.repairs : []), ...repairs] };
    return { plan: freshPlan(read), ...answer.asked };
  });
}

const AGAIN = `Reply with one call for each task, in order: ${FORM}`;

/** The calls in a reply, one per task, or what to tell the model. */
function readCalls(options: {
  text: string;
  /** The tool of each task. */
  tasks: readonly [string, ToolRecord][];
  tools: NamedTools;
  /** The calls of the first tasks, which the reply does not repeat. */
  done: readonly PlanStep[];
}): Reading<{ steps: PlanStep[]; repairs: string[] }> {
  const { text, tasks, tools, done } = options;
  const { plan, issues, repairs } = readPlan(text, planTools(tools));
  const steps = [...done, ...plan.steps];
  if (issues.length > 0 || steps.length !== tasks.length) {
    const said =
      issues.map(({ problem }) => problem).join("; ") ||
      `it has ${several(steps.length, "call")} for ${several(tasks.length, "task")}`;
    return { problem: `Your last reply was not one call for each task: ${said}. ${AGAIN}` };
  }
  const problems = tasks.flatMap((tool, at) => wrongCall(steps[at], at, tool) ?? []);
  if (problems.length > 0)
    return { problem: `In your last reply ${problems.join("; ")}. ${AGAIN}` };
  return {
    value: {
      steps: tasks.map(([, { id }], at) => ({ tool: id, args: steps[at]?.args ?? {} })),
      repairs,
    },
  };
}

/** What is wrong with a task's call apart from its arguments, if anything. */
function wrongCall(step: PlanStep | undefined, at: number, tool: [string, ToolRecord]) {
  const [name, { id }] = tool;
  if (!step) return undefined;
  if (step.tool !== id && sameName(step.tool, [name]) === undefined)
    return `call ${at} is a call of ${step.tool}, but its task is done by ${name}`;
  const wrong = referencesIn(step.args).find(({ $prev }) => $prev >= at);
  return wrong && `call ${at} refers to ${writeReference(wrong)}, but ${usable(at)}`;
}

function usable(at: number): string {
  if (at === 0) return "nothing comes before it";
  return at === 1
    ? "only $$PREV[0] comes before it"
    : `only $$PREV[0] to $$PREV[${at - 1}] come before it`;
}

function lines({ change: { plan } }: StageChange): Line[] {
  return (plan?.steps ?? []).map(({ tool, args }, at) => [
    `${at}. `,
    ...plannedCall({ tool, args: Object(writtenValue(args)) }),
  ]);
}

export interface OutlineInput extends RunBasics {
  tools: OfferedTool[];
  demonstrations: ShownDemonstration[];
}

/** Replaces the tool of a task that needs none ("AI Agent 007"). */
const NO_TOOL = "no_tool";

const FORMWriteOutline = '{"tasks": [{"thought": "...", "tool_name": "...", "task": "..."}]}';

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
      `Reply with one JSON object and nothing else: ${FORMWriteOutline}`,
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
  return askingStage({ lines: linesOfWriteOutline }, async (state, config) => {
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
    const problem = `Your last reply was not a JSON object of the form ${FORMWriteOutline}. Reply with that alone.`;
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

function linesOfWriteOutline({ change: { outline = [] } }: StageChange): Line[] {
  if (outline.length === 0) return ["plans no task"];
  return outline.map(({ tool, task }, at) => `${at}. ${oneLine(task)} → ${tool}`);
}
