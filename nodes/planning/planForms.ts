import { jsonInText } from "../../common/jsonInText.js";
import { codeNames } from "../../common/codeNames.js";
import { oneLine } from "../../common/errors.js";
import { inlineRefs } from "../../common/schemas/inlineRefs.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { fieldsOf, typeText } from "../../common/schemas/typeText.js";
import { toolLines } from "../../models/chat/toolLines.js";
import {
  codeText,
  planText,
  solutionText,
  writtenValue,
  referencesIn,
} from "../../plans/steps/references.js";
import type { CheckedPlan, Plan, PlanTool } from "../../plans/steps/plan.js";
import { readPlan } from "../../plans/steps/readPlan.js";
import type { OfferedTool, ShownDemonstration } from "../kit/stageInputs.js";
import { VALUE_DEFINITIONS, callSchema, strictObject } from "./callSchema.js";
import { demonstratedPlan } from "./demonstratedPlan.js";

/**
 * How a plan is asked for: `typed` has an answer, as generated data want it. The others are from "AI Agent 007":
 * a list of calls after reasoning by states and actions, code, or a list of calls in an enforced form; and its
 * baselines, the prompt of ControlLLM and retrieval-augmented prompting, which shows retrieved tools and examples and
 * asks for the list at once.
 */
export type ComposeStyle =
  | "typed"
  | "stateAction"
  | "code"
  | "enforced"
  | "controlLlm"
  | "retrieved";

interface PlanForm {
  instructions: string;
  /** The form in one line, for a model whose reply was unreadable. */
  form: string;
  toolsText: (tools: readonly OfferedTool[]) => string;
  /** If the provider should enforce the form. */
  schema?: (tools: readonly OfferedTool[]) => JsonSchema;
  /** @param nameOf what the model calls a tool */
  written: (plan: Plan, nameOf?: (tool: string) => string) => string;
  read: (text: string, tools: PlanTool[]) => CheckedPlan | Promise<CheckedPlan>;
}

/** What to reply with when a plan is asked for again. */
export function planFormText(style: ComposeStyle): string {
  return `Reply with ${PLAN_FORMS[style].form}.`;
}

/**
 * Shows how tasks were planned before, in the wanted plan form ("AI Agent 007" retrieves examples, TPTU-v2
 * demonstrations); empty if there is nothing to show.
 */
export function planDemonstrationsText(
  demonstrations: readonly ShownDemonstration[],
  { style }: { style: ComposeStyle },
): string {
  if (demonstrations.length === 0) return "";
  return [
    "Earlier plans show which tools to use, in which order, and which arguments refer to earlier outputs. Their values belong to other requests; reuse none:",
    ...demonstrations.map((demonstration, at) => {
      const plan = PLAN_FORMS[style].written(demonstratedPlan(demonstration));
      const start = plan.includes("\n") ? "\n" : "";
      return `Example ${at + 1}: ${demonstration.task}\nPlan: ${start}${plan}`;
    }),
  ].join("\n\n");
}

function toolsText(tools: readonly OfferedTool[]): string {
  return `Tools:\n${toolLines(tools)}`;
}

const TYPED_FORM =
  'one JSON object and nothing else: {"thought": "the approach, briefly", "steps": [{"tool": "name", "args": {"argument": value}}], "answer": "text"}';

const TYPED: PlanForm = {
  form: TYPED_FORM,
  instructions: [
    "Plan how to fulfil a request with tools. No tool has run yet; the whole plan is carried out as written.",
    `Reply with ${TYPED_FORM}`,
    [
      "steps: the fewest calls of the tools below that do it, in running order.",
      '- "$$PREV[0]" is the output of the first step, "$$PREV[2].items[-1].id" part of the third\'s, by its return type. Alone in its quotes a reference keeps its type, lists included.',
      "- Copy other values from the request or the background. Invent none, compute none that a tool can compute; omit optional arguments that are not needed.",
    ].join("\n"),
    'answer: the full answer for the user, such as "It comes to $$PREV[1]." Its values are references or from the request, never guesses. Leave it empty if you must see results to word it.',
    "If the tools below cannot do all of it, leave steps empty. Never misuse a tool.",
  ].join("\n\n"),
  toolsText,
  written: planText,
  read: readPlan,
};

const LIST =
  '[{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]';

/**
 * A list of calls, found by states and actions ("AI Agent 007", main solution; the texts are our own, as the
 * report does not print its prompt).
 */
