import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";

const groups = z.array(z.array(z.string()).min(2));
const numbers = z.record(z.string(), z.number());
const replacements = z.record(z.string(), z.string());

/** Words that the rules know. */
export const WORDS = readDataFile(
  new URL("words.json", import.meta.url),
  z.strictObject({
    /** Words without a meaning of their own, ignored when texts are compared. */
    stopWords: z.string().transform((words) => new Set(words.split(" "))),
    /** Irregular forms. */
    irregular: replacements,
    /** Groups of words that mean the same operation or thing; the first word stands for all. */
    synonyms: groups,
    /** Adjectives of measures, and their nouns: "25 meters long" states a length. */
    measures: replacements,
    /** Interchangeable words for rewording a task. */
    otherWords: groups,
    /** Numbers written as words. */
    numbers,
    /** How many times per year a word means. */
    timesPerYear: numbers,
  }),
);

/** Endings to remove, so that "translate", "translation" and "translating" are alike. */
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

/** The noun for a measure's adjective; any other word is unchanged. */
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

/** Whether a word has no meaning of its own ("the", "of", "please"). */
export function isStopWord(word: string): boolean {
  return WORDS.stopWords.has(word);
}
