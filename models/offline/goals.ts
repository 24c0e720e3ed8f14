import {
  COMBINED,
  type Phrase,
  changed,
  combined,
  overSeveral,
  shareOwner,
} from "./combinations.js";
import { splitAttributes, splitDescription, splitOperands } from "./operands.js";
import {
  DETERMINERS,
  type Reading,
  addStep,
  earlierValue,
  knownThing,
  ownerLast,
  resultOf,
} from "./reading.js";
import { type Thing, readThing } from "./things.js";

const NUMBER = /^[-−$€£]?\.?\d[\d.,]*\s*[%$€£]?/;
/** Most words of a bare function name ("digital root", "nth root"); anything longer is a description. */
const LONGEST_HEAD = 3;

/**
 * How later steps refer to a value that a request describes: a number as written, or "the result of step n". Adds the
 * steps that it needs.
 */
export function valueOf(text: string, reading: Reading): string {
  const said = text
    .trim()
    .replaceAll("`", "")
    .replace(/[.,;:?!]+$/, "")
    .replace(/^the value of\s+/i, "");
  if (/^the result of step \d+$/i.test(said)) return said;
  if (NUMBER.test(said) && !/\b(?:less|more|times)\b/i.test(said)) return said;
  return earlierValue(said, reading) ?? newGoal(said, reading);
}

/** Adds the steps for one or several values: "the area and the perimeter of X". */
export function newGoals(text: string, reading: Reading): void {
  const goals = separateGoals(text, reading);
  if (goals.length < 2) newGoal(text, reading);
  else if (!overSeveral(asPhrase(text.replace(DETERMINERS, ""), reading))) {
    for (const goal of goals) valueOf(goal, reading);
  }
}

/** The goals in an enumeration, if each can stand alone. */
function separateGoals(text: string, reading: Reading): string[] {
  const several = splitOperands(text);
  const goals = several.length > 1 ? shareOwner(several, reading) : several;
  const eachStands = goals.every((goal) => /\s(?:of|in|for|at|on)\s|['’]s\s/i.test(goal));
  const isCombined = COMBINED.test(goals[0]?.split(",")[0] ?? "");
  return eachStands && !isCombined ? goals : [];
}

function asPhrase(text: string, reading: Reading): Phrase {
  return { text, reading, resolve: (part) => valueOf(part, reading) };
}

/** Adds the steps for a value that is not known yet. */
function newGoal(text: string, reading: Reading): string {
  const said = ownerLast(text.replaceAll("`", ""), reading).replace(DETERMINERS, "");
  const phrase = asPhrase(said, reading);
  return combined(phrase) ?? changed(phrase) ?? overSeveral(phrase) ?? single(said, reading);
}

/** Adds the step for one head and one thing or value, after the steps that its description needs. */
function single(text: string, reading: Reading): string {
  const total = /^(?:total|combined)\s+(.+?\s+of\s+.+)$/i.exec(text);
  if (total) {
    const summed = combined(
      asPhrase(`sum of the ${(total[1] ?? "").replace(/\s+of\s+/i, "s of ")}`, reading),
    );
    if (summed) return summed;
  }
  const { core, link, attributes } = splitDescription(text);
  const match = /^(.+?)\s+of\s+(.+)$/i.exec(core);
  const described = match
    ? objectOf({ object: match[2] ?? "", reading, attributes })
    : withoutObject({ core, attributes, reading });
  const resolved = attributes ? resolveAttributes(attributes, reading) : described.attributes;
  const head = match?.[1] ?? core;
  const thing =
    attributes && described.thing ? { ...described.thing, attributes: resolved } : described.thing;
  if (thing && !reading.things.includes(thing)) reading.things.push(thing);
  const tail = resolved ? ` ${link || "with"} ${resolved}` : "";
  return addStep({
    text: `find the ${head}${described.object}${tail}`,
    names: head,
    thing,
    reading,
  });
}

interface ResolvedObject {
  /** With its preposition: " of a circle". */
  object: string;
  thing?: Thing;
  attributes: string;
}

function objectOf(options: {
  object: string;
  reading: Reading;
  attributes: string;
}): ResolvedObject {
  const { object, reading, attributes } = options;
  const value = earlierValue(object, reading) ?? nestedValue(object, reading);
  if (value) return { object: ` of ${value}`, attributes: "" };
  if (attributes)
    return {
      object: ` of ${object}`,
      thing: readThing(`${object} with ${attributes}`),
      attributes: "",
    };
  const known = knownThing(object, reading);
  if (!known) return { object: ` of ${object}`, attributes: "" };
  known.attributes = resolveAttributes(known.attributes, reading);
  return { object: ` of the ${known.noun}`, thing: known, attributes: known.attributes };
}

/** "Digits of the area", "square root of the area of X": the inner value comes first. */
function nestedValue(object: string, reading: Reading): string | undefined {
  const owned = ownerLast(object, reading);
  const match = /^((?:the\s+)?[\p{L}\s-]+?)\s+of\s+(.+)$/iu.exec(owned);
  if (!match) return undefined;
  const inner = earlierValue(match[2] ?? "", reading);
  if (inner) return `${match[1]} of ${inner}`;
  return undefined;
}

/** Without an object, a head applies to the last result: "find the nth root where n is 3". */
function withoutObject(options: {
  core: string;
  attributes: string;
  reading: Reading;
}): ResolvedObject {
  const { core, attributes, reading } = options;
  const last = reading.results.at(-1);
  const onItsOwn =
    core.split(" ").length > LONGEST_HEAD ||
    /\d|\s(?:in|at|for|on|from|to)\s/.test(core) ||
    !last ||
    (attributes && !/\bis\b|=/.test(attributes));
  return { object: onItsOwn ? "" : ` of ${resultOf(last.step)}`, attributes: "" };
}

/** Replaces descriptions of values in attributes by results: "a radius equal to the area of X". */
function resolveAttributes(attributes: string, reading: Reading): string {
  return splitAttributes(attributes)
    .map((attribute) => {
      const match =
        /^(.+?)\s+(?:(?:is|of|that is|which is)\s+)?(?:equal to|the same as|equals|is|of|that is|which is)\s+((?:the|its|this|that|their|it|twice|half|an?)\b.*|\d+(?:\.\d+)?(?:\s\p{L}+)?\s(?:less|more|smaller|greater|longer|larger)\s.*|[\p{L}]+['’]s\s.*)$/iu.exec(
          attribute,
        );
      if (!match) return attribute;
      return `${match[1]} of ${valueOf(match[2] ?? "", reading)}`;
    })
    .join(" and ");
}
