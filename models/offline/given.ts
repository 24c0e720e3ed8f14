import { type Mention, readMentions } from "./quantities.js";
import { conceptOf, conceptsOf, isStopWord, nameOfMeasure } from "./text.js";

/** Separates a step from its facts; unlikely in a request. */
const GIVEN = ", given that: ";

/** A step in two parts: what it asks, and facts that may hold its values. */
export interface GivenStep {
  asked: string;
  facts: readonly string[];
}

/** A step with facts from other sentences of its request. */
export function withGiven({ asked, facts }: GivenStep): string {
  return facts.length === 0 ? asked : `${asked}${GIVEN}${facts.join("; ")}`;
}

/** Inverse of {@link withGiven}. */
export function readGiven(step: string): GivenStep {
  const at = step.indexOf(GIVEN);
  if (at < 0) return { asked: step, facts: [] };
  return { asked: step.slice(0, at), facts: step.slice(at + GIVEN.length).split("; ") };
}

/** The numbers in facts; each fact is read alone, because words say nothing about numbers in other sentences. */
export function numbersIn(facts: readonly string[]): Mention[] {
  return facts.flatMap((fact, at) =>
    readMentions(fact)
      .filter(({ kind }) => kind === "number")
      .map((mention) => ({ ...mention, group: (at + 1) * GROUPS_A_FACT + mention.group })),
  );
}

/** Keeps the groups of different facts apart. */
const GROUPS_A_FACT = 1000;

/** Whether a sentence states something that a tool may need: a number, or the kind of a thing. */
export function isFact(sentence: string): boolean {
  return numbersIn([sentence]).length > 0 || kindIn(sentence) !== undefined;
}

/**
 * What is asked, in the words of the facts: the kind of the thing and the names of its measures. "The area of the pool"
 * does not say which tool it needs; "area from length and width" does.
 */
export function phraseFromFacts({ asked, facts }: GivenStep): string {
  // "How much interest does the bank pay": who pays it does not matter.
  const noun = /^how (?:much|many) (.+?)\s+(?:do|does|did|is|are|was|were|will|would|can)\b/i.exec(
    asked,
  );
  const [head = asked, object = ""] = (noun?.[1] ?? asked).split(/\s+of\s+(.+)/i);
  const numbers = numbersIn(facts);
  const isList = numbers.some(
    ({ group }) => numbers.filter((one) => one.group === group).length >= SHORTEST_LIST,
  );
  const kind = facts.map((fact) => kindIn(fact)).find((one) => one !== undefined);
  const roles = numbers.flatMap(({ before, after }) => [
    ...nearest(before, object),
    // The first word after a number is its unit.
    ...nearest(after.slice(1), object),
  ]);
  const subject = isList ? "a list of numbers" : kind ? `a ${kind}` : "";
  return [
    head,
    subject && `of ${subject}`,
    roles.length > 0 && `from ${[...new Set(roles)].slice(0, MOST_WORDS).join(" and ")}`,
  ]
    .filter(Boolean)
    .join(" ");
}

const MOST_WORDS = 6;

/** Two numbers may be a pair of measures ("25 meters long and 10 wide"); more are a list. */
const SHORTEST_LIST = 3;

/** The nearest meaningful words: farther ones, and the thing itself, do not name measures. */
function nearest(words: string[], object: string): string[] {
  const own = new Set(conceptsOf(object));
  return words
    .filter((word) => !isStopWord(word) && !/^\d/.test(word) && !own.has(conceptOf(word)))
    .slice(0, 3)
    .map((word) => nameOfMeasure(word));
}

/** Starts a sentence about the thing of the sentence before. */
const PRONOUN = /^(?:its?|they|their|these|this|he|his|she|her|one|another)\b/i;

/**
 * The facts about the thing in question: for "the area of the floor", those about the floor; if there are none, all.
 * Other things in the request have measures of their own.
 */
export function factsAbout(asked: string, facts: readonly string[]): readonly string[] {
  const object = conceptsOf(/\s+of\s+(.+)$/i.exec(asked)?.[1] ?? "");
  const kept: string[] = [];
  let isKept = false;
  for (const fact of facts) {
    const said = conceptsOf(fact);
    isKept = object.some((one) => said.includes(one)) || (isKept && PRONOUN.test(fact));
    if (isKept) kept.push(fact);
  }
  return numbersIn(kept).length > 0 ? kept : facts;
}

/** "The garden is a circle" → circle. */
function kindIn(sentence: string): string | undefined {
  const kind =
    /\b(?:is|are|was|has the (?:shape|form) of|forms?|shaped like)\s+(?:an?|the)\s+((?:[\p{L}-]+\s+)?[\p{L}-]+)/iu.exec(
      sentence,
    )?.[1];
  return kind?.split(/\s+(?:with|of|that|which|and|in|on|at|is)\b/i)[0]?.trim();
}

/** Words for a value that changes. */
const CHANGE =
  /\b(?:(?:in|de)creas\w+|grow\w*|grew|rises?|risen|rising|rose (?:to|by)|fall\w*|fell|reduc\w+|expand\w*|shr[iu]nk\w*|doubled)\b/i;

/** Words that state a value by comparison with another. */
const COMPARISON =
  /\b(?:(?:more|less|longer|shorter|wider|higher|larger|smaller) than|twice|half|double|one-\w+ as)\b/i;

/** Whether a sentence says that a value changes. */
export function tellsChange(sentence: string): boolean {
  return CHANGE.test(sentence);
}

/** Whether a value in a sentence is a change of another value, or a comparison with one. */
export function tellsDistance(sentence: string): boolean {
  return CHANGE.test(sentence) || COMPARISON.test(sentence);
}
