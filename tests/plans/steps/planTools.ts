import * as fc from "fast-check";
import type { Plan, PlanStep, PlanTool, PlanValue } from "../../../plans/steps/plan.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolEffects } from "../../../tools/tool.js";

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "array", items: text };
const number: JsonSchema = { type: "number" };

/** A small product for work items: enough types for all ways in which an argument may not fit. */
export const planTools: PlanTool[] = [
  tool({ id: "who_am_i", returns: text }),
  tool({
    id: "works_list",
    optional: { created_by: texts, limit: { type: "integer" }, open: { type: "boolean" } },
    returns: texts,
  }),
  tool({ id: "count_items", required: { items: { type: "array", items: {} } }, returns: number }),
  tool({ id: "summarize", required: { objects: { type: "array" } }, returns: text }),
  tool({
    id: "find_user",
    required: { name: text },
    returns: {
      type: "object",
      properties: { id: text, email: { type: ["string", "null"] }, team: { $ref: "#/$defs/Team" } },
      $defs: { Team: { type: "object", properties: { name: text, members: texts } } },
    },
  }),
  tool({ id: "share", required: { part: number, whole: number }, returns: number }),
  tool({
    id: "current_sprint",
    returns: { type: "object", properties: { sprint_id: text }, required: ["sprint_id"] },
  }),
  tool({ id: "search_web", required: { phrase: text } }),
  tool({
    id: "set_priority",
    effects: "write",
    required: { work: text, priority: { enum: ["low", "high"] } },
    returns: { type: "boolean" },
  }),
  tool({
    id: "add_to_sprint",
    effects: "write",
    required: { work_ids: texts, sprint_id: text },
  }),
  tool({ id: "send_message", effects: "write", required: { to: text, text } }),
];

/** A tool whose arguments are these and no others. */
export function tool(options: {
  id: string;
  effects?: ToolEffects;
  required?: Record<string, JsonSchema>;
  optional?: Record<string, JsonSchema>;
  returns?: JsonSchema;
}): PlanTool {
  const { id, effects = "read", required = {}, optional = {}, returns } = options;
  return {
    id,
    effects,
    returns,
    parameters: {
      type: "object",
      properties: { ...required, ...optional },
      required: Object.keys(required),
      additionalProperties: false,
    },
  };
}

/** A plan of these calls: `planOf(["who_am_i"], ["find_user", { name: … }])`. */
export function planOf(...calls: [tool: string, args?: Record<string, PlanValue>][]): Plan {
  const steps = calls.map(([tool, args = {}]) => ({ tool, args }));
  return { steps, answer: "" };
}

/** The output of a step or a part of it. */
export function output($prev: number, ...path: (string | number)[]): PlanValue {
  return { $prev, path };
}

/** What each tool gives in tests; its texts are among the priorities, so that they fit wherever a text does. */
export const sampleOutputs: Record<string, unknown> = {
  who_am_i: "high",
  works_list: ["high", "low"],
  count_items: 2,
  summarize: "low",
  find_user: { id: "high", email: "low", team: { name: "high", members: ["low"] } },
  share: 0.5,
  current_sprint: { sprint_id: "high" },
  search_web: "high",
  set_priority: true,
  add_to_sprint: "high",
  send_message: "high",
};

/** Where texts, numbers and lists of texts come from. */
const sources = {
  text: new Map([
    ["who_am_i", []],
    ["summarize", []],
    ["find_user", ["id"]],
    ["current_sprint", ["sprint_id"]],
  ]),
  number: new Map([
    ["count_items", []],
    ["share", []],
  ]),
  texts: new Map([
    ["works_list", []],
    ["find_user", ["team", "members"]],
  ]),
};

const argumentKinds: Record<string, [name: string, kind: keyof typeof sources][]> = {
  who_am_i: [],
  works_list: [["created_by", "texts"]],
  count_items: [["items", "texts"]],
  summarize: [["objects", "texts"]],
  find_user: [["name", "text"]],
  share: [
    ["part", "number"],
    ["whole", "number"],
  ],
  current_sprint: [],
  add_to_sprint: [
    ["work_ids", "texts"],
    ["sprint_id", "text"],
  ],
  send_message: [
    ["to", "text"],
    ["text", "text"],
  ],
};

const literals: Record<keyof typeof sources, PlanValue> = {
  text: "Ada",
  number: 3,
  texts: ["TASK-1", "TASK-2"],
};

/** Plans in which every argument fits: literals, and outputs of exactly the type that is wanted. */
export const validPlan: fc.Arbitrary<Plan> = fc
  .array(
    fc.record({
      tool: fc.constantFrom(...Object.keys(argumentKinds)),
      picks: fc.array(fc.nat(9), { minLength: 2, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .map((choices) => {
    const steps: PlanStep[] = [];
    for (const { tool, picks } of choices) {
      const args = (argumentKinds[tool] ?? []).map(([name, kind], at): [string, PlanValue] => {
        const options = [literals[kind], literals[kind], ...outputsOf(steps, kind)];
        return [name, options[(picks[at] ?? 0) % options.length] ?? literals[kind]];
      });
      steps.push({ tool, args: Object.fromEntries(args) });
    }
    return { steps, answer: `Done: $$PREV[${steps.length - 1}]`, lacking: [] };
  });

function outputsOf(steps: PlanStep[], kind: keyof typeof sources): PlanValue[] {
  return steps.flatMap(({ tool }, at) => {
    const path = sources[kind].get(tool);
    return path ? [output(at, ...path)] : [];
  });
}

/** Any argument at all: literals, templates, and references to anywhere. */
export const anyValue: fc.Arbitrary<PlanValue> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<PlanValue>,
  fc.constantFrom<PlanValue>("3", "true", "HIGH", "hgih", null, ["low"], [["low"]], { id: "x" }),
  anyReference(),
  anyReference().map((reference) => [reference]),
  anyReference().map((reference) => [[reference]]),
  anyReference().map((reference) => ({ $text: ["about ", reference] })),
);

function anyReference() {
  return fc.record({
    $prev: fc.nat(8),
    path: fc.array(fc.constantFrom<string | number>("id", "email", "sprint_id", "team", 0, -1), {
      maxLength: 2,
    }),
  });
}

/** Plans that were right and had something done to them. */
export const spoiltPlan: fc.Arbitrary<Plan> = fc
  .tuple(validPlan, fc.array(fc.tuple(fc.nat(5), fc.nat(6), fc.nat(6), anyValue), { maxLength: 3 }))
  .map(([plan, changes]) => {
    const steps = [...plan.steps];
    for (const [change, first, second, value] of changes) {
      spoil({ steps, change, at: first % Math.max(1, steps.length), second, value });
    }
    return { ...plan, steps };
  });

function spoil(options: {
  steps: PlanStep[];
  change: number;
  at: number;
  second: number;
  value: PlanValue;
}): void {
  const { steps, change, at, second, value } = options;
  const step = steps[at];
  if (!step) return;
  const other = second % steps.length;
  const names = Object.keys(step.args);
  const name = names[second % Math.max(1, names.length)] ?? "surplus";
  if (change === 0) steps.splice(at, 1);
  if (change === 1) [steps[at], steps[other]] = [steps[other] ?? step, step];
  if (change === 2) steps[at] = { ...step, tool: `${step.tool.slice(0, -1)}q` };
  if (change === 3) steps[at] = { ...step, args: { ...step.args, [name]: value } };
  if (change === 4) steps.splice(at, 0, { tool: "no_tool", args: {} });
  if (change === 5) steps.push(step);
}
