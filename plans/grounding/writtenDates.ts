/** A day as written; "30 November" has no year. Months count from 1. */
export interface WrittenDay {
  year?: number;
  month: number;
  day: number;
}

/** A range in a text. */
export interface Span {
  start: number;
  written: string;
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;

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
      const readings = read(parts).filter(isDay);
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
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  };
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
  return MONTHS.findIndex((month) => month.startsWith(start)) + 1;
}

function isDay({ month, day }: WrittenDay): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
