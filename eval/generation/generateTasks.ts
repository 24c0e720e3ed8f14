import type { ToolRecord } from "../../tools/tool.js";
import type { GraphState } from "../../state/state.js";
import { nameKey } from "../../common/nearNames.js";
import { writtenValue } from "../../plans/steps/planText.js";
import { filled } from "../simulated/goldSteps.js";
import { flowOf, type Flow } from "./flows.js";
import { generate } from "./generateGraph.js";

/** A task as a line of a file, as `eval run --tasks` and `train retriever --pairs` take it. */
export interface GeneratedTask {
  id: string;
  query: string;
  tools: string[];
  /** With their values; absent if a call that changes something would have to be made to know them. */
  calls?: { tool: string; args: Record<string, unknown> }[];
  level: string;
}

/** Makes a call that only reads, and throws if it fails. */
export type Trial = (tool: ToolRecord, args: Record<string, unknown>) => Promise<unknown>;

/** Attempts for each task that is wanted. */
const ATTEMPTS = 4;

/**
 * Makes tasks for a library. A task counts if the critic accepts its plan, the plan calls every tool of its flow, its reads
 * work when they are tried, and no task before it asks the same or makes the same calls.
 *
 * @param options.onTask is told how many there are, and why an attempt was dropped
 */
export async function* generateTasks(options: {
  tools: readonly ToolRecord[];
  settings: Record<string, unknown>;
  count: number;
  seed: number;
  trial: Trial;
  onDropped: (why: string) => void;
}): AsyncGenerator<GeneratedTask> {
  const { tools, settings, count, seed, trial, onDropped } = options;
  const seen = new Set<string>();
  let made = 0;
  for (let number = 1; made < count && number <= count * ATTEMPTS; number += 1) {
    const flow = flowOf(tools, { seed, number });
    const task = await taskOf(flow, { tools, settings, trial });
    const keys =
      typeof task === "string"
        ? []
        : [nameKey(task.query), JSON.stringify(task.calls ?? task.query)];
    const dropped =
      typeof task === "string" ? task : keys.some((key) => seen.has(key)) ? "as one before" : "";
    if (typeof task === "string" || dropped) {
      onDropped(dropped);
      continue;
    }
    for (const key of keys) seen.add(key);
    made += 1;
    yield { id: `generated-${made}`, ...task };
  }
}

async function taskOf(
  { tools: wanted, persona }: Flow,
  { tools, settings, trial }: { tools: readonly ToolRecord[]; settings: object; trial: Trial },
): Promise<Omit<GeneratedTask, "id"> | string> {
  const toolIds = wanted.map(({ id }) => id);
  const context = { ...settings, toolIds };
  const { plan, run } = await stateAfter({ request: persona }, context);
  if (!plan?.accepted || plan.issues.length > 0) return "the critic did not accept the plan";
  const called = plan.steps.map(({ tool }) => tool);
  if (!toolIds.every((id) => called.includes(id))) return "the plan leaves out a tool";
  const level = called.length === 1 ? "easy" : called.length <= 3 ? "medium" : "hard";
  const task = { query: run.request, tools: called, level };
  const records = plan.steps.map(({ tool }) => tools.find(({ id }) => id === tool));
  if (!records.every((record) => record?.effects === "read")) {
    const isLiteral = plan.steps.every(
      ({ args }) => !/\$\$PREV/.test(JSON.stringify(writtenValue(args))),
    );
    return isLiteral ? { ...task, calls: plan.steps.map(literal) } : task;
  }
  const results: unknown[] = [];
  const calls: NonNullable<GeneratedTask["calls"]> = [];
  for (const [at, { tool, args }] of plan.steps.entries()) {
    const values = Object(filled(args, results)) as Record<string, unknown>;
    calls.push({ tool, args: values });
    try {
      const record = records[at];
      if (record) results.push(await trial(record, values));
    } catch (error) {
      return `${tool} failed when it was tried: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return { ...task, calls };
}

/** The whole state at the end: what a graph returns has no request. */
async function stateAfter(
  input: { request: string },
  context: Record<string, unknown>,
): Promise<GraphState> {
  const states = await generate.stream(input, { context, streamMode: "values" });
  let last: unknown;
  for await (const state of states) last = state;
  return last as GraphState;
}

function literal({ tool, args }: NonNullable<GraphState["plan"]>["steps"][number]) {
  return { tool, args: Object(writtenValue(args)) as Record<string, unknown> };
}
