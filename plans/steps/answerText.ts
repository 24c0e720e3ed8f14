import { valueOf, type StepOutputs } from "./fillArguments.js";
import type { Plan, PlanIssue, PlanReference } from "./plan.js";
import { hasBrokenReference, partsOf, writeReference } from "./references.js";
import { namesOfIds, valueText } from "../grounding/valueText.js";

/**
 * The answer of a plan filled in with the results of its steps, as people read it. Ids are followed by the name
 * a step returned for them, unless the answer mentions it anyway.
 *
 * @returns the text, empty if the plan has no answer; or the first dangling reference
 */
export function answerText(options: {
  plan: Pick<Plan, "answer">;
  outputs: StepOutputs;
}): { text: string } | { issue: PlanIssue } {
  const { plan, outputs } = options;
  const parts = partsOf(plan.answer);
  const values: unknown[] = [];
  for (const [at, part] of parts.entries()) {
    const found = typeof part === "string" ? readable(part) : valueOf(part, outputs);
    const problem = "problem" in found ? found.problem : calculation(parts, at, found);
    if (problem) return { issue: { kind: "answer", problem: `answer: ${problem}` } };
    values.push("value" in found ? found.value : undefined);
  }
  const plain = written(parts, values, new Map());
  const names = [...namesOfIds(Object.values(outputs))].filter(([, name]) => !plain.includes(name));
  return { text: names.length > 0 ? written(parts, values, new Map(names)) : plain };
}

function written(
  parts: (string | PlanReference)[],
  values: readonly unknown[],
  names: ReadonlyMap<string, string>,
): string {
  const texts = parts.map((part, at) => {
    if (typeof part === "string") return part;
    return valueText(values[at], { names, isMoney: isMoney(parts[at - 1], parts[at + 1]) });
  });
  return texts.join("");
}

function isMoney(before: unknown, after: unknown): boolean {
  const isLed = typeof before === "string" && /[$€£]\s?$/.test(before);
  return isLed || (typeof after === "string" && /^\s?(?:[$€£]|euros?\b|dollars?\b)/i.test(after));
}

function readable(text: string): { value: string } | { problem: string } {
  if (!hasBrokenReference(text)) return { value: text };
  return { problem: `${text.trim()} refers to outputs in a form that cannot be read` };
}

const OPERATOR_BEHIND = /^\s*[-−–+*×÷^/]\s*[\d(]/;

const OPERATOR_BEFORE = /(?:\d\s*[+*×÷^/]|\d\s+[-−–]\s)\s*$|[a-z]\($/i;

/** Why a number in the text is part of a calculation nobody does; empty if it is not. */
function calculation(
  parts: (string | PlanReference)[],
  at: number,
  found: { value: unknown },
): string {
  const part = parts[at];
  if (typeof part !== "object" || typeof found.value !== "number") return "";
  const [before, after] = [parts[at - 1], parts[at + 1]].map((text) =>
    typeof text === "string" ? text : "",
  );
  const next = parts[at + 2];
  const joins = typeof next === "object" && /^\s*(?:[+*×÷^/])\s*$/.test(after ?? "");
  const isPart = joins || OPERATOR_BEHIND.test(after ?? "") || OPERATOR_BEFORE.test(before ?? "");
  // An equation states its result: "12 + 30 = 42".
  const isEquation = parts
    .slice(at + 1)
    .some((other) => typeof other === "string" && other.includes("="));
  if (!isPart || isEquation) return "";
  return `${writeReference(part)} stands in a calculation, which nobody makes in an answer`;
}
