import type { PlanIssue, PlanReference, PlanStep, PlanValue } from "./plan.js";
import { isPlainObject, isReference, isText, referencesIn, writeReference } from "./references.js";
import { meansWhole } from "./trimReferences.js";

/** Results of steps by position; steps that have not run are missing. */
export type StepOutputs = Readonly<Record<number, unknown>>;

/** Most available names listed. */
const NAMES_SHOWN = 12;

/**
 * The arguments of a step with references replaced by earlier results.
 *
 * @param options.step position of the step; outputs from it on are not used even if present
 * @param options.inText how other values appear in texts; default: JSON
 * @returns the arguments, or the first dangling reference and what is available instead
 */
export function fillArguments(options: {
  step: number;
  args: PlanStep["args"];
  outputs: StepOutputs;
  inText?: (value: unknown) => string;
}): { args: Record<string, unknown> } | { issue: PlanIssue } {
  const { step, args, outputs, inText = JSON.stringify } = options;
  const values = new Map<PlanReference, unknown>();
  for (const [argument, value] of Object.entries(args)) {
    for (const reference of referencesIn(value)) {
      const found = reference.$prev < step ? valueOf(reference, outputs) : notYet(reference);
      if ("problem" in found) {
        const problem = `step ${step}: ${argument}: ${found.problem}`;
        return { issue: { step, argument, kind: found.kind, problem } };
      }
      values.set(reference, found.value);
    }
  }
  const filled = Object.entries(args).map(
    ([name, value]) => [name, fill(value, values, inText)] as const,
  );
  return { args: Object.fromEntries(filled) };
}

/** The value of a reference, or why there is none and what is available instead. */
export function valueOf(
  reference: PlanReference,
  outputs: StepOutputs,
): { value: unknown } | Pick<PlanIssue, "kind" | "problem"> {
  const { $prev, path } = reference;
  const written = writeReference(reference);
  let value = Object.hasOwn(outputs, $prev) ? outputs[$prev] : undefined;
  if (value === undefined) {
    return { kind: "missing step", problem: `${written} refers to a step that gave no result` };
  }
  for (const [depth, part] of path.entries()) {
    const found = partOf(value, part);
    // If a tool does not declare its result, only the output shows that the field is missing.
    if (found === undefined && depth === 0 && !isPlainObject(value) && meansWhole(part)) continue;
    if (found === undefined) {
      const reached = writeReference({ $prev, path: path.slice(0, depth) });
      const problem = `${written} leads to nothing; ${reached} is ${inWords(value)}`;
      return { kind: "missing field", problem };
    }
    value = found;
  }
  return { value };
}

function notYet(reference: PlanReference): Pick<PlanIssue, "kind" | "problem"> {
  const problem = `${writeReference(reference)} refers to a result that is not there yet`;
  return { kind: "forward reference", problem };
}

/** @param values by the references of this plan */
function fill(
  value: PlanValue,
  values: ReadonlyMap<PlanReference, unknown>,
  inText: (value: unknown) => string,
): unknown {
  const inner = (one: PlanValue) => fill(one, values, inText);
  if (isReference(value)) return values.get(value);
  if (isText(value)) {
    const parts = value.$text.map((part) => (typeof part === "string" ? part : values.get(part)));
    return parts.map((part) => (typeof part === "string" ? part : inText(part))).join("");
  }
  if (Array.isArray(value)) return value.map(inner);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, inner(one)] as const);
  return Object.fromEntries(entries);
}

/** Own properties only: `constructor` is not a field of a result. */
function partOf(value: unknown, part: string | number): unknown {
  if (typeof part === "number") return Array.isArray(value) ? value.at(part) : undefined;
  return isPlainObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isPlainObject(value)) {
    return value === null || value === undefined ? "nothing" : `a ${typeof value}`;
  }
  const names = Object.keys(value);
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return names.length === 0
    ? "an object with no fields"
    : `an object with ${names.slice(0, NAMES_SHOWN).join(", ")}${more}`;
}
