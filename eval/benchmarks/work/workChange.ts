import { isDeepStrictEqual } from "node:util";
import { SAMPLE_WORK } from "../../../tools/catalogs/work/sample.js";
import type { WorkChange, WorkTables } from "../../../tools/catalogs/work/state.js";
import type { RowChanges } from "./workTask.js";
import { givenFields } from "../../../common/givenFields.js";

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
 */
export function sameWorkChange(expected: WorkChange, actual: WorkChange): WorkComparison {
  const left = rowsOf(expected);
  const made = rowsOf(actual);
  const unwanted = made.filter((row) => {
    const place = left.findIndex((wanted) => isDeepStrictEqual(wanted, row));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return { same: unwanted.length === 0 && left.length === 0, unwanted: unwanted.length };
}

function rowsOf(change: WorkChange): { table: string; row: object }[] {
  return Object.entries(change).flatMap(([table, rows]) => {
    const before = SAMPLE_WORK[table as keyof WorkTables];
    return Object.entries(rows).map(([id, row]) => ({
      table,
      row: Object.hasOwn(before, id) ? row : { ...row, id: "new" },
    }));
  });
}

/** A change in the world's own form: each row complete, as it is afterwards. */
export function stateDiffOf(changes: RowChanges): WorkChange {
  const tables = Object.entries(changes).map(([table, rows]) => {
    const start: Record<string, object> = SAMPLE_WORK[table as keyof WorkTables];
    const whole = Object.entries(rows).map(([id, fields]) => [
      id,
      givenFields({ ...start[id], ...fields }),
    ]);
    return [table, Object.fromEntries(whole)];
  });
  return Object.fromEntries(tables);
}
