import { valueOf, type StepOutputs } from "./fillArguments.js";
import type { Plan, PlanIssue } from "./plan.js";
import { hasBrokenReference, isPlainObject, partsOf } from "./references.js";

/** A longer list or object is cut in an answer; the calls keep it whole. */
const LONGEST_DATA = 2000;

/**
 * The answer of a plan with what its steps have given: texts as they are, lists of them with commas, other
 * data as JSON.
 *
 * @returns the text, empty where the plan has no answer; or the first reference that leads to nothing
 */
export function answerText(options: {
  plan: Pick<Plan, "answer">;
  outputs: StepOutputs;
}): { text: string } | { issue: PlanIssue } {
  const { plan, outputs } = options;
  let text = "";
  for (const part of partsOf(plan.answer)) {
    const found = typeof part === "string" ? readable(part) : valueOf(part, outputs);
    if ("problem" in found)
      return { issue: { kind: "answer", problem: `answer: ${found.problem}` } };
    text += shortText(found.value);
  }
  return { text };
}

function readable(text: string): { value: string } | { problem: string } {
  if (!hasBrokenReference(text)) return { value: text };
  return { problem: `${text.trim()} refers to outputs in a form that cannot be read` };
}

function shortText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "nothing";
  if (!Array.isArray(value)) return cut(JSON.stringify(value));
  if (value.length === 0) return "none";
  const isPlain = value.every((item) => !Array.isArray(item) && !isPlainObject(item));
  return cut(isPlain ? value.map(shortText).join(", ") : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > LONGEST_DATA ? `${text.slice(0, LONGEST_DATA)} …` : text;
}
