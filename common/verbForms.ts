import { readSections } from "./dataFile.js";

const SECTIONS = readSections(new URL("verbs.txt", import.meta.url));

/** Whether a word is a form of a verb: "close", "closed", "closing". */
export function isFormOf(word: string, verb: string): boolean {
  if (word === IRREGULAR[verb] || word === verb) return true;
  const stem = verb.replace(/[ey]$/, "");
  return stem.length >= 3 && word.startsWith(stem) && word.length - verb.length <= 4;
}

/** "close" → "closed", "submit" → "submitted", "send" → "sent" */
export function pastOf(verb: string): string {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return irregular;
  if (verb.endsWith("e")) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  const isShort = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb);
  return isShort || DOUBLED.has(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

const DOUBLED: ReadonlySet<string> = new Set(wordsOf("doubled"));

const IRREGULAR = Object.fromEntries(
  wordsOf("irregular").map((pair) => pair.split("/") as [string, string]),
);

/** Verbs that names of tools begin with. */
export const VERBS: ReadonlySet<string> = new Set(wordsOf("verbs"));

function wordsOf(section: string): string[] {
  return (SECTIONS[section] ?? []).flatMap((line) => line.split(" "));
}
