import type { FillRequest } from "./fill.js";
import { tellsChange, tellsDistance } from "./given.js";
import { operationOf } from "./phrases.js";
import { type Pair, affinity } from "./affinity.js";
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
  // A step of a calculation says itself which value comes first.
  const isTold = request.told.length > 0 && operationOf(request.step) === undefined;
  const changes = [
    ...request.facts.filter((fact) => tellsDistance(fact)),
    ...request.told.filter((sentence) => tellsChange(sentence)),
  ];
  const isFree = (one: Mention): boolean => one.kind === "number" && !taken.has(one);
  const rivals = given.filter((one) => isFree(one));
  // A number in the question itself is part of what is asked.
  if (given.length > 0 && mentions.some((one) => isFree(one)))
    return pairs.map(({ parameter }) => parameter.name);
  return pairs
    .filter(
      (pair) =>
        (given.includes(pair.mention) && isNamedOtherwise(pair)) ||
        (isTold && isUnnamedResult(pair)) ||
        changes.some((change) => speaksOf(change, pair)) ||
        rivals.some((rival) => wouldDo({ rival, pair, request })) ||
        pairs.some((other) => mightBeSwapped({ pair, other, request })),
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
  return isLabelled && !isGeneric(parameter) && evidence(parameter, mention) < MARGIN;
}

/** In a request of several sentences a result has to be said to be a radius before it is taken for one. */
function isUnnamedResult({ parameter, mention }: Pair): boolean {
  const isResult = mention.kind === "reference" && typeof mention.value === "number";
  const takesNumber = parameter.type === "number" || parameter.type === "integer";
  return isResult && takesNumber && !isGeneric(parameter) && evidence(parameter, mention) < MARGIN;
}

/** A parameter for any number ("a", "number to check") needs no words that name it. */
function isGeneric({ name, textConcepts }: Parameter): boolean {
  return name.length === 1 || textConcepts.has(NUMBER);
}

function speaksOf(change: string, { parameter, mention }: Pair): boolean {
  if (mention.kind !== "number") return false;
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
function mightBeSwapped(options: { pair: Pair; other: Pair; request: FillRequest }): boolean {
  const { pair, other, request } = options;
  if (pair === other || pair.value === other.value || areAlike(pair.parameter, other.parameter))
    return false;
  if (![pair, other].every(({ mention }) => request.given.includes(mention))) return false;
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
