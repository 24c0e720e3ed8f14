import { type Mention, readMentions } from "./quantities.js";
import { isStopWord, nameOfMeasure } from "./text.js";

/** Sets the facts of a request apart from what a step asks; no request is likely to say it. */
const GIVEN = ", given that: ";

/** A step in two parts: what is asked, and the facts that its values may be taken from. */
export interface GivenStep {
  asked: string;
  facts: readonly string[];
}

/** A step that carries the facts which stand in other sentences of its request. */
export function withGiven({ asked, facts }: GivenStep): string {
  return facts.length === 0 ? asked : `${asked}${GIVEN}${facts.join("; ")}`;
}

/** Undoes `withGiven`; a step without facts is only asked. */
export function readGiven(step: string): GivenStep {
  const at = step.indexOf(GIVEN);
  if (at < 0) return { asked: step, facts: [] };
  return { asked: step.slice(0, at), facts: step.slice(at + GIVEN.length).split("; ") };
}

/** The numbers in facts; each fact is read alone, since a role never reaches into another sentence. */
export function numbersIn(facts: readonly string[]): Mention[] {
  return facts.flatMap((fact, at) =>
    readMentions(fact)
      .filter(({ kind }) => kind === "number")
      .map((mention) => ({ ...mention, group: (at + 1) * GROUPS_A_FACT + mention.group })),
  );
}

/** Keeps enumerations of different facts apart. */
const GROUPS_A_FACT = 1000;

/** Whether a sentence tells something that a tool may need: a number, or what kind a thing is. */
export function isFact(sentence: string): boolean {
  return numbersIn([sentence]).length > 0 || kindIn(sentence) !== undefined;
}

/**
 * What is asked in the words of the facts: the kinds of things and the names of the measures, without
 * their values. "How large is the pool?" does not say which tool it needs; its length and width do.
 */
export function phraseFromFacts({ asked, facts }: GivenStep): string {
  const kinds = facts.flatMap((fact) => kindIn(fact) ?? []);
  const numbers = numbersIn(facts);
  const isEnumeration = numbers.some(
    ({ group }) => numbers.filter((one) => one.group === group).length >= SHORTEST_LIST,
  );
  const roles = numbers.flatMap(({ before, after }) => [
    ...nearest(before),
    ...nearest(after),
  ]);
  const words = [...new Set([...kinds, ...roles])].slice(0, MOST_WORDS);
  const list = isEnumeration ? " of a list of numbers" : "";
  return `${asked}${list}${words.length > 0 ? ` from ${words.join(", ")}` : ""}`;
}

const MOST_WORDS = 8;

/** Two numbers may be a pair of measures ("25 meters long and 10 wide"); more are a list. */
const SHORTEST_LIST = 3;

/** The nearest words that say something, two at most: farther words belong to other things. */
function nearest(words: string[]): string[] {
  return words
    .filter((word) => !isStopWord(word) && !/^\d/.test(word))
    .slice(0, 2)
    .map((word) => nameOfMeasure(word));
}

/** "The garden is a circle" → circle. */
function kindIn(sentence: string): string | undefined {
  const kind =
    /\b(?:is|are|was|has the (?:shape|form) of|forms?|shaped like)\s+(?:an?|the)\s+((?:[\p{L}-]+\s+)?[\p{L}-]+)/iu.exec(
      sentence,
    )?.[1];
  return kind
    ?.split(/\s+(?:with|of|that|which|and|in|on|at|is)\b/i)[0]
    ?.trim();
}