const STATE_ACTION: PlanForm = {
  form: `the list of all calls as JSON: ${LIST}, or [] if the tools can do none of it`,
  instructions: [
    "Plan which tools to call to fulfil a request. Nothing is run; the list of calls is the result.",
    [
      "Think in states and actions. The state is what the request says plus the outputs of the calls planned so far. An action is a call of a tool below that uses only the state and adds to it.",
      "Begin with a sentence on what is asked for and what the state holds. Then number sub-questions:",
      '1. "Which tool now?" Weigh the candidates in a few words and choose one. Say where each argument comes from: the request, or the output of which call.',
      '2. "Which tool now?" The same from the new state, and so on.',
      'Answer "End" when the state holds all that is asked for or no tool leads further.',
    ].join("\n"),
    [
      "What works well:",
      "- If the request says me, my or mine, first find out who is asking, if a tool can.",
      "- Look up what the request names and a tool wants by id.",
      "- Make the fewest calls; give a tool that takes a list the whole list once.",
      "- Leave filtering, sorting, counting and computing to tools.",
      "- Pass only arguments that the request asks for or the tool requires. Never invent one; without a required one there is no call.",
      "- Write allowed values exactly as listed.",
      "- Match types; put one item in [ ] where a list is wanted.",
      "- Use no tool for what it is not made for, however close its name.",
      "- If the tools can do only part of the request, plan that, without look-ups that do not help.",
    ].join("\n"),
    [
      `End with all calls in order, as JSON:\n${LIST}`,
      '"$$PREV[i]" is the output of call i, counted from 0; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Use earlier calls only, and nest none. Write [] if the tools can do none of the request.',
    ].join("\n"),
  ].join("\n\n"),
  toolsText,
  written: solutionText,
  read: readPlan,
};

/** Retrieval-augmented prompting, a baseline of "AI Agent 007": no reasoning is asked for, and no advice is given. */
const RETRIEVED: PlanForm = {
  ...STATE_ACTION,
  form: `the list of all calls as JSON and nothing else: ${LIST}`,
  instructions: [
    "Which calls of the tools below fulfil the request? Nothing is run; the list of calls is the result.",
    `Reply with the list of all calls in order, as JSON and nothing else:\n${LIST}`,
    '"$$PREV[i]" is the output of call i, counted from 0. Write [] if the tools can do none of the request.',
  ].join("\n\n"),
};

const TASK_LIST =
  '[{"task": "what it does", "id": 0, "dep": [-1], "tool": "name", "args": {"argument": value}}]';

/** Prompted like ControlLLM (Liu et al. 2023), a baseline of "AI Agent 007": tasks with ids and what they depend on. */
const CONTROL_LLM: PlanForm = {
  form: `a JSON list of tasks and nothing else: ${TASK_LIST}`,
  instructions: [
    "Break the request down into tasks, each solved by one tool below.",
    `Reply with a JSON list of tasks and nothing else:\n${TASK_LIST}`,
    [
      "- id numbers the tasks from 0. dep lists the ids of the tasks whose outputs this one needs, or -1 if it needs none.",
      '- An argument that is the output of task 0 is written "<GENERATED>-0".',
      "- Choose tools and names of arguments from the list. If the tools cannot do it, reply with [].",
    ].join("\n"),
  ].join("\n\n"),
  toolsText,
  written: tasksText,
  read: (text, tools) => readPlan(fromTasks(text), tools),
};

/** A plan as a list of tasks, as ControlLLM writes it. */
function tasksText({ steps }: Plan, nameOf = (tool: string) => tool): string {
  const tasks = steps.map(({ tool, args }, id) => {
    const needed = [
      ...new Set(
        Object.values(args)
          .flatMap(referencesIn)
          .map(({ $prev }) => $prev),
      ),
    ];
    const name = nameOf(tool);
    return {
      task: name,
      id,
      dep: needed.length > 0 ? needed : [-1],
      tool: name,
      args: writtenValue(args),
    };
  });
  return JSON.stringify(tasks).replaceAll(/\$\$PREV\[(\d+)\]/g, "<GENERATED>-$1");
}

/** Outputs are referred to by ids, which need not be positions. */
function fromTasks(text: string): string {
  const listed = jsonInText(text).values.findLast(Array.isArray) as unknown[] | undefined;
  const ids = (listed ?? []).map((task) => String(Object(task).id));
  return text.replaceAll(/<GENERATED>-(\d+)/g, (written, id: string) => {
    const at = ids.indexOf(id);
    return at < 0 ? written : `$$PREV[${at}]`;
  });
}

