import { SAMPLE_WORK } from "../../../tools/catalogs/work/sample.js";
import type { WorkTables } from "../../../tools/catalogs/work/state.js";
import type { RowChanges } from "./workTask.js";

type Fields = Record<string, unknown>;

/** A change in the world's own form: each row complete, as it is afterwards. */
export function stateDiffOf(changes: RowChanges): Record<string, unknown> {
  const tables = Object.entries(changes).map(([table, rows]) => {
    const start: Record<string, object> = SAMPLE_WORK[table as keyof WorkTables];
    const whole = Object.entries(rows).map(([id, fields]) => [
      id,
      withoutNulls({ ...start[id], ...fields }),
    ]);
    return [table, Object.fromEntries(whole)];
  });
  return Object.fromEntries(tables);
}

function withoutNulls(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
