import {
  type AnswerValue,
  answerValues,
  dayAt,
  dayNumber,
  isSameDay,
  type WrittenDay,
  type WrittenNumber,
} from "./writtenValues.js";
import { isDerived } from "./derived.js";
import { type Known, wordsOf } from "./sources.js";

/**
 * The values of an answer without a source in what was said or called. Other notations count as the same value:
 * rounded, with thousands separators, in percent, without sign, a day as "30 November". Counting and comparing
 * is allowed too: lengths and sums of lists, days between dates, and one step of arithmetic on results (`derived.ts`).
 * Longer calculations are not: tools are there for that.
 */
export function ungroundedValues(answer: string, known: Known): AnswerValue[] {
  return answerValues(answer).filter((value) => !isGrounded(value, known));
}

function isGrounded(value: AnswerValue, known: Known): boolean {
  switch (value.kind) {
    case "number":
      return isKnownNumber(value, known);
    case "date":
      return value.readings.some((day) => isKnownDay(day, known));
    case "time":
      return isKnownTime(value.minutes, known);
    case "quote":
      return isKnownQuote(value.written, known);
    case "name":
      return !known.hasNames || known.words.includes(wordsOf(value.written.replace(/['’]s$/, "")));
    case "id":
      return (
        // Notation of other bases: "0x10" is 16.
        (/^0[xbo]/i.test(value.written) && known.numbers.has(Number(value.written))) ||
        known.text.includes(value.written.toLowerCase()) ||
        known.words.includes(wordsOf(value.written))
      );
    default:
      return known.text.includes(value.written.toLowerCase());
  }
}

/** Pi and e need no source, and neither does 100 %. */
const CONSTANTS = [Math.PI, Math.E];

const ROUGH = 0.06;

/** A number with more digits is exact, even if called approximate. */
const ROUGH_DIGITS = 3;

function isKnownNumber(number: WrittenNumber, known: Known): boolean {
  const { numbers, spans, durations, countable } = known;
  const { value, isPercent, isTimeSpan, minutes, grouped } = number;
  if (numbers.has(value) || (isTimeSpan && spans.has(value))) return true;
  if (minutes !== undefined && durations.has(minutes)) return true;
  if (grouped !== undefined) {
    const whole = { ...number, value: grouped, decimals: 0, grouped: undefined };
    if (isKnownNumber(whole, known)) return true;
  }
  if (Number.isInteger(value) && value <= countable) return true;
  if (isPercent && value === 100) return true;
  for (const each of numbers) {
    if (isWriting(number, each)) return true;
    if (isPercent ? isWriting(number, each * 100) : isWriting(number, each / 100)) {
      if (isPercent || number.significant > 1) return true;
    }
  }
  if (isDerived(number, known.figures)) return true;
  return CONSTANTS.some((each) => number.significant > 2 && isWriting(number, each));
}

/** Whether a number is a known one rounded, truncated or approximate. */
function isWriting(number: WrittenNumber, known: number): boolean {
  const { value, decimals, significant, isRough } = number;
  const distance = Math.abs(value - known);
  if (distance <= 1e-9 * Math.max(1, known)) return true;
  if (isRough && significant <= ROUGH_DIGITS && distance <= ROUGH * known) return true;
  // Rounded or truncated to its decimals; a small number must keep a significant digit.
  if (decimals > 0 || known >= 1) {
    if (!Number.isInteger(known) && distance < 10 ** -decimals && distance <= known / 4)
      return true;
  }
  return significant >= 3 && distance <= (known / 10 ** (significant - 1)) * 0.5;
}

function isKnownDay(day: WrittenDay, { days, said }: Known): boolean {
  if (days.some((known) => isSameDay(day, known))) return true;
  // "Three days later", "in two weeks".
  const steps = [1, 7, ...[...said].filter((number) => Number.isInteger(number) && number <= 366)];
  return days.some((known) => {
    const from = dayNumber(known);
    if (from === undefined) return false;
    return steps
      .flatMap((step) => [step, -step, 7 * step])
      .some((step) => isSameDay(day, dayAt(from + step)));
  });
}

function isKnownTime(minutes: number, { times, numbers }: Known): boolean {
  if (times.has(minutes)) return true;
  // "From 15:00, for 45 minutes."
  return [...times].some((from) => {
    const later = (minutes - from + 1440) % 1440;
    return numbers.has(later) || numbers.has(later / 60);
  });
}

/** A quotation may omit words if it shows that. */
function isKnownQuote(quote: string, { words }: Known): boolean {
  const parts = quote.split(/\.{3}|…/).map(wordsOf);
  return parts.every((part) => part.trim() === "" || words.includes(part));
}
