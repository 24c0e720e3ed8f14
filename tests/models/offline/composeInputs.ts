import { replyToCompose } from "../../../models/offline/composing.js";
import type { Reply } from "../../../models/prompt.js";
import { answerText } from "../../../plans/answerText.js";
import { verifyPlan } from "../../../plans/verifyPlan.js";
import { fillArguments } from "../../../plans/fillArguments.js";
import type { CheckedPlan, PlanTool } from "../../../plans/plan.js";
import { readPlan } from "../../../plans/readPlan.js";
import type { ComposeInput } from "../../../nodes/planning/compose.js";
import type { OfferedTool } from "../../../nodes/shared/stageInputs.js";
import type { ParametersSchema } from "../../../tools/tool.js";
import type { TestTool } from "./libraries.js";

/** A tool for tests that also says what it returns. */
export interface TypedTool extends TestTool {
  returns: Record<string, unknown>;
}

/** Tools that all return a number. */
export function numeric(tools: readonly TestTool[]): TypedTool[] {
  return tools.map((tool) => ({ ...tool, returns: { type: "number" } }));
}

/** What a model is shown of a tool, its return type included. */
function offered({ name, description, parameters, returns }: TestTool): OfferedTool {
  return { name, description, parameters, ...(returns ? { returns } : {}) };
}

/** A question for a plan, with nothing known except the request and the tools. */
export function composing(options: {
  request: string;
  tools: readonly TestTool[];
  more?: Partial<ComposeInput>;
}): ComposeInput {
  const { request, tools, more } = options;
  return {
    style: "typed",
    request,
    tools: tools.map(offered),
    demonstrations: [],
    earlierTurns: [],
    ...more,
  };
}

/** A reply of the planner as text. */
export async function textOf(reply: Promise<Reply>): Promise<string> {
  const said = await reply;
  return "text" in said ? said.text : "";
}

/** A test tool as plans are checked with it. */
export function planTool({ name, parameters, returns }: TestTool): PlanTool {
  return {
    id: name,
    parameters: parameters as ParametersSchema,
    ...(returns ? { returns } : {}),
    effects: "read",
  };
}

/** The plan for a request, read and checked as graphs do it. */
export async function planFor(options: {
  request: string;
  tools: readonly TestTool[];
  more?: Partial<ComposeInput>;
}): Promise<CheckedPlan> {
  const tools = options.tools.map(planTool);
  const { plan } = readPlan(await textOf(replyToCompose(composing(options))), tools);
  return verifyPlan({ plan, tools });
}

/** Carries a plan out and fills in its answer. */
export function followed(plan: CheckedPlan["plan"], tools: readonly TestTool[]): string {
  const outputs: Record<number, unknown> = {};
  for (const [step, { tool, args }] of plan.steps.entries()) {
    const filled = fillArguments({ step, args, outputs });
    if ("issue" in filled) throw new Error(filled.issue.problem);
    outputs[step] = tools.find(({ name }) => name === tool)?.run(filled.args);
  }
  const answer = answerText({ plan, outputs });
  return "text" in answer ? answer.text : answer.issue.problem;
}
