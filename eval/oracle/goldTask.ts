import { fillArguments, type StepOutputs } from "../../plans/fillArguments.js";
import type { Plan, PlanStep } from "../../plans/plan.js";
import { definitionHash } from "../../tools/library/hash.js";
import { validateArguments } from "../../tools/runtime/validateArguments.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { seededAnswer } from "./seededWorld.js";
import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";
import { stepsForm } from "../benchmarks/writtenSteps.js";

/** A task with the plan that the oracle follows. */
export interface GoldTask {
  task: Task;
  /** At least one step, nothing lacking. */
  plan: PartialPlan;
  /** The tools of the steps by their ids. */
  tools: ReadonlyMap<string, ToolDefinition>;
}

/** A plan with what no tool does, in words. */
export type PartialPlan = Plan & { lacking: string[] };

/** A gold plan with its tools. */
export type GoldPlan = Pick<GoldTask, "plan" | "tools">;

/**
 * The tasks of a benchmark that can be done completely, each with a gold plan: its own, one made of its gold
 * calls, or the one written for the mathematics set. Tasks that can be done only in part or not at all are left
 * out, and so are tasks whose gold calls violate the tools' schemas.
 *
 * @param options.seeded tools without functions return seeded values
 */
export function goldTasks(options: { benchmark: Benchmark; seeded: boolean }): GoldTask[] {
  const { benchmark, seeded } = options;
  const definitions = new Map(benchmark.tools.map((tool) => [tool.id, tool]));
  return benchmark.tasks.flatMap((task): GoldTask[] => {
    const plan = goldPlan(task);
    if (!plan || plan.steps.length === 0 || plan.lacking.length > 0) return [];
    const gold = { task, plan, tools: toolsOfSteps(plan.steps, definitions) };
    return seeded && !canRun(gold) ? [] : [gold];
  });
}

/** The known tools of some steps, by id. */
export function toolsOfSteps(
  steps: readonly PlanStep[],
  known: ReadonlyMap<string, ToolDefinition>,
): Map<string, ToolDefinition> {
  return new Map(
    steps.flatMap(({ tool }) => {
      const found = known.get(tool);
      return found ? [[tool, found] as const] : [];
    }),
  );
}

function goldPlan({ id, plan, calls, unmet = [] }: Task): PartialPlan | undefined {
  if (plan) return { lacking: [], ...plan };
  if (!calls) return tulipMathPlan(id);
  const steps = calls.map(({ tool, args }) => ({ tool, args: args as PlanStep["args"] }));
  return { steps, answer: "", lacking: unmet };
}

/** Whether every call fits its tool's schema if the plan is followed with seeded results. */
function canRun({ plan, tools }: GoldTask): boolean {
  const outputs: Record<number, unknown> = {};
  return plan.steps.every(({ tool: id, args }, step) => {
    const tool = tools.get(id);
    const filled = fillArguments({ step, args, outputs: outputs satisfies StepOutputs });
    if (!tool || !("args" in filled)) return false;
    const check = validateArguments({
      record: { ...tool, hash: definitionHash(tool) },
      args: filled.args,
    });
    if (!check.ok) return false;
    outputs[step] = seededAnswer({ tool, args: check.args });
    return true;
  });
}

/**
 * Plans for the 60 tasks of the mathematics set of Tulip Agent (arXiv:2407.21778). The origin names tools and
 * results, but no arguments; these plans were written for this project. They use the tools that the origin
 * names, unless such a tool does not do what is asked: the one named for the sum of two squares adds the first
 * n squares.
 */
const WRITTEN = readDataFile(
  new URL("tulipMath.json", import.meta.url),
  z.record(z.string(), stepsForm),
);

/** The gold plan of a task of that set; undefined for other ids. */
export function tulipMathPlan(id: string): PartialPlan | undefined {
  const steps = Object.hasOwn(WRITTEN, id) ? WRITTEN[id] : undefined;
  return steps && { steps, answer: `$$PREV[${steps.length - 1}]`, lacking: [] };
}
