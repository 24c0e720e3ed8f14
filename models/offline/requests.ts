import { type SumStep, readSum, stepText } from "./sums.js";
import { type ReadText, readText } from "./texts.js";

/** One step of a request: whatever one call does, or an operation on numbers. */
export interface Step extends ReadText {
  /** In words that can be read again; "the result of step 1" stands for the first one's result. */
  text: string;
  sum?: SumStep;
}

/** Outside of quoted texts, in which "then" and "it" are words like any other. */
const OUTSIDE = String.raw`(?=(?:[^"“”\x60]*["“\x60][^"“”\x60]*["”\x60])*[^"“”\x60]*$)`;

const THEN = new RegExp(String.raw`(?:\s*[.;,!?]\s*|\s+)(?:and\s+)?then\b,?\s*${OUTSIDE}`, "i");

const LAST_RESULT = new RegExp(
  String.raw`\b(?:it|this|that|the (?:(?:final|last|previous) )?(?:result|answer))\b(?! of step)${OUTSIDE}`,
  "i",
);

/**
 * Reads a request as clauses joined by "then".
 *
 * @throws Refusal if it cannot be read
 */
export function readRequest(request: string): Step[] {
  const steps: Step[] = [];
  const [first = "", ...others] = request.trim().split(THEN);
  const start = others.length > 0 ? first.replace(/^first,?\s+/i, "") : first;
  for (const clause of [start, ...others]) {
    const done = steps.length;
    const sum = readSum(clause, done).map(stepText);
    const result = `the result of step ${done}`;
    const call = done > 0 ? clause.replace(LAST_RESULT, result) : clause;
    steps.push(...(sum.length > 0 ? sum : [call]).map(readStep));
  }
  return steps;
}

/**
 * Reads one step alone; results in it are written "the result of step 1".
 *
 * @throws Refusal if it cannot be read
 */
export function readStep(text: string): Step {
  const [sum, ...others] = readSum(text, 0);
  if (!sum || others.length > 0) return { ...readText(text), text };
  // The values are in the order of the operation, whatever that of the words is.
  const literals = sum.operands
    .flatMap((operand) => readText(operand).literals)
    .map((literal) => ({ ...literal, isListed: true, near: [] }));
  return { text, sum, phrase: sum.operation.phrase, literals, words: [], said: [] };
}
