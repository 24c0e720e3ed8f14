import { wordsOf } from "../../tools/library/vectors/embedding.js";
import { termsOf } from "../../tools/library/words/words.js";
import { numberOf, numbersIn } from "./numbersInText.js";

/** The contents of texts, to decide whether a value can come from them; computed on demand. */
export type Evidence = ReturnType<typeof evidenceOf>;

export function evidenceOf(texts: readonly string[]) {
  const spelled = once(() => new Set(texts.flatMap(spelledWords)));
  const implied = once(() => [...numbersInWords(spelled()), ...texts.flatMap(ordinalsAndHours)]);
  return {
    texts,
    /** In lower case, as written and in the singular, including the numbers that words stand for. */
    words: once((): ReadonlySet<string> => {
      const telling = tellingWords([...spelled()].join(" "));
      return new Set([...spelled(), ...telling, ...implied().map(String)]);
    }),
    numbers: once(() => [...texts.flatMap(numbersIn), ...implied()]),
  };
}

function once<Value>(read: () => Value): () => Value {
  let kept: { value: Value } | undefined;
  return () => (kept ??= { value: read() }).value;
}

/**
 * Whether a value can come from one of several sources: a number that they contain, exactly or rounded, or a text whose
 * words they all contain. Articles, pronouns and the like need no source, nor do true, false and null. In lists and
 * objects each value needs a source. Computed values (a sum, "tomorrow" as a date) count as not derivable.
 */
export function isDerivable(value: unknown, sources: readonly Evidence[]): boolean {
  if (typeof value === "number") return isKnownNumber(value, sources);
  if (typeof value === "string") return isKnownText(value, sources);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((inner) => isDerivable(inner, sources));
}

/** All contents of a value as one text, including names of fields. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (typeof value === "object" && value !== null) return fieldsText(value);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function fieldsText(value: object): string {
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${textOf(inner)}`)
    .join("\n");
}

function isKnownNumber(value: number, sources: readonly Evidence[]): boolean {
  return sources.some(({ numbers }) =>
    numbers().some((known) => known === value || isRounded(value, known)),
  );
}

function isRounded(value: number, known: number): boolean {
  const [, decimals = ""] = String(value).split(".");
  // Numbers with an exponent must be equal.
  return /^\d*$/.test(decimals) && Number(known.toFixed(decimals.length)) === value;
}

function isKnownText(value: string, sources: readonly Evidence[]): boolean {
  const number = numberOf(value);
  if (number !== undefined && isKnownNumber(number, sources)) return true;
  const words = neededWords(value);
  if (words.length === 0) {
    return sources.some(({ texts }) => texts.some((text) => text.includes(value.trim())));
  }
  return words.every((word) => sources.some(({ words }) => words().has(word)));
}

/** A date, with or without a time. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;

/** The zeros and letters of a timestamp need no source. */
function neededWords(value: string): string[] {
  const telling = tellingWords(value);
  const words = telling.length > 0 ? telling : spelledWords(value);
  return ISO_DATE.test(value) ? words.filter((word) => !["0", "t", "z"].includes(word)) : words;
}

/** Words in the singular, without stop words. */
function tellingWords(text: string): string[] {
  return termsOf(digitsApart(text)).map(withoutZeros);
}

function spelledWords(text: string): string[] {
  return wordsOf(digitsApart(text)).split(" ").filter(Boolean).map(withoutZeros);
}

/** Splits "T15" and "7th" into two words. */
function digitsApart(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/(\d)(?=\p{L})/gu, "$1 ")
    .replaceAll(/(\p{L})(?=\d)/gu, "$1 ");
}

/** Removes leading zeros of days and hours. */
function withoutZeros(word: string): string {
  return word.replace(/^0+(?=\d+$)/, "");
}

const NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

const MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );

/** Numbers for number words and months. */
function numbersInWords(words: ReadonlySet<string>): number[] {
  return [NUMBER_WORDS, MONTHS].flatMap((names) =>
    names.flatMap((name, index) => (words.has(name) ? index + 1 : [])),
  );
}

/** "7th" is 7, and "3 pm" is 15. */
function ordinalsAndHours(text: string): number[] {
  const ordinals = [...text.matchAll(/(\d+)(?:st|nd|rd|th)\b/gi)].map(([, digits]) =>
    Number(digits),
  );
  const hours = [...text.matchAll(/\b(\d{1,2})(?::\d{2})?\s*p\.?m\b/gi)].map(
    ([, hour]) => (Number(hour) % 12) + 12,
  );
  return [...ordinals, ...hours];
}
