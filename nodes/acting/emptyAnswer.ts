import { parseJson } from "../../common/jsonInText.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { answerValues } from "../../plans/grounding/answerValues.js";
import { leavesOf } from "../../plans/grounding/valueText.js";
import { wholeResult } from "../shared/wholeResult.js";
import type { Call } from "../../state/state.js";
import { FINISH, STOP, STOP_TASK } from "../../tools/control.js";

const NUMBER_WORD =
  /\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen)\b/i;

/** A shorter word says nothing by itself. */
const SHORTEST_WORD = 3;

/**
 * "I will now close it", "let me see": said before work, not after it. Promises to the user contain no such
 * words.
 */
const PROMISE =
  /^(?:(?:so|now|next|then|first)\b,?\s*)?(?:(?:i|we)(?:['’]ll| will| shall|['’]m going to| am going to|['’]re going to| are going to) (?:now|first|next|start|begin|proceed|go ahead|continue)\b|(?:i['’]m|i am|we['’]re|we are) (?:now )?about to\b|(?:i['’]m|i am|we['’]re|we are) now \w+ing\b|let (?:me|us) (?!know\b)\w)/i;

/** Filler around a promise. */
const FILLER =
  /^(?:ok(?:ay)?|sure(?: thing)?|certainly|of course|alright|all right|great|understood|(?:please )?wait|(?:one|just a) moment(?:,? please)?|(?:i['’]m |i am )?sorry(?: for the \w+)?|i apologi[sz]e(?: for the \w+)?|my apologies)$/i;

/** "Here is the corrected answer:", with nothing after it. */
const ANNOUNCEMENT = /\bhere(?:['’]s| is| are) [^.:!?\n]*:$/i;

/** Whether a text only announces that something will be done or said (in English). */
function onlyPromises(text: string): boolean {
  const rest = text.trim().replace(ANNOUNCEMENT, "");
  const sentences = rest
    .split(/(?:[.!?…:]+|,(?= I\b))(?:\s|$)|\n/)
    .flatMap((each) => each.trim() || []);
  const isPromised = rest !== text.trim() || sentences.some((each) => PROMISE.test(each));
  return isPromised && sentences.every((each) => PROMISE.test(each) || FILLER.test(each));
}

/** A call that was meant to be made, whatever surrounds it. */
const UNREAD_CALL =
  /["'](?:name|tool|tool_name|function)["']\s*:\s*["'][\w.-]+["']\s*,\s*["'](?:arguments|args|parameters)["']\s*:/;

/** `stop(true)`: the end of the work as code whose arguments cannot be read. */
const UNREAD_END = new RegExp(`^\\s*(?:${STOP.name}|${FINISH.name})\\s*\\(.*\\)\\s*;?\\s*$`, "s");

/** How the control tools describe an answer: small models return that as the answer. */
const DESCRIPTIONS = [
  STOP.parameters.properties["message"],
  STOP_TASK.parameters.properties["message"],
  FINISH.parameters.properties["final_answer"],
].map((parameter) => asWords(String(parameter?.description)));

function repeatsDescription(answer: string): boolean {
  const words = asWords(answer);
  return (
    words.split(" ").length > 2 && DESCRIPTIONS.some((description) => description.startsWith(words))
  );
}

function asWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * Whether a text is not an answer at all: no words, only a promise or description of one, an unreadable call, or
 * data that is empty, such as `null`, or cut off. A reply that is just an object counts as such a call too.
 *
 * @param options.inWords it is the whole reply, not an answer passed to a control tool
 */
export function isNoAnswer(answer: string, { inWords = false } = {}): boolean {
  const data = parseJson(answer);
  if (!/[\p{L}\p{N}]/u.test(answer) || data === null || onlyPromises(answer)) return true;
  if (UNREAD_CALL.test(answer) || UNREAD_END.test(answer)) return true;
  if (repeatsDescription(answer)) return true;
  if (data === undefined) return /^\s*[[{]/.test(answer);
  return inWords && (typeof data === "boolean" || isPlainObject(data));
}

/**
 * Whether an answer reports nothing that look-ups found: no value and no word of a result. A yes or no, an
 * empty result and a change may be reported in any words.
 *
 * @param options.calls those the answer is about
 * @param options.isWrite whether a tool changes something, by its id
 */
export function tellsNothing(options: {
  answer: string;
  calls: readonly Call[];
  isWrite: (tool: string) => boolean;
}): boolean {
  const { answer, calls, isWrite } = options;
  const done = calls.filter(({ error, refused }) => error === undefined && !refused);
  if (done.length === 0 || done.some(({ tool }) => isWrite(tool))) return false;
  const found = done.flatMap((call) => leavesOf(wholeResult(call)));
  const isPlain = found.every((leaf) => typeof leaf === "number" || typeof leaf === "string");
  const values = answerValues(answer).filter(({ kind }) => kind !== "name");
  if (found.length === 0 || !isPlain) return false;
  if (values.length > 0 || NUMBER_WORD.test(answer)) return false;
  const said = new Set(wordsOf(answer));
  return !found.some((leaf) => wordsOf(String(leaf)).some((word) => said.has(word)));
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= SHORTEST_WORD);
}
