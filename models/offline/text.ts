import { WORDS } from "./words.js";

/** Endings that are taken off, so that "translate", "translation" and "translating" meet. */
const SUFFIXES = [
  { ending: "ation", least: 7 },
  { ending: "ing", least: 6 },
  { ending: "ion", least: 6 },
  { ending: "ate", least: 6 },
  { ending: "ed", least: 5 },
  { ending: "er", least: 6 },
  { ending: "e", least: 4 },
] as const;

const CONCEPTS = new Map(
  WORDS.synonyms.flatMap((group) =>
    group.map((word) => [stem(word), stem(group[0] ?? word)] as const),
  ),
);

/** The noun of a measure's adjective; any other word as it is. */
export function nameOfMeasure(word: string): string {
  return WORDS.measures[word] ?? word;
}

/** Lower-case words of a text or identifier: "areaOfCircle", "area_circle1" and "Area, circle" alike. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Za-z])(\d)/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/['’]s\b/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 0);
}

/** A word without its inflection; crude, but the same for every text that is compared. */
export function stem(word: string): string {
  const known = WORDS.irregular[word];
  if (known) return known;
  if (word.length <= 3) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return stem(word.slice(0, -1));
  const bare = SUFFIXES.find(({ ending, least }) => word.length > least && word.endsWith(ending));
  return bare ? word.slice(0, -bare.ending.length) : word;
}

/** The stem that stands for a word and its synonyms. */
export function conceptOf(word: string): string {
  const stemmed = stem(nameOfMeasure(word));
  return CONCEPTS.get(stemmed) ?? stemmed;
}

/** Concepts of the meaningful words of a text, in order of appearance, without repetitions. */
export function conceptsOf(text: string): string[] {
  const meaningful = wordsOf(text).filter((word) => !isStopWord(word) && !/^\d/.test(word));
  return [...new Set(meaningful.map((word) => conceptOf(word)))];
}

/** Whether a word carries no meaning of its own ("the", "of", "please"). */
export function isStopWord(word: string): boolean {
  return WORDS.stopWords.has(word);
}
