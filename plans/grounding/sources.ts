import type { Figures } from "./derived.js";
import { isPlainObject } from "../steps/references.js";
import { type WrittenDay, dayAt, dayNumber, daysIn, timesIn, numbersIn } from "./writtenValues.js";

export interface Sources {
  /** What was said: the request, the background, earlier turns, what the model was told. */
  texts: readonly string[];
  /** Arguments and results of calls, whole. */
  values: readonly unknown[];
}

/** The content of sources, indexed for lookups. */
export interface Known {
  /** Absolute values: as written, in words, as parts of dates, as lengths, sums and means of lists. */
  numbers: ReadonlySet<number>;
  figures: Figures;
  /** Days and weeks between known days. */
  spans: ReadonlySet<number>;
  /** Minutes between known times of a day. */
  durations: ReadonlySet<number>;
  /** Numbers that were said, which may be added to a day or time. */
  said: ReadonlySet<number>;
  /** The most things that can have been counted. */
  countable: number;
  days: readonly WrittenDay[];
  times: ReadonlySet<number>;
  text: string;
  words: string;
  /** Whether calls returned names at all: only then do names in an answer need a source. */
  hasNames: boolean;
}

const MOST_DAYS = 300;

const MOST_TIMES = 40;

const SMALL_NUMBERS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );

const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const OTHER_NUMBERS: Record<string, number> = {
  half: 0.5,
  quarter: 0.25,
  once: 1,
  twice: 2,
  double: 2,
  triple: 3,
  pair: 2,
  couple: 2,
  dozen: 12,
  hundred: 100,
  thousand: 1000,
  million: 1e6,
  week: 7,
  fortnight: 14,
  year: 365,
};

export function knownIn({ texts, values }: Sources): Known {
  const found = new Finds();
  for (const text of texts) found.readText(text);
  const said = new Set(found.numbers);
  for (const value of values) found.readValue(value);
  addSums(values, found.sums);
  for (const sum of found.sums) found.numbers.add(sum);
  const asked = numbersIn(texts[0] ?? "").map((number) => number.value);
  const text = found.texts.join("\n").toLowerCase();
  const days = found.days.slice(0, MOST_DAYS);
  return {
    numbers: found.numbers,
    figures: { found: [...new Set([...found.sums, ...found.figures])], asked },
    spans: new Set(spansBetween(days)),
    durations: new Set(durationsBetween([...found.times].slice(0, MOST_TIMES))),
    said,
    countable: found.longest,
    days,
    times: found.times,
    text,
    words: wordsOf(text),
    hasNames: found.hasNames,
  };
}

/** The words of a text separated by spaces, to search for runs of whole words. */
export function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
}

class Finds {
  readonly numbers = new Set<number>();
  /** Numbers in data. */
  readonly figures = new Set<number>();
  readonly sums = new Set<number>();
  readonly days: WrittenDay[] = [];
  readonly times = new Set<number>();
  readonly texts: string[] = [];
  longest = 0;
  hasNames = false;

  readText(text: string): void {
    this.texts.push(text);
    for (const { value, isPercent } of numbersIn(text)) {
      this.numbers.add(value);
      if (isPercent) this.numbers.add(value / 100);
    }
    for (const [digits] of text.matchAll(
      /\d+(?=st|nd|rd|th|\p{L}|[-_:/.])|(?<=[\p{L}\-_:/.])\d+/gu,
    ))
      this.numbers.add(Number(digits));
    for (const number of numbersInWords(text)) this.numbers.add(number);
    for (const { readings } of daysIn(text)) this.addDays(readings);
    for (const { minutes } of timesIn(text)) this.times.add(minutes);
    for (const [, minutes] of text.matchAll(/\d[T ](\d{2}:\d{2})/g))
      for (const time of timesIn(minutes ?? "")) this.times.add(time.minutes);
  }