const ENFORCED_FORM =
  'one JSON object and nothing else: {"thought": "the approach, briefly", "steps": [{"tool_name": "name", "arguments": [{"argument_name": "name", "argument_value": value}]}]}';

/**
 * A list of calls in a form that the provider enforces ("AI Agent 007": output enforcer). If it cannot, nearly
 * correct names are fixed afterwards.
 */
const ENFORCED: PlanForm = {
  form: ENFORCED_FORM,
  instructions: [
    "Plan which tools to call to fulfil a request. Nothing is run; the list of calls is the result.",
    `Reply with ${ENFORCED_FORM}`,
    [
      "- steps: the fewest calls of the tools below that do it, in running order, with exact names.",
      '- "$$PREV[i]" is the output of call i, counted from 0; "$$PREV[i].field" and "$$PREV[i][0]" are parts of it. Use earlier calls only.',
      "- Copy other values from the request. Invent none; omit optional arguments that are not needed.",
      '- Write an object as its fields: {"object_fields": [{"field_name": "name", "field_value": value}]}.',
      "- If the tools can do only part of the request, plan that, without look-ups that do not help; if none of it, leave steps empty.",
    ].join("\n"),
  ].join("\n\n"),
  toolsText,
  schema: (tools) => ({
    ...strictObject({
      thought: { type: "string", description: "The approach, briefly" },
      steps: { type: "array", items: callSchema(tools) },
    }),
    $defs: VALUE_DEFINITIONS,
  }),
  written: (plan, nameOf) => `{"steps":${solutionText(plan, nameOf)}}`,
  read: readPlan,
};

const CODE_FORM = "one ts block and nothing else, one call a line";

/** A plan as code ("AI Agent 007": metaprogramming), of which only calls and values are read. */
const CODE: PlanForm = {
  form: `${CODE_FORM}: const r0 = name({ argument: value });`,
  instructions: [
    "Plan which functions to call to fulfil a request, as TypeScript that is read and not run.",
    [
      `Reply with ${CODE_FORM}:`,
      "```ts",
      "// which function, and why",
      'const r0 = find_station({ town: "Ulm" });',
      "// which function, and why",
      "const r1 = departures({ station: r0.id, limit: 3 });",
      "```",
    ].join("\n"),
    [
      "- Copy values from the request, or use earlier results: r0, r0.field, r0[0], r0.at(-1), `Due on ${r1.date}`.",
      "- No loops, conditions, functions, imports or methods; operators on values of the request only. Compute, filter or count results with a function below, or not at all.",
      "- Make the fewest calls; give a function that takes a list the whole list once. Invent no values; omit optional arguments that are not needed.",
      "- If the functions can do only part of the request, plan that, without look-ups that do not help; if none of it, write a comment alone.",
    ].join("\n"),
  ].join("\n\n"),
  toolsText: (tools) => `Functions:\n${functionLines(tools)}`,
  written: codeText,
  // The code parser is large, so it is loaded only when code is read.
  read: async (text, tools) =>
    (await import("../../plans/steps/readCode.js")).readCode(text, tools),
};

/** Tools as declared functions, with what they and their arguments are for. */
export function functionLines(tools: readonly OfferedTool[]): string {
  const names = codeNames(tools.map(({ name }) => name));
  return tools.map((tool) => functionText(tool, names.get(tool.name) ?? tool.name)).join("\n");
}

function functionText({ description, parameters, returns }: OfferedTool, name: string): string {
  const fields = fieldsOf(inlineRefs(parameters));
  // A comment ends with its line.
  const texts = fields.flatMap((field) =>
    field.text.trim() ? [`// - ${field.name}: ${oneLine(field.text)}`] : [],
  );
  const args = fields.length > 0 ? `args: ${typeText({ ...parameters, type: "object" })}` : "";
  const result = returns ? typeText(returns) : "unknown";
  return [`// ${oneLine(description)}`, ...texts, `function ${name}(${args}): ${result};`].join(
    "\n",
  );
}

export const PLAN_FORMS: Record<ComposeStyle, PlanForm> = {
  typed: TYPED,
  stateAction: STATE_ACTION,
  code: CODE,
  enforced: ENFORCED,
  controlLlm: CONTROL_LLM,
  retrieved: RETRIEVED,
};
