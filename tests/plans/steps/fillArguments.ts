import { valueText } from "../../../plans/grounding/valueText.js";
import type { PlanReference, PlanStep, PlanValue } from "../../../plans/steps/plan.js";
import {
  hasBrokenReference,
  isPlainObject,
  isReference,
  isText,
  partsOf,
  referencesIn,
} from "../../../plans/steps/references.js";

/** Results of steps by position; steps that have not run are missing. */
type StepOutputs = Readonly<Record<number, unknown>>;

/**
 * The arguments of a step with references replaced by results of earlier steps; undefined if one leads to
 * nothing.
 *
 * @param step position of the step; outputs from it on are not used even if present
 */
export function fillArguments(
  step: number,
  args: PlanStep["args"],
  outputs: StepOutputs,
): Record<string, unknown> | undefined {
  const values = new Map<PlanReference, unknown>();
  for (const reference of Object.values(args).flatMap(referencesIn)) {
    const value = reference.$prev < step ? valueOf(reference, outputs) : undefined;
    if (value === undefined) return undefined;
    values.set(reference, value);
  }
  return filledFields(args, values);
}

/** The answer of a plan with references replaced by results, as people read it; undefined if one leads to nothing. */
export function answerText(answer: string, outputs: StepOutputs): string | undefined {
  const texts = partsOf(answer).map((part) => {
    if (typeof part === "string") return hasBrokenReference(part) ? undefined : part;
    const value = valueOf(part, outputs);
    return value === undefined ? undefined : valueText(value);
  });
  return texts.includes(undefined) ? undefined : texts.join("");
}

/** Follows own properties only: `constructor` is not a field of a result. */
function valueOf({ $prev, path }: PlanReference, outputs: StepOutputs): unknown {
  let value: unknown = Object.hasOwn(outputs, $prev) ? outputs[$prev] : undefined;
  for (const part of path) {
    if (typeof part === "number") value = Array.isArray(value) ? value.at(part) : undefined;
    else value = isPlainObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** @param values by the references of this plan */
function filled(value: PlanValue, values: ReadonlyMap<PlanReference, unknown>): unknown {
  if (isReference(value)) return values.get(value);
  if (isText(value)) {
    const parts = value.$text.map((part) => (typeof part === "string" ? part : values.get(part)));
    return parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join("");
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  return isPlainObject(value) ? filledFields(value, values) : value;
}

function filledFields(
  fields: Record<string, PlanValue>,
  values: ReadonlyMap<PlanReference, unknown>,
): Record<string, unknown> {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.map(([name, value]) => [name, filled(value, values)]));
}
