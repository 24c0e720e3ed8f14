import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { sameName } from "../../plans/names.js";
import type { PlanStep } from "../../plans/plan.js";
import { referencesIn, writeReference } from "../../plans/references.js";
import { readPlan } from "../../plans/readPlan.js";
import { composeStepsPrompt } from "./composeStepsPrompt.js";
import { readContext } from "../../state/context.js";
import { freshPlan } from "../../state/plan.js";
import type { GraphState, Outline, StateUpdate } from "../../state/state.js";
import type { ToolRecord } from "../../tools/tool.js";
import { askModel } from "../shared/askModel.js";
import { planTools } from "./planTools.js";
import { withPlainObjects } from "./readComposed.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { type NamedTools, shownTool } from "../shared/shown.js";
import { situation } from "../shared/situation.js";
import { toolsAtHand } from "../shared/toolsAtHand.js";

/** Stage of the prompt, and of what is wrong with its reply. */
const STAGE = "composeSteps";

/**
 * Asks a model for the calls of all tasks of the outline in one reply, under the schemas of their tools alone
 * ("AI Agent 007", alternate solution; the report asks for each call by itself). A reply that has not one call
 * for each task, with its tool, or that refers to its own or a later task, is asked for again; all else
 * is for `checkPlan` to mend.
 */
export async function composeSteps(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { outline, plan } = state;
  if (!plan) return {};
  const context = readContext(config);
  const { offered } = await toolsAtHand({ state, context });
  const tasks = outline.map((task) => ({ task, entry: entryOf(task.tool, offered) }));
  const known = tasks.flatMap(({ task, entry }) => (entry ? [{ task, entry }] : []));
  // A tool that went while the plan was made: `checkPlan` says so.
  if (known.length < tasks.length) return { plan: { ...plan, steps: withoutArguments(outline) } };
  const tools = new Map(known.map(({ entry }) => entry));
  const prompt = composeStepsPrompt(
    {
      ...situation({ state, context }),
      tasks: known.map(({ task, entry: [name] }) => ({ ...task, tool: name })),
      tools: [...tools].map(shownTool),
    },
    problemAt(state, STAGE),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const read = readCalls({ text: reply.text, tasks: known.map(({ entry }) => entry), tools });
  if ("problem" in read) {
    return repairOrEnd({ state, stage: STAGE, problem: read.problem, reply, usage });
  }
  const { steps, repairs } = read;
  return { plan: freshPlan({ plan: { ...plan, steps }, repairs }), repair: null, usage };
}

/** A tool with the name that the model knows; undefined where it is not there any more. */
function entryOf(tool: string, offered: NamedTools): [string, ToolRecord] | undefined {
  return [...offered].find(([, { id }]) => id === tool);
}

function withoutArguments(outline: Outline): PlanStep[] {
  return outline.map(({ tool }) => ({ tool, args: {} }));
}

/** The calls in a reply, one for each task, or what the model is to be told. */
function readCalls(options: {
  text: string;
  /** The tool of each task. */
  tasks: readonly [string, ToolRecord][];
  tools: NamedTools;
}): { steps: PlanStep[]; repairs: string[] } | { problem: string } {
  const { text, tasks, tools } = options;
  const { plan, issues, repairs } = readPlan(text, planTools(tools));
  const { steps } = withPlainObjects(plan);
  if (issues.length > 0 || steps.length !== tasks.length) {
    const said =
      issues.map(({ problem }) => problem).join("; ") ||
      `it has ${steps.length} calls, and there are ${tasks.length} tasks`;
    return { problem: `Your last reply was not one call for each task: ${said}. ${FORM}` };
  }
  const problems = tasks.flatMap((tool, at) => wrongCall({ step: steps[at], at, tool }) ?? []);
  if (problems.length > 0) return { problem: `In your last reply ${problems.join("; ")}. ${FORM}` };
  return {
    steps: tasks.map(([, { id }], at) => ({ tool: id, args: steps[at]?.args ?? {} })),
    repairs,
  };
}

const FORM =
  'Reply with one JSON object with "calls", and in it one call for each task, in their order, each with "tool_name" and "arguments".';

/** What is wrong with the call of a task beside its arguments; undefined for nothing. */
function wrongCall(options: {
  step: PlanStep | undefined;
  at: number;
  tool: [string, ToolRecord];
}): string | undefined {
  const { step, at, tool } = options;
  const [name, { id }] = tool;
  if (!step) return undefined;
  if (step.tool !== id && sameName(step.tool, [name]) === undefined)
    return `call ${at} is one of ${step.tool}, and its task is done by ${name}`;
  const wrong = referencesIn(step.args).find(({ $prev }) => $prev >= at);
  return wrong && `call ${at} refers to ${writeReference(wrong)}, and ${usable(at)}`;
}

function usable(at: number): string {
  if (at === 0) return "nothing comes before it";
  return at === 1
    ? "only $$PREV[0] is there by then"
    : `only $$PREV[0] to $$PREV[${at - 1}] are there by then`;
}
