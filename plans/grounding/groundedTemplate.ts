import { type StepOutputs, valueOf } from "../fillArguments.js";
import type { Plan, PlanReference } from "../plan.js";
import { partsOf, referencesIn, writeParts } from "../references.js";
import type { AnswerValue } from "./answerValues.js";
import { placeOf, tells } from "./resultPlace.js";
import type { Known } from "./sources.js";
import { ungroundedValues, writingsOf } from "./ungrounded.js";

/** Replaces references while the surrounding words are examined: neither a letter nor a digit. */
const GAP = "\uFFFC";

/**
 * The answer of a plan with a source for every value. A model that writes it before anything has run may guess
 * a value instead of referring to it. If one result is not mentioned and one value has no source, or is close
 * to that result, the result replaces it.
 *
 * @param options.last positions of the steps whose results were asked for; writes need not be mentioned
 * @returns the answer, or why a model that sees the results must word it
 */
export function groundedTemplate(options: {
  plan: Pick<Plan, "answer">;
  outputs: StepOutputs;
  known: Known;
  last: readonly { step: number; isWrite: boolean }[];
}): { answer: string } | { reason: string } {
  const { plan, outputs, known, last } = options;
  const parts = partsOf(plan.answer);
  const text = parts.map((part) => (typeof part === "string" ? part : GAP)).join("");
  const ungrounded = ungroundedValues(text, known);
  const told = new Set(
    parts
      .flatMap((part) => (typeof part === "string" ? [] : referencesIn(part)))
      .map(({ $prev }) => $prev),
  );
  const untold = last.filter(({ step }) => !told.has(step) && !tells(text, outputs[step]));
  const isSilent = told.size === 0 && untold.some(({ isWrite }) => !isWrite);
  if (ungrounded.length === 0 && !isSilent) return plan;
  const [only] = untold;
  if (only && last.length === 1) {
    const result = valueOf({ $prev: only.step, path: [] }, outputs);
    const place = "value" in result && placeFor({ text, ungrounded, known, result: result.value });
    if (place) return { answer: withReference({ parts, place, step: only.step }) };
  }
  if (ungrounded.length === 0) return { reason: "the answer tells nothing of the results" };
  return { reason: reasonFor(ungrounded) };
}

/** Where the result belongs: in place of the value without a source, or the value close to it. */
function placeFor(options: {
  text: string;
  ungrounded: readonly AnswerValue[];
  known: Known;
  result: unknown;
}): { start: number; end: number } | undefined {
  const { text, ungrounded, known, result } = options;
  const guessed = ungrounded.length > 0 ? ungrounded : writingsOf(result, { text, known });
  return placeOf({ text, ungrounded: guessed, result });
}

function reasonFor(ungrounded: readonly AnswerValue[]): string {
  const written = [...new Set(ungrounded.map((value) => value.written.trim()))];
  return `the answer holds ${written.join("; ")}, which neither the request nor a result gives`;
}

/** The template with a reference at this place. */
function withReference(options: {
  parts: readonly (string | PlanReference)[];
  place: { start: number; end: number };
  step: number;
}): string {
  const { parts, place, step } = options;
  let offset = 0;
  const changed = parts.flatMap((part): (string | PlanReference)[] => {
    const start = place.start - offset;
    const end = place.end - offset;
    offset += typeof part === "string" ? part.length : GAP.length;
    if (typeof part !== "string" || start < 0 || end > part.length) return [part];
    return [part.slice(0, start), { $prev: step, path: [] }, part.slice(end)];
  });
  return writeParts(changed.filter((part) => part !== ""));
}
