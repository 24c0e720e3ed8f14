import { splitDescription } from "./operands.js";
import { type Mention, readMentions } from "./quantities.js";
import { conceptOf, conceptsOf, isStopWord, wordsOf } from "./text.js";

/** A thing that a request describes: "a rectangle with length 8 and width 5". */
export interface Thing {
  /** The words it is known by; the last one is what it is. */
  names: string[];
  /** What steps call it. */
  noun: string;
  /** Its description as written: "length 8 and width 5"; may be empty. */
  attributes: string;
}

const DETERMINER = /^(?:(?:an?|the|this|that|its|each|one|same)\s+)+/i;

/** Reads a thing from a noun phrase with or without a description. */
export function readThing(text: string): Thing {
  const { core, attributes } = splitDescription(text);
  const shape = /^(.*?)\s+(?:in the (?:shape|form) of|shaped like)\s+(.*)$/i.exec(core);
  const own =
    (shape?.[1] ?? core)
      .replace(DETERMINER, "")
      .split(/\s+(?:inside|in|on|within|next|at|that|which)\s/i)[0] ?? "";
  const noun = (shape?.[2] ?? own).replace(DETERMINER, "").trim();
  const names = [...wordsOf(own), ...wordsOf(noun)].filter((word) => !isStopWord(word));
  return { names: names.map((name) => conceptOf(name)), noun, attributes };
}

/** Things described in background sentences: "The container has a radius of 5 meters". */
export function findThings(sentence: string): Thing[] {
  const pattern =
    /\b(?:an?|the|this|one)\s+((?:(?!of\b|an?\b|the\b|with\b|to\b|is\b|has\b|and\b|starts\b|begins\b|ends\b)[\p{L}-]+\s+){1,4}?(?:in the shape of an?\s+[\p{L}-]+\s+|(?:inside|in|on|around|next to)\s+(?:the|an?)\s+[\p{L}-]+\s+)?)(?:with|having|whose|has|have|measures?|that has|that measures?)\s+([^;.?!]*(?:\.\d+[^;.?!]*)*)/giu;
  const owned =
    /\b(?:the|a)\s+((?:[\p{L}-]+\s+){1,2}?)of\s+(?:the|each|every|an?|this)\s+((?:[\p{L}-]+\s+){1,3}?)(?:is|are|measures?)\s+(?:to be\s+)?([-$€£]?\.?\d[\d.,]*(?:(?:\s+and)?\s+\d[\d.,]*)*\s?[\p{L}%$€£]*)(?=[\s.,;?!]|$)/giu;
  const single = [...sentence.matchAll(owned)].map(([, role = "", name = "", value = ""]) =>
    readThing(`${name} with ${role}of ${value}`),
  );
  const whole = [...sentence.matchAll(pattern)]
    .filter(([, , attributes = ""]) => readMentions(attributes).length > 0)
    .map(([, core = "", attributes = ""]) => readThing(`${core} with ${attributes}`));
  return [...whole, ...single];
}

/** What a sentence without a description is about: "An arithmetic sequence starts with 4". */
export function findSubject(sentence: string): Thing | undefined {
  const subject =
    /^(?:an?|the|this)\s+((?:(?!of\b)[\p{L}-]+\s+){1,2}?)(?:is|are|[\p{L}]+[^s\P{L}]s)\b/iu.exec(
      sentence,
    )?.[1];
  return subject ? readThing(subject) : undefined;
}

/** An attribute of a thing by its name, as written: the height of the cylinder → "10". */
export function attributeOf(thing: Thing, name: string): string | undefined {
  const wanted = conceptsOf(name);
  const named = readMentions(thing.attributes)
    .filter(({ kind }) => kind === "number" || kind === "reference")
    .map((mention) => ({ mention, matches: matches(mention, wanted) }))
    .filter(({ matches: count }) => count > 0)
    .toSorted((one, other) => other.matches - one.matches);
  return named[0]?.mention.written;
}

/** The number of words of a name if the words around a value contain all of them; otherwise 0. */
function matches({ before, after }: Mention, wanted: string[]): number {
  const said = [...before, ...after].map((word) => conceptOf(word));
  const shared = wanted.filter((concept) => said.includes(concept)).length;
  return shared === wanted.length ? shared : 0;
}