  readValue(value: unknown): void {
    if (typeof value === "number") this.readNumber(value);
    else if (typeof value === "string") {
      this.hasNames ||= /^\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}/u.test(value);
      this.readText(value);
    } else if (Array.isArray(value)) this.readList(value);
    else if (isPlainObject(value)) {
      this.texts.push(Object.keys(value).join("\n"));
      this.count(Object.keys(value).length);
      for (const inner of Object.values(value)) this.readValue(inner);
    }
  }

  private readList(list: readonly unknown[]): void {
    this.numbers.add(list.length);
    if (list.some((item) => typeof item !== "number")) this.count(list.length);
    addSums(list, this.sums);
    for (const item of list) this.readValue(item);
  }

  private count(length: number): void {
    this.longest = Math.max(this.longest, length);
  }

  private readNumber(value: number): void {
    this.numbers.add(Math.abs(value));
    this.figures.add(value);
    this.texts.push(String(value));
    const seconds = Math.abs(value) > 1e11 ? value / 1000 : value;
    // Only numbers between 1990 and 2060 count as moments.
    if (seconds < 6.3e8 || seconds > 2.85e9) return;
    this.addDays([dayAt(Math.floor(seconds / 86_400))]);
    this.times.add(Math.floor((seconds % 86_400) / 60));
  }

  private addDays(days: readonly WrittenDay[]): void {
    this.days.push(...days);
    for (const { year, month, day } of days) {
      for (const number of [year, month, day]) if (number !== undefined) this.numbers.add(number);
    }
  }
}

/** Items of a list whose sums are worked out for each value of a field. */
const MOST_GROUPED = 200;

const MOST_GROUPS = 10;

/**
 * Adds the sums and means of number lists, and of fields that are numbers in all objects of a list: of all of them, and of
 * those that have the same text in another field, such as the hours of each owner.
 */
function addSums(list: readonly unknown[], into: Set<number>): void {
  const addFor = (numbers: readonly unknown[]) => {
    if (numbers.length === 0 || !numbers.every((each) => typeof each === "number")) return;
    const sum = numbers.reduce((total, each) => total + each, 0);
    into.add(Math.abs(sum));
    into.add(Math.abs(sum) / numbers.length);
  };
  addFor(list);
  const objects = list.filter(isPlainObject);
  const fields = Object.keys(objects[0] ?? {});
  for (const field of fields) addFor(objects.map((each) => each[field]));
  if (objects.length < 3 || objects.length > MOST_GROUPED) return;
  const isNumber = (field: string) => typeof objects[0]?.[field] === "number";
  for (const by of fields.filter((field) => !isNumber(field))) {
    const values = new Set(objects.map((each) => each[by]));
    if (values.size > MOST_GROUPS) continue;
    for (const value of values) {
      const group = objects.filter((each) => each[by] === value);
      for (const field of fields.filter(isNumber)) addFor(group.map((each) => each[field]));
    }
  }
}

/** Days between two days, with and without both, and the same in weeks. */
function spansBetween(days: readonly WrittenDay[]): number[] {
  const numbers = [...new Set(days.flatMap((day) => dayNumber(day) ?? []))];
  return numbers.flatMap((one) =>
    numbers
      .filter((other) => other > one)
      .flatMap((other) => [other - one, other - one + 1, (other - one) / 7]),
  );
}

function durationsBetween(times: readonly number[]): number[] {
  return times.flatMap((one) => times.flatMap((other) => (other > one ? [other - one] : [])));
}

function numbersInWords(text: string): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.flatMap((word, at) => {
    const small = SMALL_NUMBERS.indexOf(word);
    if (small >= 0) return [small];
    const tens = TENS.indexOf(word);
    const ones = SMALL_NUMBERS.indexOf(words[at + 1] ?? "");
    if (tens >= 0) return [(tens + 2) * 10, (tens + 2) * 10 + (ones > 0 && ones < 10 ? ones : 0)];
    const other = OTHER_NUMBERS[word.replace(/s$/, "")];
    return other === undefined ? [] : [other];
  });
}
