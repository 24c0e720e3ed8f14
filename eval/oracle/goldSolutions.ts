import { join } from "node:path";
import type { PlanStep } from "../../plans/plan.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { GoldCall } from "../benchmarks/benchmark.js";
import { catalogueTools } from "../benchmarks/catalogueTools.js";
import { BENCHMARKS } from "../benchmarks/index.js";
import { nestedPlan } from "../benchmarks/nestedPlan.js";
import { type CallRow, readRows, type TaskRow } from "../benchmarks/taskRows.js";
import { type GoldPlan, toolsOfSteps } from "./goldTask.js";
import type { Subject } from "./subject.js";

/** The gold solution of a task, or of one turn of a conversation. */
export interface Solution extends GoldPlan {
  id: string;
  /** Its calls if the set gives all values; otherwise following the plan yields them. */
  calls?: readonly GoldCall[];
}

/** The answer of a program that has nothing to do. */
const NOTHING = "There is nothing to be done.";

/** All gold solutions of a benchmark, including those that do nothing or that violate the tools' schemas. */
export async function goldSolutions(subject: Subject): Promise<Solution[]> {
  const tools = await toolsOf(subject);
  const planned = await plannedSolutions(subject);
  return planned.map(({ id, steps, answer, calls }) => ({
    id,
    plan: { steps, answer: steps.length === 0 ? NOTHING : answer, lacking: [] },
    tools: toolsOfSteps(steps, tools),
    ...(calls ? { calls } : {}),
  }));
}

/** The functions of a catalogue replace declarations, as in a run. */
async function toolsOf({ benchmark, catalogue }: Subject): Promise<Map<string, ToolDefinition>> {
  const own = new Map(benchmark.tools.map((tool) => [tool.id, tool]));
  if (catalogue === undefined) return own;
  const functions = await catalogueTools(catalogue);
  return new Map([...own, ...functions.map((tool) => [tool.id, tool] as const)]);
}

interface Planned {
  id: string;
  steps: PlanStep[];
  answer: string;
  calls?: readonly GoldCall[];
}

async function plannedSolutions({ named, benchmark }: Subject): Promise<Planned[]> {
  if (!Object.hasOwn(BENCHMARKS, named)) {
    const { rows } = await readRows(join(benchmark.source, "queries.jsonl"));
    return rows.flatMap(({ row }) => solutionsIn(row));
  }
  return benchmark.tasks.flatMap(({ id, plan, calls }) =>
    plan ? [{ id, steps: plan.steps, answer: plan.answer, calls }] : [],
  );
}

/** A conversation has a solution for each turn with calls. */
function solutionsIn({ id, calls, turns = [] }: TaskRow): Planned[] {
  if (calls) return [planned(id, calls)];
  return turns.flatMap((turn, at) =>
    turn.calls.length > 0 ? [planned(`${id}#${at}`, turn.calls)] : [],
  );
}

function planned(id: string, calls: readonly CallRow[]): Planned {
  const steps =
    nestedPlan(calls)?.steps ??
    calls.map(({ tool, args }) => ({ tool, args: (args ?? {}) as PlanStep["args"] }));
  return { id, steps, answer: "" };
}
