import type { ParaphraseInput } from "../../nodes/tasks/paraphrase.js";
import { withoutLabel } from "./splitting.js";
import type { Reply } from "../prompt.js";
import { withoutAsking } from "./phrases.js";
import { readMentions } from "./quantities.js";
import { WORDS } from "./text.js";

/** The task in other words, without its label. */
export async function replyToParaphrase({ task, tried }: ParaphraseInput): Promise<Reply> {
  return { text: JSON.stringify({ task: reworded(withoutLabel(task), tried) }) };
}

/**
 * A task in words not tried yet, with the same values: with a synonym, or without the words that only ask. The task
 * itself if there are no others.
 */
export function reworded(task: string, tried: readonly string[]): string {
  const used = new Set([task, ...tried].map((text) => text.trim().toLowerCase()));
  const wordings = [...exchanged(task), withoutAsking(task)];
  return wordings.find((wording) => wording && !used.has(wording.toLowerCase())) ?? task;
}

function exchanged(task: string): string[] {
  return WORDS.otherWords.flatMap((group) =>
    group.flatMap((word) => {
      const at = placeOf(word, task);
      if (at < 0) return [];
      const others = group.filter((other) => other !== word);
      const [before, after] = [task.slice(0, at), task.slice(at + word.length)];
      return others.map((other) => withArticle(before, other) + other + after);
    }),
  );
}

/** The text before a word, with the article that fits it. */
function withArticle(before: string, word: string): string {
  const ending = /^[aeiou]/i.test(word) ? "n " : " ";
  return before.replace(/\b(a)n?\s+$/i, `$1${ending}`);
}

/** Where a word occurs outside of values; -1 if nowhere. */
function placeOf(word: string, task: string): number {
  const values = readMentions(task).filter(({ kind }) => kind === "text" || kind === "name");
  const places = [...task.matchAll(new RegExp(`\\b${word}\\b`, "gi"))].map(({ index }) => index);
  return places.find((at) => !values.some(({ start, end }) => start <= at && at < end)) ?? -1;
}
