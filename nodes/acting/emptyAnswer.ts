import { parseJson } from "../../common/jsonInText.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { answerValues } from "../../plans/grounding/writtenValues.js";
import { leavesOf } from "../../plans/grounding/valueText.js";
import { deniesExistence } from "../../plans/grounding/words.js";
import { wholeResult } from "../kit/stage.js";
import type { Call } from "../../state/state.js";
import { hasSucceeded } from "../../state/calls.js";

const NUMBER_WORD =
  /\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen)\b/i;

/** A shorter word says nothing by itself. */
const SHORTEST_WORD = 3;

/** "I will now close it", "let me see", "here is the answer:" with nothing after it: said before work, not after it. */
const PROMISE =
  /^(?:\w+[!.,]\s+)?(?:let (?:me|us)(?! know)|(?:i|we)(?:['’]ll| will) (?:now|first|start|begin)|(?:i|we)(?:['’]m| am|['’]re| are) (?:about|going) to)\b[^.!?:\n]*[.!…:]*$|\bhere (?:is|are) [^.:\n]*:$/i;

/** A call that was meant to be made, whatever surrounds it. */
const UNREAD_CALL =
  /["'](?:name|tool|tool_name|function)["']\s*:\s*["'][\w.-]+["']\s*,\s*["'](?:arguments|args|parameters)["']\s*:/;

/**
 * Whether a text is not an answer at all: no words, only a promise of one, an unreadable call, or
 * data that is empty, such as `null`, or cut off. A reply that is just an object counts as such a call too.
 *
 * @param options.inWords it is the whole reply, not an answer passed to a control tool
 */
export function isNoAnswer(answer: string, { inWords = false } = {}): boolean {
  const data = parseJson(answer);
  if (!/[\p{L}\p{N}]/u.test(answer) || data === null) return true;
  if (PROMISE.test(answer.trim()) || UNREAD_CALL.test(answer)) return true;
  if (data === undefined) return /^\s*[[{]/.test(answer);
  return inWords && (typeof data === "boolean" || isPlainObject(data));
}

/**
 * Whether an answer reports nothing that look-ups found: no value and no word of a result. A yes or no, none (for 0), an
 * empty result and a change may be reported in any words.
 *
 * @param options.calls those the answer is about
 * @param options.isWrite whether a tool changes something, by its id
 */
export function tellsNothing(
  answer: string,
  calls: readonly Call[],
  isWrite: (tool: string) => boolean,
): boolean {
  const done = calls.filter(hasSucceeded);
  if (done.length === 0 || done.some(({ tool }) => isWrite(tool))) return false;
  const found = done.flatMap((call) => leavesOf(wholeResult(call)));
  const isPlain = found.every((leaf) => typeof leaf === "number" || typeof leaf === "string");
  const values = answerValues(answer).filter(({ kind }) => kind !== "name");
  if (found.length === 0 || !isPlain) return false;
  if (values.length > 0 || NUMBER_WORD.test(answer)) return false;
  if (found.includes(0) && deniesExistence(answer)) return false;
  const said = new Set(wordsOf(answer));
  return !found.some((leaf) => wordsOf(String(leaf)).some((word) => said.has(word)));
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= SHORTEST_WORD);
}
