import { daysIn } from "../../plans/grounding/writtenValues.js";
import type { Settings } from "../../state/settings.js";
import { backgroundOf } from "./runBasics.js";

/** The date of a run: the first full date in its background, else the machine's. */
export function todayOf(settings: Settings): string {
  const days = daysIn(backgroundOf(settings) ?? "").toSorted(
    (one, other) => one.start - other.start,
  );
  const [told] = days.flatMap(({ readings }) =>
    readings.flatMap(({ year, month, day }) =>
      year === undefined ? [] : [new Date(Date.UTC(year, month - 1, day))],
    ),
  );
  return (told ?? new Date()).toISOString().slice(0, "2026-03-01".length);
}
