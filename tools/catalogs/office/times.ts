/** The time at which the office's clock stands still, as in the benchmark. */
export const NOW = "2023-11-30 00:00:00";

/** Bounds of a search by parameter name; an empty bound counts as left out. */
type Bounds = Readonly<Record<string, string | undefined>>;

/** What is wrong with the first bound that is neither a date nor a time, as an answer for the model. */
export function boundsProblem(bounds: Bounds): string | undefined {
  const wrong = Object.entries(bounds).find(([, text]) => text && timeOf(text) === undefined);
  return wrong && `${wrong[0]} not valid. Write it as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.`;
}

/** Whether a time lies within bounds, both inclusive; a bound without a time of day is midnight. */
export function isTimeWithin(time: string, range: { min?: string; max?: string }): boolean {
  return isBetween(timeOf(time), { min: bound(range.min), max: bound(range.max) });
}

/** Whether the day of a date or time lies within bounds, both inclusive whole days. */
export function isDayWithin(time: string | null, range: { min?: string; max?: string }): boolean {
  const days = { min: dayOf(bound(range.min)), max: dayOf(bound(range.max)) };
  return isBetween(dayOf(timeOf(time ?? "")), days);
}

function dayOf(time: string | undefined): string | undefined {
  return time?.slice(0, "YYYY-MM-DD".length);
}

/** Times of one form sort as texts. Something that is not a time lies within no bounds. */
function isBetween(time: string | undefined, range: { min?: string; max?: string }): boolean {
  if (time === undefined) return range.min === undefined && range.max === undefined;
  return (
    (range.min === undefined || time >= range.min) && (range.max === undefined || time <= range.max)
  );
}

function bound(text: string | undefined): string | undefined {
  return text ? timeOf(text) : undefined;
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2}))?)?$/;

/** A date or time in the form of the tables; undefined if there is no such time. */
function timeOf(text: string): string | undefined {
  const [, date, minute = "00:00", second = "00"] = TIME.exec(text.trim()) ?? [];
  const time = new Date(`${date}T${minute}:${second}Z`);
  if (Number.isNaN(time.getTime())) return undefined;
  // JavaScript reads 30 February as 1 March.
  const written = time.toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ");
  return written === `${date} ${minute}:${second}` ? written : undefined;
}
