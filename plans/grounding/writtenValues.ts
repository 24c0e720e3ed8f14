/** A day as written; "30 November" has no year. Months count from 1. */
export interface WrittenDay {
  year?: number;
  month: number;
  day: number;
}

export interface Span {
  start: number;
  written: string;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;

const DATES: readonly { pattern: RegExp; read: (parts: string[]) => WrittenDay[] }[] = [
  {
    pattern: /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g,
    read: ([year, month, day]) => [dayOf(year, month, day)],
  },
  {
    pattern: new RegExp(
      String.raw`\b(${DAY})(?:\s+of)?\s+(${MONTH})(?:,?\s+(\d{4}))?(?![\p{L}\d])`,
      "giu",
    ),
    read: ([day, month, year]) => [dayOf(year, monthOf(month), day)],
  },
  {
    pattern: new RegExp(
      String.raw`\b(${MONTH})\s+(${DAY})(?:,?\s+(\d{4}))?(?![\p{L}\d]|[.,:]\d)`,
      "giu",
    ),
    read: ([month, day, year]) => [dayOf(year, monthOf(month), day)],
  },
  {
    // Either number may be the month.
    pattern: /(?<![\d/.])(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?!\d)/g,
    read: ([one, , other, year]) => [dayOf(year, other, one), dayOf(year, one, other)],
  },
];

/** The days a text mentions, each with all possible readings. */
export function daysIn(text: string): (Span & { readings: WrittenDay[] })[] {
  return DATES.flatMap(({ pattern, read }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [written, ...parts] = match;
      const readings = read(parts).filter(
        ({ month, day }) => month >= 1 && month <= 12 && day >= 1 && day <= 31,
      );
      return readings.length > 0 ? [{ start: match.index, written, readings }] : [];
    }),
  );
}

