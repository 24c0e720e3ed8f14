import type { Plan, PlanReference, PlanTool } from "./plan.js";
import { changeAllParts, partsOf, wordedParts, writeParts } from "./references.js";

/** A referenced step, and the number of steps before the reference. */
interface Counted {
  step: number;
  before: number;
}

/**
 * A plan with references counted from 0. Some models count from 1, and some use words (`[result of step 1]`),
 * which may mean either. Unambiguous references are fixed; ambiguous ones in words stay, so that the model
 * clarifies them. If the plan writes, references that could already be right are not shifted.
 */
export function countReferences(options: { plan: Plan; tools: PlanTool[] }): {
  plan: Plan;
  repairs: string[];
} {
  const { plan, tools } = options;
  const sure = countedIn(plan, (part) => (typeof part === "string" ? [] : [part]));
  const worded = countedIn(plan, (part) =>
    typeof part === "string" ? wordedParts(part).filter((one) => typeof one !== "string") : [],
  );
  const all = [...sure, ...worded];
  const areRight = all.every(isRight);
  const areShifted = !areRight && all.every((one) => isRight(shifted(one)));
  if (areShifted && (all.every((one) => !isRight(one)) || !mayWrite(plan, tools))) {
    const repairs = ["references were counted from 1, and are counted from 0"];
    return { plan: withReferences(plan, { by: 1 }), repairs };
  }
  // Certainly counted from 0: other references show it, or counting from 1 there would be no such step.
  const areWordedRight = sure.length > 0 || !all.every((one) => isRight(shifted(one)));
  if (worded.length === 0 || !areRight || !areWordedRight) return { plan, repairs: [] };
  return {
    plan: withReferences(plan, { by: 0 }),
    repairs: ["references in words were read as $$PREV[…]"],
  };
}

function isRight({ step, before }: Counted): boolean {
  return step >= 0 && step < before;
}

function shifted({ step, before }: Counted): Counted {
  return { step: step - 1, before };
}

/** Unknown effects count as a write. */
function mayWrite({ steps }: Plan, tools: PlanTool[]): boolean {
  const reading = new Set(tools.filter(({ effects }) => effects === "read").map(({ id }) => id));
  return steps.some(({ tool }) => !reading.has(tool));
}

function countedIn(
  { steps, answer }: Plan,
  references: (part: string | PlanReference) => PlanReference[],
): Counted[] {
  const counted: Counted[] = [];
  const take = (before: number) => (part: string | PlanReference) => {
    counted.push(...references(part).map(({ $prev }) => ({ step: $prev, before })));
    return [part];
  };
  for (const [at, { args }] of steps.entries()) changeAllParts(args, take(at));
  for (const part of partsOf(answer)) take(steps.length)(part);
  return counted;
}

function withReferences(plan: Plan, { by }: { by: number }): Plan {
  const less = (part: string | PlanReference) =>
    typeof part === "string" ? part : { ...part, $prev: part.$prev - by };
  const change = (part: string | PlanReference) =>
    (typeof part === "string" ? wordedParts(part) : [part]).map(less);
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, args: changeAllParts(step.args, change) })),
    answer: writeParts(partsOf(plan.answer).flatMap(change)),
  };
}
