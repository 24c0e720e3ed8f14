import { isFuture } from "./futures.js";
import type { Mention } from "./quantities.js";
import type { ReadStep } from "./stepChoices.js";
import type { Results } from "./values.js";

/** A difference between two values has no order in English; the larger one comes first. */
export function largerFirst(step: ReadStep & { results: Results }): Mention[] {
  const { mentions, results } = step;
  if (!isDifference(step)) return mentions;
  const sizes = mentions.map((mention) => Number(valueOf(mention, results)));
  return (sizes[0] ?? 0) < (sizes[1] ?? 0) ? mentions.toReversed() : mentions;
}

/** Whether only the results themselves will tell which value comes first. */
export function waitsForOrder(step: ReadStep & { results: Results }): boolean {
  const { mentions, results } = step;
  return isDifference(step) && mentions.some((mention) => isFuture(valueOf(mention, results)));
}

function isDifference({ asked, mentions }: ReadStep): boolean {
  return /\bdifference between\b/i.test(asked) && mentions.length === 2;
}

function valueOf({ kind, value }: Mention, results: Results): unknown {
  return kind === "reference" ? results.get(Number(value)) : value;
}
