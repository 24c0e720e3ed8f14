import type { Plan, PlanReference, PlanValue } from "../../plans/steps/plan.js";
import { isPlainObject, textOf } from "../../plans/steps/references.js";
import type { CallRow } from "./taskRows.js";

/** `$var1$` or `$var1.hotels[0].name$`: the output of the call with that label, or a part of it. */
const REFERENCE = /\$([A-Za-z_]\w*)((?:\.\w+|\[\d+\])*)\$/g;

const PATH_PART = /\.(\w+)|\[(\d+)\]/g;

/**
 * Gold calls as a plan, if the origin labels their outputs and refers to the labels in later arguments (NESTFUL);
 * otherwise undefined.
 */
export function nestedPlan(calls: readonly CallRow[]): Plan | undefined {
  const positions = new Map(
    calls.flatMap(({ label }, at) => (label ? [[label, at] as const] : [])),
  );
  if (positions.size === 0) return undefined;
  const steps = calls.map(({ tool, args = {} }) => {
    const value = withReferences(args as PlanValue, positions);
    return isPlainObject(value) ? { tool, args: value } : undefined;
  });
  const named = steps.filter((step) => step !== undefined);
  return named.length === steps.length ? { steps: named, answer: "" } : undefined;
}

function withReferences(value: PlanValue, positions: ReadonlyMap<string, number>): PlanValue {
  if (typeof value === "string") return textOf(partsOf(value, positions));
  if (Array.isArray(value)) return value.map((item) => withReferences(item, positions));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withReferences(inner, positions)]),
  );
}

/** Amounts in dollars also put text between two `$`: only labels of calls count. */
function partsOf(text: string, positions: ReadonlyMap<string, number>): (string | PlanReference)[] {
  const parts: (string | PlanReference)[] = [];
  let end = 0;
  for (const { 0: whole, 1: label = "", 2: path = "", index } of text.matchAll(REFERENCE)) {
    const $prev = positions.get(label);
    if ($prev === undefined) continue;
    parts.push(text.slice(end, index), { $prev, path: pathOf(path) });
    end = index + whole.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

function pathOf(path: string): PlanReference["path"] {
  return [...path.matchAll(PATH_PART)].map(([, name, position]) => name ?? Number(position));
}
