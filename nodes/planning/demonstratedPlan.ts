import { isDeepStrictEqual } from "node:util";
import type { Plan, PlanReference, PlanValue } from "../../plans/steps/plan.js";
import { isPlainObject, writeParts } from "../../plans/steps/references.js";
import type { ShownDemonstration } from "../kit/stageInputs.js";

/** How many fields of a result are examined, and how deep. */
const DEEPEST = 4;
const MOST_PARTS = 500;

/**
 * The plan one would have written without knowing the results: arguments and answer refer to earlier results
 * where their values came from them. Values from the task itself stay, and so do booleans, null and empty data,
 * which may be equal by chance.
 */
export function demonstratedPlan({ task, calls, answer = "" }: ShownDemonstration): Plan {
  const known: Part[] = [];
  const steps = calls.map(({ name, args, result }, at) => {
    const entries = Object.entries(args).map(
      ([key, value]) => [key, planned(value, known, task)] as const,
    );
    // The latest result is the likeliest source.
    if (result !== undefined) known.unshift(...partsOfResult(result, at));
    return { tool: name, args: Object.fromEntries(entries) };
  });
  return { steps, answer: plannedAnswer(answer, known, task) };
}

interface Part {
  value: unknown;
  reference: PlanReference;
}

/** A result and its parts, outermost first. */
function partsOfResult(result: unknown, $prev: number): Part[] {
  const parts: Part[] = [{ value: result, reference: { $prev, path: [] } }];
  for (const { value, reference } of parts) {
    if (reference.path.length === DEEPEST || parts.length > MOST_PARTS) break;
    for (const [key, inner] of innerParts(value)) {
      parts.push({ value: inner, reference: { $prev, path: [...reference.path, key] } });
    }
  }
  return parts;
}

function innerParts(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.slice(0, MOST_PARTS).entries()];
  return isPlainObject(value) ? Object.entries(value) : [];
}

function planned(value: unknown, known: readonly Part[], task: string): PlanValue {
  const source = isTelling(value, task)
    ? known.find((part) => isDeepStrictEqual(part.value, value))
    : undefined;
  if (source) return source.reference;
  if (Array.isArray(value)) return value.map((item) => planned(item, known, task));
  if (!isPlainObject(value)) return (value ?? null) as PlanValue;
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, planned(inner, known, task)] as const,
  );
  return Object.fromEntries(entries);
}

/** Whether a value is distinctive enough to tell where it came from. */
function isTelling(value: unknown, task: string): boolean {
  if (typeof value === "string" || typeof value === "number") return !saysIn(task, String(value));
  if (Array.isArray(value)) return value.length > 0 && !value.every((item) => isSaid(item, task));
  return isPlainObject(value) && Object.keys(value).length > 0;
}

function isSaid(value: unknown, task: string): boolean {
  return (typeof value === "string" || typeof value === "number") && saysIn(task, String(value));
}

/** Whether a text contains another as a separate word; an empty one always counts. */
function saysIn(text: string, word: string): boolean {
  return word.trim() === "" || placeOf(text, word) >= 0;
}

/** Position of a word that is not part of a longer word or number; -1 if none. */
function placeOf(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isBegun = /[\p{L}\p{N}_]$|\d[.,]$/u.test(text.slice(0, at));
    const goesOn = /^([\p{L}\p{N}_]|[.,]\d)/u.test(text.slice(at + word.length));
    if (!isBegun && !goesOn) return at;
  }
  return -1;
}

/** The answer with references to results; empty if it has none, so it had to be worded afterwards. */
function plannedAnswer(answer: string, known: readonly Part[], task: string): string {
  let parts: (string | PlanReference)[] = [answer];
  for (const { value, reference } of known) {
    const isWord = typeof value === "string" || typeof value === "number";
    if (!isWord || !isTelling(value, task)) continue;
    const word = String(value);
    parts = parts.flatMap((part) =>
      typeof part === "string" ? replaced(part, word, reference) : part,
    );
  }
  return parts.some((part) => typeof part !== "string") ? writeParts(parts) : "";
}

function replaced(text: string, word: string, reference: PlanReference) {
  const at = placeOf(text, word);
  if (at < 0) return [text];
  return [text.slice(0, at), reference, text.slice(at + word.length)].filter((part) => part !== "");
}
