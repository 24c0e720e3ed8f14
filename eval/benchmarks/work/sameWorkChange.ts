import { isDeepStrictEqual } from "node:util";
import { workChangeFrom } from "../../../tools/catalogs/work/change.js";
import { SAMPLE_WORK } from "../../../tools/catalogs/work/sample.js";
import type { WorkTables } from "../../../tools/catalogs/work/state.js";

/** How the change that a run has made to the work items compares with the right one. */
interface WorkComparison {
  /** The run did what was right, all of it and nothing else. */
  same: boolean;
  /** Rows that the run made or changed and that the right change has not, or has otherwise. */
  unwanted: number;
}

/**
 * Compares two changes of the seeded world. New rows are compared by what is in them and not by their own
 * ids, which are handed out in the order in which the rows are made: that order does not matter.
 *
 * @param expected the right change, in the form in which the world tells it
 * @param actual the change that a run has made
 * @throws InvalidSetting when either has another form
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
