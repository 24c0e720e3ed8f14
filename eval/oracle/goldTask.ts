import { fillArguments, type StepOutputs } from "../../plans/fillArguments.js";
import type { Plan } from "../../plans/plan.js";
import { definitionHash } from "../../tools/library/hash.js";
import { validateArguments } from "../../tools/runtime/validateArguments.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { seededAnswer } from "./seededWorld.js";
import { tulipMathPlan } from "./tulipMath.js";

/** A task with the one plan that the oracle follows. */
export interface GoldTask {
  task: Task;
  /** At least one step, nothing lacking. */
  plan: Plan;
  /** The tools of the steps by their ids. */
  tools: ReadonlyMap<string, ToolDefinition>;
}

/** What is to be done, whoever asks for it. */
export type GoldPlan = Pick<GoldTask, "plan" | "tools">;

/**
 * The tasks of a benchmark that can be done whole, with a gold plan: its own, one with literal arguments
 * made of its gold calls, or the one that was written for the mathematics set. Left out are tasks of which
 * nothing or only a part can be done, and tasks whose gold calls the tools' own schemas do not allow.
 *
 * @param options.seeded tools without functions give seeded values
 */
export function goldTasks(options: { benchmark: Benchmark; seeded: boolean }): GoldTask[] {
  const { benchmark, seeded } = options;
  const definitions = new Map(benchmark.tools.map((tool) => [tool.id, tool]));
  return benchmark.tasks.flatMap((task): GoldTask[] => {
    const plan = goldPlan(task);
    if (!plan || plan.steps.length === 0 || plan.lacking.length > 0) return [];
    const tools = new Map(
      plan.steps.flatMap(({ tool }) => {
        const definition = definitions.get(tool);
        return definition ? [[tool, definition] as const] : [];
      }),
    );
    const gold = { task, plan, tools };
    return seeded && !canRun(gold) ? [] : [gold];
  });
}

function goldPlan({ id, plan, calls, unmet = [] }: Task): Plan | undefined {
  if (plan) return plan;
  if (!calls) return tulipMathPlan(id);
  const steps = calls.map(({ tool, args }) => ({ tool, args: args as Plan["steps"][0]["args"] }));
  return { steps, answer: "", lacking: unmet };
}

/** Whether every call fits its tool's schema when the plan is followed with seeded results. */
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
