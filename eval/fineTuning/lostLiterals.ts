import type { DemonstrationCall } from "../../memory/demonstrations/demonstrationStore.js";
import { evidenceOf, isDerivable } from "../scorers/planning/planEvidence.js";

/**
 * Values that calls take from a request, such as numbers, ids and names, and that another wording has lost: the calls
 * would be wrong for that wording. Small numbers may be written in words. A text that the request contains verbatim
 * must be verbatim in the wording; if the request contains only its words, the wording needs only those.
 */
export function lostLiterals(options: {
  request: string;
  wording: string;
  calls: readonly Pick<DemonstrationCall, "args">[];
}): (string | number)[] {
  const { request, wording, calls } = options;
  const before = evidenceOf([request]);
  const after = evidenceOf([wording]);
  const literals = new Set(calls.flatMap(({ args }) => literalsIn(args)));
  return [...literals].filter((literal) => {
    if (typeof literal === "number") {
      return before.numbers().includes(literal) && !after.numbers().includes(literal);
    }
    if (standsIn(literal, request)) return !standsIn(literal, wording);
    return isDerivable(literal, [before]) && !isDerivable(literal, [after]);
  });
}

function literalsIn(value: unknown): (string | number)[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(literalsIn);
}

/** Finds whole words. Capitals count in names and ids; a lower-case word may begin a sentence. */
function standsIn(literal: string, text: string): boolean {
  const around = (literal === literal.toLowerCase() ? text.toLowerCase() : text).split(literal);
  return around
    .slice(1)
    .some((after, at) => !/[\p{L}\p{N}]$/u.test(around[at] ?? "") && !/^[\p{L}\p{N}]/u.test(after));
}
