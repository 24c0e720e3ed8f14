import { isType, outputTypes, type TypeOfReference } from "./outputTypes.js";
import type { CheckedPlan, PlanReference, PlanTool } from "./plan.js";
import { changeAllParts, partsOf, writeParts, writeReference } from "./references.js";

/** Names by which models refer to a whole output, as if it were a field. */
const WHOLE = new Set<unknown>(["result", "output", "value"]);

/** Whether a part of a path only means the output itself, if the output has no such field. */
export function meansWhole(part: string | number): boolean {
  return WHOLE.has(part);
}

/** Replaces `$$PREV[0].result` by `$$PREV[0]` if only that leads to something. */
export function trimReferences(
  checked: CheckedPlan,
  tools: ReadonlyMap<string, PlanTool>,
): CheckedPlan {
  const { steps, answer } = checked.plan;
  const repairs: string[] = [];
  const trimAt = (before: number) => {
    const typeOf = outputTypes({ steps, tools, before });
    return (part: string | PlanReference) => {
      const inner = typeof part === "string" ? undefined : trimmed(part, typeOf);
      if (typeof part === "string" || !inner) return [part];
      repairs.push(`${writeReference(part)} was taken for ${writeReference(inner)}`);
      return [inner];
    };
  };
  const plan = {
    ...checked.plan,
    steps: steps.map((step, at) => ({ ...step, args: changeAllParts(step.args, trimAt(at)) })),
    answer: writeParts(partsOf(answer).flatMap(trimAt(steps.length))),
  };
  if (repairs.length === 0) return checked;
  return { ...checked, plan, repairs: [...checked.repairs, ...repairs] };
}

function trimmed(reference: PlanReference, typeOf: TypeOfReference): PlanReference | undefined {
  const [first, ...path] = reference.path;
  if (first === undefined || !meansWhole(first) || isType(typeOf(reference))) return undefined;
  const inner = { ...reference, path };
  return isType(typeOf(inner)) ? inner : undefined;
}
