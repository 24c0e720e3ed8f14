import type { PlanReference } from "../../../plans/plan.js";
import { isReference, isText, partsOf } from "../../../plans/references.js";

/** An argument with its references taken out. */
interface ReadReferences {
  /** Positions of the steps that it refers to, from 0. */
  steps: number[];
  /** What is left: the values that were written down. */
  literals: unknown;
}

/** Finds references at any depth, written as texts (`$$PREV[0].name`) or as they are in a plan. */
export function readReferences(value: unknown): ReadReferences {
  if (typeof value === "string") return readParts(partsOf(value));
  if (isReference(value)) return readParts([value]);
  if (isText(value)) return readParts(value.$text);
  if (typeof value !== "object" || value === null) return { steps: [], literals: value };
  const inner = Object.values(value).map(readReferences);
  return {
    steps: inner.flatMap(({ steps }) => steps),
    literals: inner.map(({ literals }) => literals),
  };
}

function readParts(parts: readonly (string | PlanReference)[]): ReadReferences {
  return {
    steps: parts.flatMap((part) => (typeof part === "string" ? [] : part.$prev)),
    literals: parts.filter((part) => typeof part === "string"),
  };
}
