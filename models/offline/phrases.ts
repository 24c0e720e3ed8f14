import type { PhraseSearchInput } from "../../nodes/finding/phraseSearch.js";
import { SEARCH_TOOLS } from "../../tools/control.js";
import type { Reply } from "../prompt.js";
import { type Mention, readMentions } from "./quantities.js";
import { phraseFromFacts, readGiven } from "./given.js";
import { isStopWord } from "./text.js";

/** The start of a subtask that only asks. */
const ASKING_START =
  /^(?:please\s+|then\s+|finally\s+|next\s+|also\s+|now\s+|first\s+|can you\s+|could you\s+)*(?:calculate|compute|find|determine|evaluate|what(?:'s| is| are)|work out|figure out|obtain|get me|give me|tell me|how (?:much|many) (?:is|are))\s+(?=\w)/i;

/** The verb at the start of a subtask, with the words before its object. */
export const ASKING_VERB = /^(?:please\s+)?\p{L}+\s+(?:(?:me|us|up|for|out|the|an?)\s+)*/iu;

/** Where the description of values begins: the rest is specific to one request. */
const ATTRIBUTES =
  /\s*(?:,\s*)?\b(?:with|having|whose|where|given|that has|which has|over an?)\b[^,]*\d?.*$/i;

/** Operations on two values, worded like tool descriptions. */
const OPERATIONS: readonly [RegExp, string][] = [
  [/^add\b/i, "add two numbers"],
  [/^subtract\b|^find the difference between\b/i, "subtract two numbers"],
  [/^multiply\b/i, "multiply two numbers"],
  [/^divide\b/i, "divide two numbers"],
  [/^raise\b.*\bpower\b/i, "raise a number to a power"],
  [/remainder of dividing/i, "remainder of dividing two numbers"],
];

/**
 * The general wording of a subtask, without numbers, units and names, so that it is near the description of a general
 * tool ("multiply two numbers", "area of a rectangle").
 */
export function genericPhrase(step: string): string {
  const subtask = readGiven(step).asked;
  const operation = operationOf(subtask);
  if (operation) return operation;
  const asked = withoutAsking(subtask);
  const named = withoutValues(asked.replace(ATTRIBUTES, "") || asked);
  return named.length > 0 ? named : subtask.trim();
}

/** The general wording of a subtask that is only an operation on numbers: "multiply two numbers". */
export function operationOf(subtask: string): string | undefined {
  const operation = OPERATIONS.find(([pattern]) => pattern.test(subtask.trim()));
  return operation && hasOnlyNumbers(subtask) ? operation[1] : undefined;
}

/**
 * A search phrase for a subtask that was not tried before: its general wording, the head of that, or its own wording.
 * If all were tried, the general wording again.
 */
function untriedPhrase(subtask: string, tried: readonly string[]): string {
  const general = genericPhrase(subtask);
  const head = general.split(/\s(?:of|for|in|on|with)\s/)[0] ?? general;
  const whole = withoutAsking(readGiven(subtask).asked);
  return [general, head, whole].find((phrase) => phrase && !tried.includes(phrase)) ?? general;
}

/** Search phrases for each subtask. */
export async function replyToPhraseSearch({ subtasks, tried }: PhraseSearchInput): Promise<Reply> {
  const searches = subtasks.flatMap((subtask, at) =>
    searchPhrases(subtask, tried).map((phrase) => ({ subtask: at + 1, phrase })),
  );
  return { calls: [{ name: SEARCH_TOOLS.name, args: { searches } }] };
}

/** Search phrases for a subtask: what it asks, and the words of its facts, either of which may name the tool. */
export function searchPhrases(subtask: string, tried: readonly string[] = []): string[] {
  return [untriedPhrase(subtask, tried), factualPhrase(subtask)].filter(
    (phrase) => phrase !== undefined,
  );
}

/** What a step asks in the words of its facts; undefined without facts. */
export function factualPhrase(step: string): string | undefined {
  const { facts } = readGiven(step);
  return facts.length > 0 ? phraseFromFacts({ asked: genericPhrase(step), facts }) : undefined;
}

/** A subtask without the words that only ask. */
export function withoutAsking(subtask: string): string {
  return subtask
    .trim()
    .replace(ASKING_START, "")
    .replace(/[.?!]+$/, "")
    .replace(/^(?:the|a|an)\s+/i, "")
    .trim();
}

/** Replaces the values in a text: "square root of the result of step 1" → "square root of a number". */
function withoutValues(text: string): string {
  let phrase = text;
  for (const mention of readMentions(text).toSorted((one, other) => other.start - one.start)) {
    const asObject = /\b(?:of|from|to|by|if|whether)\s+(?:the number\s+)?$/i.test(
      phrase.slice(0, mention.start),
    );
    if (mention.kind === "name" && isTerm(text, mention)) continue;
    const stand = standIn({ mention, asObject, lead: phrase.slice(0, mention.start) });
    phrase = phrase.slice(0, mention.start) + stand + phrase.slice(mention.end);
  }
  return phrase
    .replaceAll(/(\b(?:on|over|for)\s+an?\s+\p{L}+)\s+of\s+a number\b/giu, "$1")
    .replaceAll(/\bthe number a number\b/gi, "a number")
    .replaceAll(/a number(?:\s*(?:,|and)\s*(?:and\s+)?(?:a number)?)+/gi, "numbers")
    .replaceAll(/\s+([,.])/g, "$1")
    .replaceAll(
      /(?:\b(?:and|of|by|to|from|with|for|at|on|in|into|called|named|titled|saying)\b[\s,.]*)+(?=\b(?:and|of|by|to|from|with|for|at|on|in|into|called|named|titled|saying)\b|$)/gi,
      "",
    )
    .replaceAll(/[\s,.:;]+$/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Whether a capitalised word names a kind of thing ("Fibonacci number") or what is converted. */
function isTerm(text: string, { end }: Mention): boolean {
  const following = /^(?:['’]s)?\s+(\p{L}+)/u.exec(text.slice(end))?.[1] ?? "a";
  return /^convert/i.test(text) || !isStopWord(following.toLowerCase());
}

function standIn(options: { mention: Mention; asObject: boolean; lead: string }): string {
  const { mention, asObject, lead } = options;
  if (mention.kind === "text" || mention.kind === "name") return "";
  if (/\d(?:st|nd|rd|th)$/i.test(mention.written)) return "nth";
  if (/\b(?:first|last|top)\s+$/i.test(lead)) return "n";
  return asObject ? "a number" : "";
}

function hasOnlyNumbers(subtask: string): boolean {
  const mentions = readMentions(subtask);
  return mentions.length > 1 && mentions.every(({ kind }) => kind !== "text");
}
