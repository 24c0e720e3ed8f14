import type { StageInputs } from "../../nodes/kit/stageInputs.js";
import { inWords } from "./goldSteps.js";
import type { Draws } from "./policyParameters.js";

/** Something that a request asks for, in its own words. */
export interface Need {
  text: string;
  /** Its words without stop words. */
  words: readonly string[];
}

/** The part of a sentence before what is wanted. */
const ASKING = /^.*?\b(?:tell me|need to know|like to know|look up|find out)\b/i;

const BETWEEN_SENTENCES = /(?<=[.?!])\s+/;

const BETWEEN_NEEDS = /,| and | as well as /;

/** A reference: two letters, a hyphen and a number. */
const REFERENCE = /\b[A-Z]{2}-\d+\b/;

/** A code as in results: capitals and digits, possibly with hyphens. */
const CODE = /\b(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{5,}\b/g;

const STOP_WORDS = new Set(
  "a an the of for to in on at by is are it its my our me us so please with under this that".split(
    " ",
  ),
);

/** What a request asks for, in order. */
export function readNeeds(request: string): Need[] {
  const asking = request.split(BETWEEN_SENTENCES).filter((sentence) => ASKING.test(sentence));
  return asking.flatMap((sentence) =>
    sentence
      .replace(ASKING, "")
      .replace(REFERENCE, "")
      .replace(/[.?!\s]+$/, "")
      .split(BETWEEN_NEEDS)
      .map((clause) => ({ text: clause.trim(), words: meaningfulWords(clause) }))
      .filter(({ words }) => words.length > 0),
  );
}

/** The reference in a request. */
export function readReference(request: string): string | undefined {
  return REFERENCE.exec(request)?.[0];
}

/** Whether a tool's description or a result mentions a need. */
export function speaksOf(text: string, { words }: Need): boolean {
  const said = new Set(meaningfulWords(text));
  return words.every((word) => said.has(word));
}

/** The first code in a text that is not in the request. */
export function codeIn(text: string, request: string): string | undefined {
  return text.match(CODE)?.find((code) => !request.includes(code));
}

function meaningfulWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word));
}

/** A result or an error, as text. */
export interface Reading {
  tool: string;
  text: string;
  failed: boolean;
}

/** The outcome of a call, as text. */
export function readingOf(call: { tool: string; result?: unknown; error?: string }): Reading {
  const { tool, result, error } = call;
  return { tool, text: error ?? inWords(result), failed: error !== undefined };
}

/** The results of a continuation's calls. */
export function readingsIn({ calls }: StageInputs["vote"]["first"]): Reading[] {
  return calls.map(({ name, observation }) => ({
    tool: name,
    text: observation,
    failed: /^\w*Error: /.test(observation),
  }));
}

/**
 * What readings say about a need: the code in the first one that has a code, else a fluent text without a code that is
 * believed; undefined while the need is open.
 *
 * @param options.believes whether a text without a code misleads the reader
 * @default never
 */
export function findingFor(options: {
  need: Need;
  readings: readonly Reading[];
  request: string;
  believes?: (text: string) => boolean;
}): string | undefined {
  const { need, readings, request, believes = () => false } = options;
  const about = readings.filter(({ text, failed }) => !failed && speaksOf(text, need));
  const told = about.find(({ text }) => codeIn(text, request) !== undefined);
  if (told) return codeIn(told.text, request);
  const believed = about.find(({ text }) => believes(text));
  return believed?.text.split(": ").at(-1);
}

/** Decides whether a text misleads: always the same for the same text. */
export function believer(draws: Draws, chance: number): (text: string) => boolean {
  return (text) => draws(`believe ${text}`) < chance;
}
