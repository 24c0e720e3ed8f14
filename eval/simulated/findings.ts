import type { StageInputs } from "../../nodes/shared/stageInputs.js";
import type { Draws } from "./draws.js";
import { type Need, codeIn, speaksOf } from "./readNeeds.js";

/** A result or an error, as text. */
export interface Reading {
  tool: string;
  text: string;
  failed: boolean;
}

/** The observations so far, as texts. */
export function readingsOf({ observations }: Pick<StageInputs["act"], "observations">): Reading[] {
  return observations.map(({ tool, result, error }) => ({
    tool,
    text: resultText({ result, error }),
    failed: error !== undefined,
  }));
}

/** A result or an error, as text. */
export function resultText({ result, error }: { result?: unknown; error?: string }): string {
  return error ?? (typeof result === "string" ? result : (JSON.stringify(result) ?? ""));
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
