import { isDeepStrictEqual } from "node:util";
import { workChangeFrom } from "../../../tools/catalogs/work/change.js";
import { SAMPLE_WORK } from "../../../tools/catalogs/work/sample.js";
import type { WorkTables } from "../../../tools/catalogs/work/state.js";

/** How a run's change to the work items compares with the right one. */
interface WorkComparison {
  /** The run made exactly the right change. */
  same: boolean;
  /** Rows that the run made or changed and that differ from the right change. */
  unwanted: number;
}

/**
 * Compares two changes of the seeded world. New rows are compared by their contents, not by their ids, which depend on
 * the order in which rows are made.
 *
 * @param expected the right change, in the world's own form
 * @param actual the change that a run made
 * @throws InvalidSetting if either has another form
 */
export function sameWorkChange(expected: unknown, actual: unknown): WorkComparison {
  const left = rowsOf(expected);
  const made = rowsOf(actual);
  const unwanted = made.filter((row) => {
    const place = left.findIndex((wanted) => isDeepStrictEqual(wanted, row));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return { same: unwanted.length === 0 && left.length === 0, unwanted: unwanted.length };
}

function rowsOf(form: unknown): { table: string; row: object }[] {
  return Object.entries(workChangeFrom(form)).flatMap(([table, rows]) => {
    const before = SAMPLE_WORK[table as keyof WorkTables];
    return Object.entries(rows).map(([id, row]) => ({
      table,
      row: Object.hasOwn(before, id) ? row : { ...row, id: "new" },
    }));
  });
}
