import { valueText } from "./valueText.js";
import type { AnswerValue } from "./answerValues.js";

/** Longer texts are not values within a sentence. */
const LONGEST_VALUE = 80;

/** Whether a result is a single value that a sentence can contain. */
export function isValue(result: unknown): result is string | number | boolean {
  if (typeof result === "string") {
    return result.length > 0 && result.length <= LONGEST_VALUE && !result.includes("\n");
  }
  return typeof result === "number" || typeof result === "boolean";
}

/**
 * Where a missing result belongs in a text: in place of the only value without a source, if it is of the same
 * kind. Undefined if ambiguous.
 */
export function placeOf(options: {
  text: string;
  ungrounded: readonly AnswerValue[];
  result: unknown;
}): { start: number; end: number } | undefined {
  const { text, ungrounded, result } = options;
  const [value, ...others] = ungrounded;
  if (!value || others.length > 0 || !isValue(result) || tells(text, result)) return undefined;
  if (!mayStandFor(value, result)) return undefined;
  const isNumber = value.kind === "number";
  // A currency sign stays; a number's sign belongs to it.
  const lead = isNumber && /^[$€£]/.test(value.written) ? 1 : 0;
  const sign = isNumber && /(?:^|[\s(])[-−]$/.test(text.slice(0, value.start)) ? 1 : 0;
  return { start: value.start + lead - sign, end: value.start + value.written.length };
}

/** Whether a text contains a result as it would be written. */
function tells(text: string, result: unknown): boolean {
  const written = valueText(result);
  return written !== "" && ` ${text} `.toLowerCase().split(written.toLowerCase()).some(isApart);
}

/** Whether the split leaves the value as a separate word. */
function isApart(part: string, at: number, parts: string[]): boolean {
  const next = parts[at + 1];
  return next !== undefined && !/[\p{L}\d.]$/u.test(part) && !/^(?:[\p{L}\d]|\.\d)/u.test(next);
}

function mayStandFor(value: AnswerValue, result: string | number | boolean): boolean {
  switch (value.kind) {
    case "placeholder":
      return true;
    case "number":
      return typeof result === "number" && !value.isPercent;
    case "date":
      return typeof result === "string" && /\d{4}-\d{2}-\d{2}/.test(result);
    case "id":
      return typeof result === "string" && !/\s/.test(result) && /\d/.test(result);
    case "link":
      return typeof result === "string" && /@|^https?:/.test(result);
    default:
      return false;
  }
}
