import type { PlanStep } from "../../plans/plan.js";
import { referencesIn, writeReference } from "../../plans/references.js";

/**
 * What plans have in common that differ in values only: the tools, the arguments that are given, and which
 * of them come from which step.
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

/** Share of words in common from which on two requests are the same in other words. */
const ALIKE = 0.9;

/** Whether a request says nearly what another one says: the words that only one of the two has are few. */
export function isAlike(one: string, other: string): boolean {
  const [words, others] = [wordsIn(one), wordsIn(other)];
  const all = new Set([...words, ...others]);
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= ALIKE * all.size;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-.'’]\p{N}+)*/gu));
}
