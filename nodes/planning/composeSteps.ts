import { several } from "../../common/text.js";
import { toolLines } from "../../models/chat/toolLines.js";
import { sameName } from "../../plans/steps/nameArguments.js";
import type { PlanStep } from "../../plans/steps/plan.js";
import { readPlan } from "../../plans/steps/readPlan.js";
import { referencesIn, writeReference, writtenValue } from "../../plans/steps/references.js";
import { readSettings } from "../../state/settings.js";
import { freshPlan } from "../../state/plan.js";
import type { ToolRecord } from "../../tools/tool.js";
import { earlierTurnsText } from "../kit/promptTexts.js";
import { needed, type Line, type StageChange, askingStage } from "../kit/stage.js";
import { type Asking, askFor } from "../kit/question.js";
import type { Reading } from "../kit/replyForm.js";
import { type NamedTools, toolView, planTools } from "../policy/modelView.js";
import { runBasics } from "../kit/runBasics.js";
import type { OfferedTool, RunBasics } from "../kit/stageInputs.js";
import { offeredTools } from "../policy/offeredTools.js";
import { VALUE_DEFINITIONS, callSchema, strictObject } from "./callSchema.js";
import { plannedCall } from "./checkPlan.js";

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
