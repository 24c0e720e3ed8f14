import type { Span } from "./writtenDates.js";

/** A number as written. */
export interface WrittenNumber {
  /** Without sign, which words may express ("3 less"). */
  value: number;
  /** Digits after the point. */
  decimals: number;
  /** Significant digits. */
  significant: number;
  isPercent: boolean;
  /** Approximate: "about 40", "1.2 million". */
  isRough: boolean;
  /** Counts days or weeks, which may follow from two dates. */
  isTimeSpan: boolean;
}

const DIGITS = String.raw`\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?!\d)|\d+`;

const NUMBER = new RegExp(
  String.raw`(?<rough>\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|under|(?:more|less) than|circa)\s+|[~≈]\s*)?(?<![\p{L}\d_^.]|\d,)[$€£]?(?<digits>${DIGITS})(?<fraction>\.\d+|,\d{1,2}(?![\d,]))?(?<exponent>[eE][+-]?\d+|\s*[×x*·]\s*10\s*\^?\s*\{?[+-]?\d+\}?)?(?<ordinal>(?:st|nd|rd|th)\b)?(?<scale>\s*(?:thousand|million|billion|trillion|[kKM](?![\p{L}\d])))?(?<percent>\s*(?:%|percent\b|per cent\b))?`,
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
  const plain = plainPowers(text);
  return [...plain.matchAll(NUMBER)].flatMap((match) => {
    const { groups = {}, index } = match;
    if (groups["ordinal"] || isNumbering(plain, match)) return [];
    const behind = plain.slice(index + match[0].length);
    const number = { ...readNumber(groups), isTimeSpan: TIME_SPAN.test(behind) };
    if (!Number.isFinite(number.value)) return [];
    const lead = groups["rough"]?.length ?? 0;
    const written = text.slice(index + lead, index + match[0].length);
    return [{ start: index + lead, written, ...number }];
  });
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

/** Replaces powers, which are not values, by one letter each, so that positions stay. */
function plainPowers(text: string): string {
  return text.replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀-₉]/g, "a");
}

function readNumber(groups: Record<string, string | undefined>): Omit<WrittenNumber, "isTimeSpan"> {
  const { digits = "", fraction = "", exponent = "", scale = "" } = groups;
  const behind = fraction.slice(1);
  const whole = digits.replaceAll(/[,\u00a0\u2009\u202f]/g, "");
  const power = /[+-]?\d+(?=\}?$)/.exec(exponent)?.[0] ?? "0";
  const times = SCALES[scale.trim().toLowerCase()] ?? 1;
  return {
    value: Number(`${whole}.${behind || 0}e${power}`) * times,
    decimals: exponent || times > 1 ? 0 : behind.length,
    significant: `${whole}${behind}`.replace(/^0+/, "").replace(behind ? "" : /0+$/, "").length,
    isPercent: groups["percent"] !== undefined,
    isRough: groups["rough"] !== undefined || times > 1,
  };
}
