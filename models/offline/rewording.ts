import type { ParaphraseInput } from "../../nodes/tasks/paraphrase.js";
import { withoutLabel } from "./labels.js";
import type { Reply } from "./message.js";
import { withoutAsking } from "./phrases.js";
import { readMentions } from "./quantities.js";
import { WORDS } from "./words.js";

/** The task in other words, and without the label that it may have. */
export async function replyToParaphrase({ task, tried }: ParaphraseInput): Promise<Reply> {
  return { text: JSON.stringify({ task: reworded(withoutLabel(task), tried) }) };
}

/**
 * A task in other words that were not tried yet, with the same values: a word exchanged for one that
 * means the same, or the words left out that only ask. The task itself when no other words are known.
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

/** The text before a word, whose article may have to change with it. */
function withArticle(before: string, word: string): string {
  const ending = /^[aeiou]/i.test(word) ? "n " : " ";
  return before.replace(/\b(a)n?\s+$/i, `$1${ending}`);
}

/** Where a word stands that is part of no value; -1 for nowhere. */
function placeOf(word: string, task: string): number {
  const values = readMentions(task).filter(({ kind }) => kind === "text" || kind === "name");
  const places = [...task.matchAll(new RegExp(`\\b${word}\\b`, "gi"))].map(({ index }) => index);
  return places.find((at) => !values.some(({ start, end }) => start <= at && at < end)) ?? -1;
}
