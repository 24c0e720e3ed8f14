import { splitDescription } from "./operands.js";
import { type Thing, attributeOf } from "./things.js";
import { conceptOf, conceptsOf, wordsOf } from "./text.js";

/** What is known while a request is read: the steps so far, and the things and values they are about. */
export interface Reading {
  steps: string[];
  /** The results so far: what was asked for, and of which thing. */
  results: { step: number; concepts: string[]; thing?: Thing }[];
  things: Thing[];
  /** Sentences with facts about the numbers or things of the request. */
  facts: string[];
  /** A number that was given a name: "the number 123". */
  literal?: string;
}

const LAST_RESULT =
  /^(?:it|this|that|its result|(?:the|this|that)\s+(?:(?:final|last|previous|resulting|obtained)\s+)?(?:result|answer|outcome|value))$/i;
/** Words that may stand before a noun. */
export const DETERMINERS = /^(?:(?:an?|the|this|that|its|his|her|their)\s+)+/i;

/** Adds a step and remembers its result under its names; returns how later steps refer to it. */
export function addStep(options: {
  text: string;
  names?: string;
  thing?: Thing;
  reading: Reading;
}): string {
  const { text, names = "", thing, reading } = options;
  reading.steps.push(text.replaceAll(/\s+/g, " ").trim());
  const step = reading.steps.length;
  reading.results.push({ step, concepts: conceptsOf(names), ...(thing ? { thing } : {}) });
  return resultOf(step);
}

/** How later steps refer to a result. */
export function resultOf(step: number): string {
  return `the result of step ${step}`;
}

/** A known value: an earlier result, or an attribute of a thing. */
export function earlierValue(text: string, reading: Reading): string | undefined {
  const said = ownerLast(text, reading);
  const last = reading.results.at(-1);
  if (LAST_RESULT.test(said)) return last ? resultOf(last.step) : reading.literal;
  if (/^(?:this|the|that) number$/i.test(said))
    return reading.literal ?? (last && resultOf(last.step));
  const whose = /^(?:the\s+|this\s+|that\s+|a\s+)?(.+?)\s+of\s+((?:the|this|that)\s+.+)$/i.exec(
    said,
  );
  if (whose) return valueOfThing({ head: whose[1] ?? "", owner: whose[2] ?? "", reading });
  const bare = /^(?:the|this|that|its|resulting)\s+(.+)$/i.exec(said);
  if (!bare || / of | with /i.test(said)) return undefined;
  const wanted = conceptsOf(
    (bare[1] ?? "").replace(/\b(?:result(?:ing)?|value|final|obtained)\b/gi, ""),
  );
  const named = reading.results.findLast(
    ({ concepts }) => wanted.length > 0 && wanted.every((one) => concepts.includes(one)),
  );
  return named ? resultOf(named.step) : undefined;
}

/** "The rectangle's area" → "the area of the rectangle"; "its volume" → "the volume of the" last thing. */
export function ownerLast(text: string, { things }: Reading): string {
  const said = text.trim();
  const owned =
    /^(?:the\s+|this\s+|that\s+)?(?:resulting\s+)?((?:(?!of\b|with\b|to\b|and\b|in\b)[\p{L}-]+\s+){0,3}?[\p{L}-]+?)['’]s?\s+(.+)$/iu.exec(
      said,
    );
  if (owned) return `the ${owned[2]} of the ${owned[1]}`;
  const its = /^(?:its|their)\s+(.+)$/i.exec(said);
  const thing = things.at(-1);
  return its && thing && !/ of /.test(said) ? `the ${its[1]} of the ${thing.noun}` : said;
}

function valueOfThing(options: {
  head: string;
  owner: string;
  reading: Reading;
}): string | undefined {
  const { head, owner, reading } = options;
  if (splitDescription(owner).attributes) return undefined;
  const thing = knownThing(owner, reading);
  if (!thing) return undefined;
  const wanted = conceptsOf(head);
  const result = reading.results.findLast(
    (one) => one.thing === thing && wanted.every((concept) => one.concepts.includes(concept)),
  );
  return result ? resultOf(result.step) : attributeOf(thing, head);
}

/** The thing that a noun phrase means, the latest first. */
export function knownThing(text: string, { things }: Reading): Thing | undefined {
  const wanted = wordsOf(text.replace(DETERMINERS, "")).map((word) => conceptOf(word));
  const noun = wanted.at(-1);
  if (!noun) return undefined;
  return (
    things.findLast(({ names }) => wanted.every((name) => names.includes(name))) ??
    things.findLast(({ names }) => names.at(-1) === noun && wanted.length === 1)
  );
}
