import type { Plan, PlanValue } from "./plan.js";
import { isPlainObject, isReference, isText, writeParts, writeReference } from "./references.js";

/**
 * A plan in the form in which "AI Agent 007" states solutions: a JSON list of calls with their arguments, `[]`
 * for no call at all. Names are sorted, so that equal plans have equal texts, which similarity scores compare.
 *
 * @param options.nameOf what the model calls a tool, if not by its id
 */
export function solutionText(
  plan: Pick<Plan, "steps">,
  { nameOf = (tool) => tool }: { nameOf?: (tool: string) => string } = {},
): string {
  const calls = plan.steps.map(({ tool, args }) => ({
    tool_name: nameOf(tool),
    arguments: sortedEntries(args).map(([name, value]) => ({
      argument_name: name,
      argument_value: writtenValue(value),
    })),
  }));
  return JSON.stringify(calls);
}

/** A value as JSON data, with references as texts and the names of objects sorted. */
export function writtenValue(value: PlanValue): unknown {
  if (isReference(value)) return writeReference(value);
  if (isText(value)) return writeParts(value.$text);
  if (Array.isArray(value)) return value.map(writtenValue);
  if (!isPlainObject(value)) return value;
  const entries = sortedEntries(value).map(([key, inner]) => [key, writtenValue(inner)] as const);
  return Object.fromEntries(entries);
}

function sortedEntries(values: Record<string, PlanValue>): [string, PlanValue][] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A plan as its model would write it: steps with references as texts, and the answer. */
export function planText(
  { steps, answer }: Plan,
  { nameOf = (tool) => tool }: { nameOf?: (tool: string) => string } = {},
): string {
  return JSON.stringify({
    steps: steps.map(({ tool, args }) => ({ tool: nameOf(tool), args: writtenValue(args) })),
    answer,
  });
}
