import { InvalidSetting } from "../../../common/errors.js";
import { tokensOf } from "./names.js";
import type { WorkWorld } from "./state.js";

/**
 * What a text says is to be done: its bullet points ("-", "*", "•" or "1." at the start of a line), or
 * its sentences where it has no such points. The same thing said twice counts once.
 *
 * @throws InvalidSetting when the text has no words
 */
export function actionsIn(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const points = lines.flatMap((line) => BULLET.exec(line)?.groups?.["point"] ?? []);
  const parts = points.length > 0 ? points : lines.flatMap((line) => line.split(SENTENCE_END));
  const actions = parts.map((part) => part.trim().replace(/[.;!]+$/, "")).filter(hasWords);
  if (actions.length > 0) return [...new Set(actions)];
  throw new InvalidSetting({
    setting: "text",
    problem: "has no sentence and no bullet point",
    hint: "Give a text that says what is to be done",
  });
}

/** Id of the part of which most words of the name, and all of them, are in a text; else of the first part. */
export function sharedPart({ tables }: WorkWorld, text: string): string {
  const there = new Set(tokensOf(text));
  const parts = Object.values(tables.parts);
  const named = parts
    .map(({ id, name }) => ({ id, tokens: tokensOf(name) }))
    .filter(({ tokens }) => tokens.every((token) => there.has(token)))
    .toSorted((left, right) => right.tokens.length - left.tokens.length);
  return named[0]?.id ?? parts[0]?.id ?? "";
}

const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(?<point>.+)$/;

/** Behind a full stop, a question mark, an exclamation mark or a semicolon that ends a word. */
const SENTENCE_END = /(?<=[.?!;])\s+/;

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