const TIME = /(?<![\d:.])(\d{1,2})(?::(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*([ap]\.?m\b\.?)?/gi;

/** The times of day a text mentions, in minutes since midnight. */
export function timesIn(text: string): (Span & { minutes: number })[] {
  return [...text.matchAll(TIME)].flatMap((match) => {
    const [written, hour, minute, half] = match;
    if (minute === undefined && half === undefined) return [];
    const afternoon = half?.toLowerCase().startsWith("p") ? 12 : 0;
    const hours = half ? (Number(hour) % 12) + afternoon : Number(hour);
    const minutes = hours * 60 + Number(minute ?? 0);
    return minutes < 24 * 60 ? [{ start: match.index, written, minutes }] : [];
  });
}

/** Days since 1970; undefined without a year. */
export function dayNumber({ year, month, day }: WrittenDay): number | undefined {
  return year === undefined ? undefined : Date.UTC(year, month - 1, day) / 86_400_000;
}

/** The day this many days after 1970 began. */
export function dayAt(number: number): WrittenDay {
  const date = new Date(number * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Whether two notations mean the same day; a missing year fits any. */
export function isSameDay(one: WrittenDay, other: WrittenDay): boolean {
  const sameYear = one.year === undefined || other.year === undefined || one.year === other.year;
  return sameYear && one.month === other.month && one.day === other.day;
}

function dayOf(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
): WrittenDay {
  const known = { month: Number(month), day: Number.parseInt(day ?? "", 10) };
  return year === undefined ? known : { year: Number(year), ...known };
}

function monthOf(name: string | undefined): number {
  const start = (name ?? "").toLowerCase().slice(0, 3);
  return MONTHS.indexOf(start) + 1;
}

export interface WrittenNumber {
  /** Without sign, which words may express ("3 less"). */
  value: number;
  decimals: number;
  significant: number;
  isPercent: boolean;
  /** Approximate: "about 40", "1.2 million". */
  isRough: boolean;
  /** Counts days or weeks, which may follow from two dates. */
  isTimeSpan: boolean;
  /** How long what it counts in hours or minutes takes in all, in minutes, which may follow from two times. */
  minutes?: number;
  /** The same digits where a point groups thousands: "59.256". */
  grouped?: number;
}

const DIGITS = String.raw`\d{1,3}(?:[.\u0020]\d{3})+(?=,\d{1,2}(?![\d,]))|\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?!\d)|\d+`;

const NUMBER = new RegExp(
  String.raw`(?<rough>\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|under|(?:more|less) than|circa)\s+|[~≈]\s*)?(?<![\p{L}\d_^.]|\d,)[$€£]?(?<digits>${DIGITS})(?<fraction>\.\d+|,\d{1,2}(?![\d,]))?(?<exponent>[eE][+-]?\d+|\s*[×x*·]\s*10\s*\^?\s*\{?[+-]?\d+\}?)?(?<ordinal>(?:st|nd|rd|th)\b)?(?<scale>\s*(?:thousand|million|billion|trillion|[kM](?![\p{L}\d]))|K(?![\p{L}\d]))?(?<percent>\s*(?:%|percent\b|per cent\b))?`,
  "gu",
);

/** Numbers that are not values: of steps, of list items, powers of units. */
const NUMBERING =
  /(?:\b(?:steps?|parts?|tasks?|subtasks?|level)\s+|(?:^|\n)[ \t]*(?:[-*•]\s*)?\(?)$/i;

const TIME_SPAN = /^[\s-]*(?:\p{L}+\s)?(?:days?|weeks?)\b/u;

const SCALES: Record<string, number> = {
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

/** The numbers in a text with their positions, except those of steps and list items. */
export function numbersIn(text: string): (Span & WrittenNumber)[] {
  // Powers are not values; one letter for each keeps the positions.
  const plain = text.replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀-₉]/g, "a");
  return [...plain.matchAll(NUMBER)].flatMap((match) => {
    const { groups = {}, index } = match;
    if (groups["ordinal"] || isNumbering(plain, match)) return [];
    const behind = plain.slice(index + match[0].length);
    const number = { ...readNumber(groups), isTimeSpan: TIME_SPAN.test(behind) };
    if (!Number.isFinite(number.value)) return [];
    const minutes = minutesOf(number.value, plain.slice(0, index), behind);
    const lead = groups["rough"]?.length ?? 0;
    const written = text.slice(index + lead, index + match[0].length);
    const value = { start: index + lead, written, ...number };
    return [minutes === undefined ? value : { ...value, minutes }];
  });
}

const HOURS = String.raw`\s*(?:h|hrs?|hours?|std|stunden?|heures?|horas?|ore)(?!\p{L})`;
const AND = String.raw`[\s,]*(?:(?:and|und|et|y|e)\s+)?`;
const MINUTES = String.raw`\s*(?:min|mins|minutes?|minuten?|minutos?|minuti)(?!\p{L})`;
const THEN_MINUTES = new RegExp(`^${HOURS}(?:${AND}(\\d{1,2})${MINUTES})?`, "iu");
const AFTER_HOURS = new RegExp(`(\\d{1,3})${HOURS}${AND}$`, "iu");
const IN_MINUTES = new RegExp(`^${MINUTES}`, "iu");

/** "1 h 30 min" is 90 for either number. */
function minutesOf(value: number, before: string, behind: string): number | undefined {
  const hours = THEN_MINUTES.exec(behind);
  if (hours) return value * 60 + Number(hours[1] ?? 0);
  if (!IN_MINUTES.test(behind)) return undefined;
  const [, lead] = AFTER_HOURS.exec(before.slice(-20)) ?? [];
  return Number(lead ?? 0) * 60 + value;
}

function isNumbering(text: string, { index, 0: whole }: RegExpExecArray): boolean {
  const before = text.slice(0, index);
  const lead = NUMBERING.exec(before.slice(-40));
  if (!lead) return isSmallFraction(text, index, whole);
  // At the start of a line, only "1." and "1)" are numbering.
  return /\w/.test(lead[0]) || /^[.):](?:\s|$)/.test(text.slice(index + whole.length));
}

/** The 4 and the 3 of "4/3 π r³". */
function isSmallFraction(text: string, index: number, whole: string): boolean {
  const behind = text.slice(index + whole.length);
  if (!/^\d$/.test(whole)) return false;
  return /^\s?\/\s?\d(?![\d.])/.test(behind) || /(?<![\d.])\d\s?\/\s?$/.test(text.slice(0, index));
}

function readNumber(groups: Record<string, string | undefined>): Omit<WrittenNumber, "isTimeSpan"> {
  const { digits = "", fraction = "", exponent = "", scale = "" } = groups;
  const behind = fraction.slice(1);
  const whole = digits.replaceAll(/[.,\u0020\u00a0\u2009\u202f]/g, "");
  const power = /[+-]?\d+(?=\}?$)/.exec(exponent)?.[0] ?? "0";
  const times = SCALES[scale.trim().toLowerCase()] ?? 1;
  return {
    value: Number(`${whole}.${behind || 0}e${power}`) * times,
    decimals: exponent || times > 1 ? 0 : behind.length,
    significant: `${whole}${behind}`.replace(/^0+/, "").replace(behind ? "" : /0+$/, "").length,
    isPercent: groups["percent"] !== undefined,
    isRough: groups["rough"] !== undefined || times > 1,
    ...(/^\.\d{3}$/.test(fraction) && times === 1 && { grouped: Number(`${whole}${behind}`) }),
  };
}

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

/** Of any length, so that what stands between two short ones is not taken for a third. */
const QUOTE = /["“«]([^"“”«»\n]*)["”»]/g;

const QUOTED_WORDS = 3;
const LONGEST_QUOTE = 300;

/**
 * The values an answer states: placeholders, links, dates, times, ids, numbers, longer quotations and names.
 * Parts of one value are not listed again, and numbers of list items or steps do not count.
 */
export function answerValues(text: string): AnswerValue[] {
  const mask = new Mask(text);
  const placeholders = mask.take(matches(text, PLACEHOLDER, "placeholder"));
  const links = mask.take(matches(mask.rest, LINK, "link"));
  const quotes = [...text.matchAll(QUOTE)]
    .filter(([, inside = ""]) => inside.length <= LONGEST_QUOTE)
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
