import { DEEPEST_ARGUMENTS } from "../../common/bounds.js";
import { jsonInText, parseJson } from "../../common/jsonInText.js";
import type { CheckedPlan, PlanIssue, PlanStep, PlanTool, PlanValue } from "./plan.js";
import { isPlainObject, isReference, isText, partsOf, readText, textOf } from "./references.js";
import { writtenArguments, writtenCall } from "./writtenCall.js";

/**
 * The plan in what a model wrote: a list of calls as in "AI Agent 007" (`tool_name`, `arguments` with
 * `argument_name` and `argument_value`) or `{ steps: [{ tool, args }], answer }`, as data or in a
 * text, between sentences or in a fence; of several, the last non-empty one. Only the
 * form is read; `verifyPlan` checks whether the calls fit the tools.
 *
 * @param tools their names for models become ids
 * @returns an empty plan with an issue `unreadable` if there is none or a step is not a call
 */
export function readPlan(value: unknown, tools: PlanTool[]): CheckedPlan {
  const found = typeof value === "string" ? planInText(value) : value;
  if (typeof found === "string") return unreadable([{ kind: "unreadable", problem: found }]);
  const { steps: written, answer } = partsOfPlan(found);
  if (!Array.isArray(written)) return unreadable([{ kind: "unreadable", problem: NO_PLAN }]);
  const steps = written.map((step, at) => readStep(step, at, tools));
  const issues = steps.flatMap((step) => ("issue" in step ? [step.issue] : []));
  if (issues.length > 0) return unreadable(issues);
  const plan = {
    steps: steps.flatMap((step) => ("step" in step ? [step.step] : [])),
    answer: typeof answer === "string" ? answer : "",
  };
  return { plan, repairs: [], issues: [] };
}

const NO_PLAN = "no plan was found";

/** Keys under which models write the steps of a plan; `steps` is what they are asked for. */
const STEP_KEYS = ["steps", "plan", "calls", "tool_calls", "function_calls"];

function unreadable(issues: PlanIssue[]): CheckedPlan {
  return { plan: { steps: [], answer: "" }, repairs: [], issues };
}

/** @returns the plan as data, or why there is none */
function planInText(text: string): unknown {
  const whole = parseJson(text);
  if (isPlainObject(whole) || Array.isArray(whole)) return whole;
  const { values, cutShort } = jsonInText(text);
  const plans = values.filter(looksLikePlan);
  const found =
    plans.findLast((plan) => !(Array.isArray(plan) && plan.length === 0)) ?? plans.at(-1);
  if (cutShort) return "the JSON of the plan has no end; it has to be shorter";
  return found ?? NO_PLAN;
}

function looksLikePlan(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || writtenCall(value[0]) !== undefined;
  if (!isPlainObject(value)) return false;
  if (Array.isArray(value["steps"])) return true;
  return writtenCall(value) === undefined && looksLikePlan(partsOfPlan(value).steps);
}

function partsOfPlan(value: unknown): { steps?: unknown; answer?: unknown } {
  if (Array.isArray(value)) return { steps: value };
  if (!isPlainObject(value)) return {};
  const key = STEP_KEYS.find((name) => value[name] !== undefined);
  if (key !== "steps" && writtenCall(value)) return { steps: [value] };
  const steps = value[key ?? ""];
  // A plan within a plan: {"plan": {"steps": […]}}.
  return isPlainObject(steps) && !writtenCall(steps) ? partsOfPlan(steps) : { ...value, steps };
}

function readStep(
  step: unknown,
  at: number,
  tools: PlanTool[],
): { step: PlanStep } | { issue: PlanIssue } {
  const call = writtenCall(step);
  const failed = (problem: string, argument?: string) =>
    ({
      issue: {
        step: at,
        ...(argument === undefined ? {} : { argument }),
        kind: "unreadable",
        problem,
      },
    }) satisfies { issue: PlanIssue };
  if (!call) return failed(`step ${at} is not a call of a tool`);
  const entries = writtenArguments(call.args);
  if (!entries) return failed(`the arguments of step ${at} are not given by their names`);
  const args = new Map<string, PlanValue>();
  for (const [argument, given] of entries) {
    const value = readValue(given);
    if (value === undefined) return failed(`step ${at}: ${argument} is not JSON data`, argument);
    if (args.has(argument))
      return failed(`step ${at}: ${argument} is given more than once`, argument);
    args.set(argument, plainObjects(value));
  }
  return { step: { tool: idOf(call.name, tools), args: Object.fromEntries(args) } };
}

/** An argument of a plan; undefined if it is not JSON data of sensible depth. */
export function readValue(value: unknown, depth = 0): PlanValue | undefined {
  if (depth > DEEPEST_ARGUMENTS) return undefined;
  if (typeof value === "string") return readText(value);
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => readValue(item, depth + 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  return isPlainObject(value) ? readObject(value, depth) : undefined;
}

function readObject(value: Record<string, unknown>, depth: number): PlanValue | undefined {
  const reference = "path" in value ? value : { ...value, path: [] };
  if (isReference(reference)) return reference;
  if (isText(value)) {
    const parts = value.$text.flatMap((part) =>
      typeof part === "string" ? partsOf(part) : [part],
    );
    return textOf(parts);
  }
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const read = readValue(inner, depth + 1);
    return read === undefined ? [] : [[key, read] as const];
  });
  const isWhole = entries.length === Object.keys(value).length;
  return isWhole ? Object.fromEntries(entries) : undefined;
}

function idOf(name: string, tools: PlanTool[]): string {
  if (tools.some(({ id }) => id === name)) return name;
  const named = tools.filter((tool) => tool.name === name);
  const [only] = named;
  return only && named.length === 1 ? only.id : name;
}

/**
 * Data in which objects may be written as lists of their fields, `{ "object_fields": [{ "field_name", "field_value" }]
 * }`, converted to plain objects: enforced reply formats do not support objects with open fields.
 */
function plainObjects(value: PlanValue): PlanValue {
  if (Array.isArray(value)) return value.map(plainObjects);
  if (!isPlainObject(value) || isReference(value) || isText(value)) return value;
  const entries = fieldsIn(value) ?? Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [name, plainObjects(inner)]));
}

function fieldsIn(value: Record<string, PlanValue>): [string, PlanValue][] | undefined {
  const { object_fields: fields, ...others } = value;
  if (!Array.isArray(fields) || Object.keys(others).length > 0) return undefined;
  const entries = fields.flatMap((field): [string, PlanValue][] => {
    if (!isPlainObject(field)) return [];
    const { field_name: name, field_value: inner } = field as Record<string, PlanValue>;
    return typeof name === "string" && inner !== undefined ? [[name, inner]] : [];
  });
  return entries.length === fields.length ? entries : undefined;
}
