import type { StageInputs } from "../../nodes/shared/stageInputs.js";
import type { Draws } from "./draws.js";
import { type Need, codeIn, speaksOf } from "./readNeeds.js";

/** A result, or why there is none, as text. */
export interface Reading {
  tool: string;
  text: string;
  failed: boolean;
}

/** What was observed so far, as a reader sees it. */
export function readingsOf({ observations }: Pick<StageInputs["act"], "observations">): Reading[] {
  return observations.map(({ tool, result, error }) => ({
    tool,
    text: resultText({ result, error }),
    failed: error !== undefined,
  }));
}

/** A result as text, or why there is none. */
export function resultText({ result, error }: { result?: unknown; error?: string }): string {
  return error ?? (typeof result === "string" ? result : (JSON.stringify(result) ?? ""));
}

/** What the calls of a continuation were told. */
export function readingsIn({ calls }: StageInputs["vote"]["first"]): Reading[] {
  return calls.map(({ name, observation }) => ({
    tool: name,
    text: observation,
    failed: /^\w*Error: /.test(observation),
  }));
}

/**
 * What readings say to a need: the text of the first that tells a code, or of one that is believed for
 * its fluent words; undefined while the need is open.
 *
 * @param options.believes whether an empty text misleads; nobody is misled where it is left out
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

/** A reader who is misled by the same texts every time. */
export function believer(draws: Draws, chance: number): (text: string) => boolean {
  return (text) => draws(`believe ${text}`) < chance;
}
