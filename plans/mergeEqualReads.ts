import { isDeepStrictEqual } from "node:util";
import { leaveOut } from "./leaveOut.js";
import type { CheckedPlan, PlanStep, PlanTool } from "./plan.js";
import { renumberAll } from "./references.js";

/**
 * Leaves out calls that repeat an earlier read without a write in between. A plan with issues keeps its steps,
 * because issues refer to their numbers.
 */
export function mergeEqualReads(
  checked: CheckedPlan,
  tools: ReadonlyMap<string, PlanTool>,
): CheckedPlan {
  if (checked.issues.length > 0) return checked;
  const left = equalReads(checked.plan.steps, tools);
  const repairs = [...left].map(([at, earlier]) => `step ${at} reads the same as step ${earlier}`);
  return {
    ...checked,
    plan: leaveOut({ plan: checked.plan, left }),
    repairs: [...checked.repairs, ...repairs],
  };
}

/** Positions of superfluous steps, each with the equal earlier step. */
function equalReads(steps: PlanStep[], tools: ReadonlyMap<string, PlanTool>): Map<number, number> {
  const left = new Map<number, number>();
  let reads: { at: number; step: PlanStep }[] = [];
  for (const [at, written] of steps.entries()) {
    if (tools.get(written.tool)?.effects !== "read") {
      reads = [];
      continue;
    }
    // Merging two equal steps can make their users equal.
    const args = renumberAll(written.args, (step) => left.get(step) ?? step);
    const step = { ...written, args };
    const earlier = reads.find((read) => isDeepStrictEqual(read.step, step));
    if (earlier) left.set(at, earlier.at);
    else reads.push({ at, step });
  }
  return left;
}
