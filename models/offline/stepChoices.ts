import { setImmediate } from "node:timers/promises";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { type Choice, rankTools } from "./choose.js";
import type { FillRequest } from "./fill.js";
import { isFuture } from "./futures.js";
import { numbersIn, readGiven, tellsDistance } from "./given.js";
import { withoutAsking } from "./phrases.js";
import { type Mention, readMentions } from "./quantities.js";
import { conceptsOf } from "./text.js";
import type { Results } from "./values.js";

/** The reason if no offered tool does a step, whatever its values. */
export const NO_FITTING_TOOL = "none of the offered tools does this";

/** A tool whose meaning is this much less near than the nearest tool's does something else. */
const MEANING_SPREAD = 0.15;

/** A step: what it asks, its facts, and the values in what it asks. */
export interface ReadStep {
  asked: string;
  facts: readonly string[];
  mentions: Mention[];
}

/** Reads a step of a request. */
export function readStep(step: string): ReadStep {
  const { asked, facts } = readGiven(step);
  return { asked, facts, mentions: readMentions(asked) };
}

/** "The difference between" two values has no order; the larger one comes first. */
export function largerFirst(step: ReadStep & { results: Results }): Mention[] {
  const { mentions, results } = step;
  if (!isDifference(step)) return mentions;
  const sizes = mentions.map((mention) => Number(valueOf(mention, results)));
  return (sizes[0] ?? 0) < (sizes[1] ?? 0) ? mentions.toReversed() : mentions;
}

/** Whether the order of the values depends on results. */
export function waitsForOrder(step: ReadStep & { results: Results }): boolean {
  const { mentions, results } = step;
  return isDifference(step) && mentions.some((mention) => isFuture(valueOf(mention, results)));
}

function isDifference({ asked, mentions }: ReadStep): boolean {
  return /\bdifference between\b/i.test(asked) && mentions.length === 2;
}

function valueOf({ kind, value }: Mention, results: Results): unknown {
  return kind === "reference" ? results.get(Number(value)) : value;
}

/** A sentence of a request, read once for all steps. */
export interface Sentence {
  text: string;
  concepts: string[];
  mentions: Mention[];
}

/** The sentences of a request, which may hold what a step does not say itself. */
export function sentencesOf(request: string): Sentence[] {
  return request
    .split(/(?<=[.?!])\s+/)
    .map((text) => ({ text, concepts: conceptsOf(text), mentions: readMentions(text) }));
}

/** A step with its context. */
export interface StepAtHand extends ReadStep {
  /** All sentences of the request. */
  sentences: readonly Sentence[];
  results: Results;
}

/** The tools that could do a step, best first, with their arguments as far as known. */
export async function choicesFor({
  tools,
  ...step
}: StepAtHand & { tools: readonly OfferedTool[] }): Promise<Choice[]> {
  // Gives other runs of the process a turn.
  await setImmediate();
  return rankTools({ tools, ...fillRequestOf(step) });
}

/** What the arguments of a call are taken from. */
export function fillRequestOf(step: StepAtHand): Omit<FillRequest, "tool"> {
  const { asked, facts, mentions, sentences, results } = step;
  return {
    step: asked,
    facts,
    told: sentences.length > 1 ? sentences.map(({ text }) => text) : [],
    mentions,
    given: numbersIn(facts),
    context: aboutTheSame({ step: asked, sentences }),
    results,
  };
}

/** Values, other than the step's own, in sentences about the same things. */
function aboutTheSame({
  step,
  sentences,
}: {
  step: string;
  sentences: readonly Sentence[];
}): Mention[] {
  const asked = new Set(conceptsOf(withoutAsking(step)));
  const own = new Set(readMentions(step).map(({ written }) => written));
  return sentences
    .filter(({ concepts }) => concepts.some((concept) => asked.has(concept)))
    .filter(({ text }) => !tellsDistance(text))
    .flatMap(({ mentions }) => mentions)
    .filter(({ written }) => !own.has(written));
}

/** What an impossible step lacks: a tool, a value, or certainty which value is meant. */
export interface Lack {
  lack: "tool" | "value" | "certainty";
  reason: string;
}

/** The choices that can be called as they are, best first; or why there is none. */
export type Decided = { sure: Choice[] } | Lack;

/** Finds the choices with all arguments, none of them a guess. */
export function decide(choices: readonly Choice[]): Decided {
  const closest = Math.max(...choices.map(({ meaning }) => meaning));
  const complete = choices.filter(
    ({ filling, meaning }) => filling.missing.length === 0 && meaning > closest - MEANING_SPREAD,
  );
  const sure = complete.filter(({ filling }) => filling.guessed.length === 0);
  if (sure.length > 0) return { sure };
  const guess = complete.find(({ filling }) => filling.guessed.length > 0);
  if (guess) return { lack: "certainty", reason: unclear(guess) };
  const nearest = choices.find(({ meaning }) => meaning === closest);
  if (!nearest) return { lack: "tool", reason: NO_FITTING_TOOL };
  const { tool, filling } = nearest;
  const reason = `no value was found for ${filling.missing.join(", ")} of ${tool.name}`;
  return { lack: "value", reason };
}

function unclear({ tool, filling }: Choice): string {
  return `it is not clear which value is meant for ${filling.guessed.join(", ")} of ${tool.name}`;
}
