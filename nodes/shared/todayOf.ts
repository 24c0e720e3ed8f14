import { daysIn } from "../../plans/grounding/writtenDates.js";
import type { Context } from "../../state/context.js";
import { backgroundOf } from "./background.js";

/** The date of a run: the first full date in its background, else the machine's. */
export function todayOf(context: Context): string {
  const days = daysIn(backgroundOf(context) ?? "").toSorted(
    (one, other) => one.start - other.start,
  );
  const [told] = days.flatMap(({ readings }) =>
    readings.flatMap(({ year, month, day }) =>
      year === undefined ? [] : [new Date(Date.UTC(year, month - 1, day))],
    ),
  );
  return (told ?? new Date()).toISOString().slice(0, "2026-03-01".length);
}
