import { SAMPLE_WORK } from "../../../tools/catalogs/work/sample.js";
import type { WorkTables } from "../../../tools/catalogs/work/state.js";
import type { GoldCall } from "../benchmark.js";

/** What came of following a task's plan or program over the seeded world. */
export interface Outcome {
  /** The plan's calls, earlier results filled in; absent where it refers to none, and of a program. */
  calls?: GoldCall[];
  /** Texts of the answer; absent where the request asks for nothing but a change. */
  facts?: string[];
  /** What is changed; absent where the plan only reads. */
  changes?: RowChanges;
  /** Words for what no tool can do, see `Task.unmet`; absent where all of the request can be done. */
  unmet?: string[];
}

/** Outcomes by the ids of their tasks. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/**
 * Rows of the world by table and id: all of a new row, and of others the fields that are no longer as
 * they were, null for those that are gone.
 */
export type RowChanges = { [Table in keyof WorkTables]?: Record<string, Fields> };

type Fields = Record<string, unknown>;

/** Ids of objects, written with blanks between them. */
export function ids(list: string): string[] {
  return list.split(" ");
}

/** The same change of several rows. */
export function each(ids: readonly string[], fields: Fields): Record<string, Fields> {
  return Object.fromEntries(ids.map((id) => [id, fields]));
}

/** A change in the form in which the world itself tells it: each row whole, as it is afterwards. */
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
