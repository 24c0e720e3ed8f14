import {
  type Span,
  type WrittenDay,
  daysIn,
  timesIn,
  type WrittenNumber,
  numbersIn,
} from "./writtenValues.js";

/** A value in an answer that needs a source. */
export type AnswerValue = Span &
  (
    | { kind: "placeholder" | "link" | "id" | "quote" | "name" }
    | { kind: "date"; readings: WrittenDay[] }
    | { kind: "time"; minutes: number }
    | ({ kind: "number" } & WrittenNumber)
  );

/** Placeholders for results: references, braces, and brackets that mention one. */
const PLACEHOLDER =
  /\$\{?\$*(?:PREV|STEP|RESULT|OUTPUT)\b(?:\[[^\]\n]{0,40}\])*(?:\.\w+)*\}?|\{\{[^{}\n]{1,80}\}\}|\$\{[^{}\n]{1,80}\}|[[<{(](?:the |your |insert |final |actual )*(?:result|output|value|answer|step|insert|placeholder)s?(?:[ _-]?(?:of|from|for|here|\d)[^\]>})\n]{0,60})?[\]>}]|\b(?:steps?|results?|outputs?|PREV)\[\d{1,3}\](?:\.\w+)*/gi;

const LINK = /\bhttps?:\/\/[^\s<>"'“”)\]]+[^\s<>"'“”)\].,;:!?]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi;

/** Letters and digits together, such as ISS-9, A1 or don:core:7, but not units such as m2 and 5kg. */
const TOKEN = /[\p{L}\d]+(?:[-_:/#.][\p{L}\d]+)*/gu;

const QUOTE = /["“«]([^"“”«»\n]{3,300})["”»]/g;

const QUOTED_WORDS = 3;

/**
 * The values an answer states: placeholders, links, dates, times, ids, numbers, longer quotations and names.
 * Parts of one value are not listed again, and numbers of list items or steps do not count.
 */
export function answerValues(text: string): AnswerValue[] {
  const mask = new Mask(text);
  const placeholders = mask.take(matches(text, PLACEHOLDER, "placeholder"));
  const links = mask.take(matches(mask.rest, LINK, "link"));
  const quotes = [...text.matchAll(QUOTE)]
    .filter(([, inside = ""]) => inside.trim().split(/\s+/).length >= QUOTED_WORDS)
    .map((match) => ({ kind: "quote" as const, start: match.index, written: match[1] ?? "" }));
  const dates = mask.take(daysIn(mask.rest).map((day) => ({ kind: "date" as const, ...day })));
  const times = mask.take(timesIn(mask.rest).map((time) => ({ kind: "time" as const, ...time })));
  const ids = mask.take(matches(mask.rest, TOKEN, "id").filter(({ written }) => isId(written)));
  const numbers = numbersIn(mask.rest).map((number) => ({ kind: "number" as const, ...number }));
  const names = namesIn(mask.rest).map((name) => ({ kind: "name" as const, ...name }));
  const all = [...placeholders, ...links, ...quotes, ...dates, ...times, ...ids, ...numbers];
  return [...all, ...names].toSorted((one, other) => one.start - other.start);
}

/** A text in which recognised values are blanked, so that the rest keeps its position. */
class Mask {
  constructor(public rest: string) {}

  /** Takes values, except those that overlap an earlier one. */
  take<Value extends Span>(values: Value[]): Value[] {
    return values.filter(({ start, written }) => {
      if (this.rest.slice(start, start + written.length) !== written) return false;
      const blank = written.replaceAll(/[^\n]/g, " ");
      this.rest = this.rest.slice(0, start) + blank + this.rest.slice(start + written.length);
      return true;
    });
  }
}

function matches<Kind extends "placeholder" | "link" | "id">(
  text: string,
  pattern: RegExp,
  kind: Kind,
): (Span & { kind: Kind })[] {
  return [...text.matchAll(pattern)].map(({ index, 0: written }) => ({
    kind,
    start: index,
    written,
  }));
}

/** Numbers with units, ordinals, "3-digit" and variables (x1, m2) are not ids. */
function isId(token: string): boolean {
  if (!/\d/.test(token) || !/\p{L}/u.test(token)) return false;
  return !(
    /^[\d.]+(?:[-/]?\p{L}+)(?:[-/]\p{L}+)*\d?$/u.test(token) ||
    /^\p{Ll}{1,2}\d?(?:[/.-]\p{Ll}{1,2}\d?)*$/u.test(token)
  );
}

const WORD = /\p{L}[\p{L}'’]*(?:-\p{L}+)*/gu;

const NO_NAME = new Set(
  `i i'm i'll i've ok id ids url api json csv pdf utc gmt am pm usd eur gbp mr mrs ms dr
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
  september october november december celsius fahrenheit kelvin euro euros dollar dollars newton joule watt
  yes no true false none null not done total note english`
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * Capitalised words within a sentence. Headings, where every word is capitalised, have none, and the first word
 * of a sentence, line, quotation or list item does not count.
 */
function namesIn(text: string): Span[] {
  return [...linesOf(text)].flatMap(({ line, offset }) => {
    const words = [...line.matchAll(WORD)];
    const isHeading = words.every(({ 0: word }) => isCapitalised(word) || word.length < 4);
    if (isHeading) return [];
    return words.flatMap(({ 0: written, index }) => {
      const before = line.slice(0, index);
      const inSentence = /[\p{L}\d,)'’][ \t]$/u.test(before) || /[\p{L}] \($/u.test(before);
      const isName = inSentence && isCapitalised(written) && !NO_NAME.has(written.toLowerCase());
      return isName ? [{ start: offset + index, written }] : [];
    });
  });
}

/** A capital letter followed by small ones; all capitals are an abbreviation. */
function isCapitalised(word: string): boolean {
  return /^\p{Lu}\p{Ll}/u.test(word);
}

function* linesOf(text: string): Generator<{ line: string; offset: number }> {
  let offset = 0;
  for (const line of text.split("\n")) {
    yield { line, offset };
    offset += line.length + 1;
  }
}
