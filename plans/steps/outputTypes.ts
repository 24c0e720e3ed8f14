import type { Plan, PlanIssue, PlanReference, PlanTool } from "./plan.js";
import { writeReference } from "./references.js";
import {
  ANY,
  fieldsOf,
  itemsOf,
  otherFieldsOf,
  type Shape,
  shapesOf,
  type Typed,
  typeInWords,
} from "./schemaTypes.js";

/** What is wrong with a value; the caller knows where. */
export type Problem = Omit<PlanIssue, "step">;

/** The type of a reference's target, or why there is none. */
export type TypeOfReference = (reference: PlanReference) => Typed | Problem;

/**
 * Types of references, as seen from one place in a plan.
 *
 * @param before only outputs of steps before this position exist
 */
export function outputTypes(
  steps: Plan["steps"],
  tools: ReadonlyMap<string, PlanTool>,
  before: number,
): TypeOfReference {
  return (reference) => {
    const { $prev, path } = reference;
    const step = steps[$prev];
    const written = writeReference(reference);
    if (!step) {
      const there = steps.length > 0 ? `steps are numbered 0 to ${steps.length - 1}` : "no steps";
      return { kind: "missing step", problem: `${written} refers to no step; there are: ${there}` };
    }
    if ($prev >= before) {
      const problem = `${written} refers to a result that is not there yet; only steps before ${before} can be used`;
      return { kind: "forward reference", problem };
    }
    const returns = tools.get(step.tool)?.returns;
    return typeAtPath(returns ? { schema: returns, root: returns } : ANY, path, written);
  };
}

export function isType(found: Typed | Problem): found is Typed {
  return "schema" in found;
}

function typeAtPath(output: Typed, path: PlanReference["path"], written: string): Typed | Problem {
  let type = output;
  for (const part of path) {
    const found = shapesOf(type).flatMap((shape) => typeOfPart(shape, part) ?? []);
    if (found.length === 0) {
      const name = JSON.stringify(part);
      const problem = `${written}: there is no ${name} in ${typeInWords(type)}`;
      return { kind: "missing field", problem };
    }
    const [only] = found;
    const { root } = type;
    type =
      only && found.length === 1
        ? only
        : { schema: { anyOf: found.map(({ schema }) => schema) }, root };
  }
  return type;
}

function typeOfPart(shape: Shape, part: string | number): Typed | undefined {
  if (shape.base === "any") return { ...ANY, root: shape.root };
  if (typeof part === "number") return shape.base === "array" ? itemsOf(shape) : undefined;
  if (shape.base !== "object") return undefined;
  const fields = fieldsOf(shape);
  return fields ? (fields.get(part) ?? otherFieldsOf(shape)) : (otherFieldsOf(shape) ?? ANY);
}
