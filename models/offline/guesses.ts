import { affinity } from "./affinity.js";
import type { FillRequest, Pair } from "./fill.js";
import { tellsChange } from "./given.js";
import type { Parameter } from "./parameters.js";
import type { Mention } from "./quantities.js";
import { conceptOf, conceptsOf, isStopWord, wordsOf } from "./text.js";
import { valueFor } from "./values.js";

/** Words around one value have to name a parameter this much more clearly than those around another. */
const MARGIN = 0.2;

/** From here on the words around a value name its parameter. */
const NAMED = 0.5;

/**
 * Parameters whose value is a guess: another number of the request would do as well by all that is
 * said of it. An answer from such a call would look like a result and be none.
 */
export function guessedParameters(options: {
  pairs: readonly Pair[];
  taken: ReadonlySet<Mention>;
  request: FillRequest;
}): string[] {
  const { pairs, taken, request } = options;
  const { given, mentions } = request;
  if (given.length === 0) return [];
  const changes = request.facts.filter((fact) => tellsChange(fact));
  const free = [...mentions, ...given].filter((one) => one.kind === "number" && !taken.has(one));
  // A number in the question itself is part of what is asked.
  if (free.some((one) => mentions.includes(one)))
    return pairs.map(({ parameter }) => parameter.name);
  return pairs
    .filter(
      (pair) =>
        isNamedOtherwise(pair) ||
        changes.some((change) => speaksOf(change, pair)) ||
        free.some((rival) => wouldDo({ rival, pair, request })) ||
        pairs.some((other) => mightBeSwapped({ pair, other, given })),
    )
    .map(({ parameter }) => parameter.name);
}

/** How many values are named for their parameters by the words around them. */
export function countNamed(pairs: readonly Pair[]): number {
  return pairs.filter(({ parameter, mention }) => evidence(parameter, mention) >= NAMED).length;
}

/** "A side length of 10" is no radius, even where no other number is there. */
function isNamedOtherwise({ parameter, mention }: Pair): boolean {
  const [link = "", name = ""] = mention.before;
  const isLabelled = /^(?:of|is)$/.test(link) && name !== "" && !isStopWord(name);
  const isGeneric = parameter.name.length === 1 || parameter.textConcepts.has(NUMBER);
  return isLabelled && !isGeneric && evidence(parameter, mention) < MARGIN;
}

function speaksOf(change: string, { parameter }: Pair): boolean {
  const said = conceptsOf(change);
  return [...parameter.nameConcepts].some((concept) => said.includes(concept));
}

/** Whether an unused number is named for the parameter about as clearly as the one that it took. */
function wouldDo(options: { rival: Mention; pair: Pair; request: FillRequest }): boolean {
  const { rival, pair, request } = options;
  const { parameter, mention } = pair;
  if (rival.value === mention.value) return false;
  if (valueFor({ parameter, mention: rival, results: request.results }) === undefined) return false;
  return evidence(parameter, rival) > evidence(parameter, mention) - MARGIN;
}

/** Whether two facts might change places in a call that means something else then. */
function mightBeSwapped(options: { pair: Pair; other: Pair; given: readonly Mention[] }): boolean {
  const { pair, other, given } = options;
  if (pair === other || pair.value === other.value || areAlike(pair.parameter, other.parameter))
    return false;
  if (!given.includes(pair.mention) || !given.includes(other.mention)) return false;
  const kept = evidence(pair.parameter, pair.mention) + evidence(other.parameter, other.mention);
  const swapped = evidence(pair.parameter, other.mention) + evidence(other.parameter, pair.mention);
  return swapped > kept - MARGIN;
}

/** Every number is "a number": a parameter's name says something only beyond that. */
function evidence(parameter: Parameter, mention: Mention): number {
  const before = mention.before.filter((word) => !isNumber(word));
  const after = mention.after.filter((word) => !isNumber(word));
  return affinity({ parameter, mention: { ...mention, before, after } });
}

const NUMBER = conceptOf("number");

function isNumber(word: string): boolean {
  return conceptOf(word) === NUMBER;
}

const PLACE_WORDS = /^(?:first|second|third|other|another)$/;

/** "First number" and "second number" are alike; "dividend" and "divisor" are not. */
function areAlike(one: Parameter, other: Parameter): boolean {
  const [said, meant] = [one, other].map(({ name, text }) =>
    conceptsOf(
      wordsOf(text.slice(name.length))
        .filter((word) => !isStopWord(word) && !PLACE_WORDS.test(word))
        .join(" "),
    ).join(" "),
  );
  return said === meant;
}
