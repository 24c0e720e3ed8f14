import type { Plan } from "./plan.js";
import { partsOf, renumberAll, writeParts } from "./references.js";

/**
 * A plan without some of its steps; references are renumbered.
 *
 * @param options.left positions of the steps to leave out, each with the step whose output replaces its own;
 * undefined if no other step refers to it
 */
export function leaveOut(options: {
  plan: Plan;
  left: ReadonlyMap<number, number | undefined>;
}): Plan {
  const { plan, left } = options;
  if (left.size === 0) return plan;
  const kept = [...plan.steps.keys()].filter((at) => !left.has(at));
  const numberOf = (step: number) => {
    const at = kept.indexOf(left.get(step) ?? step);
    // References beyond the plan stay beyond it.
    return at >= 0 ? at : step - left.size;
  };
  const steps = plan.steps
    .filter((_, at) => !left.has(at))
    .map((step) => ({ ...step, args: renumberAll(step.args, numberOf) }));
  const answer = partsOf(plan.answer).map((part) =>
    typeof part === "string" ? part : { ...part, $prev: numberOf(part.$prev) },
  );
  return { ...plan, steps, answer: writeParts(answer) };
}
