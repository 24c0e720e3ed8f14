import type { PlanIssue, PlanReference, PlanStep, PlanValue } from "./plan.js";
import { isPlainObject, isReference, isText, referencesIn, writeReference } from "./references.js";
import { meansWhole } from "./trimReferences.js";

/** Results of steps by their position; a step that has not run has none. */
export type StepOutputs = Readonly<Record<number, unknown>>;

/** At most this many names are listed of what is there. */
const NAMES_SHOWN = 12;

/**
 * The arguments of a step with each reference replaced by what the steps before it have given.
 *
 * @param options.step position of the step: outputs from it on are not used even where they are there
 * @param options.inText how what is no text stands in one; as JSON when absent
 * @returns the arguments, or the first reference that leads to nothing and what there is in its place
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

/** What a reference stands for, or why it stands for nothing and what there is in its place. */
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
    // Of a tool that does not declare what it gives, only the output itself tells that it has no such field.
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

/** @param values by the references of this very plan */
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

/** Only what is the value's own: `constructor` is no field of a result. */
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
