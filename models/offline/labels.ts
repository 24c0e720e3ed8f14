import { genericPhrase } from "./phrases.js";

/**
 * A part of a task with its general wording in front: "add two numbers: add the result of step 1 and 2".
 * Trees search with the words of a task, and those that only refer to results say little of the tool.
 */
export function labelled(step: string): string {
  if (!/\bresults? of (?:step|part) \d/i.test(step)) return step;
  const text = `${genericPhrase(step)}: ${step}`;
  return withoutLabel(text) === step ? text : step;
}

/** Undoes {@link labelled}; any other text stays as it is. */
export function withoutLabel(text: string): string {
  const at = text.indexOf(": ");
  const step = text.slice(at + 2);
  return at > 0 && genericPhrase(step) === text.slice(0, at) ? step : text;
}
