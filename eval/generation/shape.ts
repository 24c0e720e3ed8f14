import type { PlanStep } from "../../plans/steps/plan.js";
import { referencesIn, writeReference } from "../../plans/steps/references.js";

/**
 * The shape of a plan, the same for plans that differ only in values: the tools, the given arguments, and the steps that
 * these come from.
 */
export function shapeOf(steps: readonly PlanStep[]): string {
  return steps
    .map(({ tool, args }) => {
      const names = Object.keys(args).toSorted();
      const given = names.map((name) => {
        const references = referencesIn(args[name] ?? null).map(writeReference);
        return references.length > 0 ? `${name}=${references.join("+")}` : name;
      });
      return `${tool}(${given.join(", ")})`;
    })
    .join("; ");
}

/** Requests with this share of common words count as the same. */
const ALIKE = 0.9;

/** Whether two requests have nearly the same words. */
export function isAlike(one: string, other: string): boolean {
  const [words, others] = [wordsIn(one), wordsIn(other)];
  const all = new Set([...words, ...others]);
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= ALIKE * all.size;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-.'’]\p{N}+)*/gu));
}
