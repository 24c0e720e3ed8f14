import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";

const groups = z.array(z.array(z.string()).min(2));
const numbers = z.record(z.string(), z.number());
const replacements = z.record(z.string(), z.string());

/** The words that the rules know. */
export const WORDS = readDataFile(
  new URL("words.json", import.meta.url),
  z.strictObject({
    /** Words that carry no meaning of their own when two texts are compared. */
    stopWords: z.string().transform((words) => new Set(words.split(" "))),
    /** Forms that no rule of inflection gives. */
    irregular: replacements,
    /** Groups of words that mean the same operation or thing; the first word stands for all. */
    synonyms: groups,
    /** Adjectives that say a measure, and its noun: "25 meters long" tells a length. */
    measures: replacements,
    /** Words that stand for each other where a task says what is to be done, whatever its values. */
    otherWords: groups,
    /** Numbers that are written as words. */
    numbers,
    /** How often per year a word says that something happens: reading of a word, not a computation. */
    timesPerYear: numbers,
  }),
);
