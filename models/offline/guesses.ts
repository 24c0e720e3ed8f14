import type { FillRequest } from "./fill.js";
import { tellsChange, tellsDistance } from "./given.js";
import { operationOf } from "./phrases.js";
import { type Pair, affinity } from "./affinity.js";
import type { Parameter } from "./parameters.js";
import type { Mention } from "./quantities.js";
import { conceptOf, conceptsOf, isStopWord, wordsOf } from "./text.js";
import { valueFor } from "./values.js";

/** By how much the words around one value must name a parameter more clearly than those around another. */
const MARGIN = 0.2;

/** From this score on, the words around a value name its parameter. */
const NAMED = 0.5;

/**
 * Parameters whose value is a guess, because another number of the request would do as well. The answer of such a call
 * would look right without being so.
 */
export function guessedParameters(options: {
  pairs: readonly Pair[];
  taken: ReadonlySet<Mention>;
  request: FillRequest;
}): string[] {
  const { pairs, taken, request } = options;
  const { given, mentions } = request;
  // The step of a calculation states the order of its values.
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

/** The number of values whose surrounding words name their parameters. */
export function countNamed(pairs: readonly Pair[]): number {
  return pairs.filter(({ parameter, mention }) => evidence(parameter, mention) >= NAMED).length;
}

/** "A side length of 10" is not a radius, even if it is the only number. */
function isNamedOtherwise({ parameter, mention }: Pair): boolean {
  const [link = "", name = ""] = mention.before;
  const isLabelled = /^(?:of|is)$/.test(link) && name !== "" && !isStopWord(name);
  return isLabelled && !isGeneric(parameter) && evidence(parameter, mention) < MARGIN;
}

/** In a request of several sentences, a result is only taken as a radius if the request says that it is one. */
function isUnnamedResult({ parameter, mention }: Pair): boolean {
  const isResult = mention.kind === "reference" && typeof mention.value === "number";
  const takesNumber = parameter.type === "number" || parameter.type === "integer";
  return isResult && takesNumber && !isGeneric(parameter) && evidence(parameter, mention) < MARGIN;
}

/** A parameter for any number ("a", "number to check") need not be named. */
function isGeneric({ name, textConcepts }: Parameter): boolean {
  return name.length === 1 || textConcepts.has(NUMBER);
}

function speaksOf(change: string, { parameter, mention }: Pair): boolean {
  if (mention.kind !== "number") return false;
  const said = conceptsOf(change);
  return [...parameter.nameConcepts].some((concept) => said.includes(concept));
}

/** Whether an unused number is named about as clearly for the parameter as the one it took. */
function wouldDo(options: { rival: Mention; pair: Pair; request: FillRequest }): boolean {
  const { rival, pair, request } = options;
  const { parameter, mention } = pair;
  if (rival.value === mention.value) return false;
  if (valueFor({ parameter, mention: rival, results: request.results }) === undefined) return false;
  return evidence(parameter, rival) > evidence(parameter, mention) - MARGIN;
}

/** Whether two facts might change places, which would change the meaning of the call. */
function mightBeSwapped(options: { pair: Pair; other: Pair; request: FillRequest }): boolean {
  const { pair, other, request } = options;
  if (pair === other || pair.value === other.value || areAlike(pair.parameter, other.parameter))
    return false;
  if (![pair, other].every(({ mention }) => request.given.includes(mention))) return false;
  const kept = evidence(pair.parameter, pair.mention) + evidence(other.parameter, other.mention);
  const swapped = evidence(pair.parameter, other.mention) + evidence(other.parameter, pair.mention);
  return swapped > kept - MARGIN;
}

/** How clearly the words around a value name a parameter, ignoring "number", which fits all. */
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
