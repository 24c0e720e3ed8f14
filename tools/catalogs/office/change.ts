import { isDeepStrictEqual } from "node:util";
import { changeFrom } from "./changeForm.js";
import type { OfficeChange, TableChange } from "./state.js";
import { DATABASES, type Database, type Row } from "./tables.js";

/** Columns in which case matters: their values are chosen from a list. */
const CASE_COUNTS = new Set(["status", "list_name", "board"]);

const DATABASE_NAMES = Object.keys(DATABASES) as Database[];

/** How a run's change compares with the right one. */
export interface OfficeComparison {
  /** The run did everything that was right and nothing else. */
  same: boolean;
  /** Side effects: rows added, deleted or changed, and plots made, that are not in the right change. */
  unwanted: number;
}

/**
 * Compares two changes of the office as WorkBench compares the tables that result from them (Styles et al. 2024,
 * arXiv:2405.00823, its outcome metric). Texts are compared without case, except in `status`, `list_name` and `board`.
 * The order of new rows, which determines their ids, and that of plots matters.
 *
 * WorkBench counts one side effect for a run that changed something and is not right; here every row is counted. The id
 * of a new row does not matter, and the right row with a wrong value is one unwanted change. A run that did too little, or
 * in another order, has no unwanted changes.
 *
 * @param expected the right change, in the form that the office saves
 * @param actual the change that a run made
 * @throws InvalidSetting if either has another form
 */
export function sameOfficeChange(expected: unknown, actual: unknown): OfficeComparison {
  const right = comparable(changeFrom(expected));
  const made = comparable(changeFrom(actual));
  const rows = DATABASE_NAMES.map((name) => unwantedRows(right[name], made[name], name));
  const plots = surplus(right.plots, made.plots);
  return {
    same: isDeepStrictEqual(right, made),
    unwanted: rows.reduce((sum, count) => sum + count, plots),
  };
}

/** The change with its texts in the form for comparison, and its deleted rows sorted. */
function comparable(change: OfficeChange): OfficeChange {
  return {
    calendar: comparableTable(change.calendar),
    email: comparableTable(change.email),
    project_management: comparableTable(change.project_management),
    customer_relationship_manager: comparableTable(change.customer_relationship_manager),
    plots: change.plots.map((path) => path.toLowerCase()),
  };
}

function comparableTable({ added, deleted, changed }: TableChange): TableChange {
  const rows = Object.entries(changed).map(([id, values]) => [id, comparableRow(values)] as const);
  return {
    added: added.map(comparableRow),
    deleted: deleted.toSorted(),
    changed: Object.fromEntries(rows),
  };
}

function comparableRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      CASE_COUNTS.has(column) ? value : (value?.toLowerCase() ?? null),
    ]),
  );
}

function unwantedRows(right: TableChange, made: TableChange, database: Database): number {
  const { columns, idColumn } = DATABASES[database];
  const content = (row: Row) =>
    JSON.stringify(columns.map((column) => (column === idColumn ? null : (row[column] ?? null))));
  const added = surplus(right.added.map(content), made.added.map(content));
  const deleted = surplus(right.deleted, made.deleted);
  const changed = Object.entries(made.changed).filter(([id, values]) => {
    const wanted = right.changed[id];
    return !Object.entries(values).every(([column, value]) => wanted?.[column] === value);
  });
  return added + deleted + changed.length;
}

/** How many elements of `made` are not in `right`, both as multisets. */
function surplus(right: readonly string[], made: readonly string[]): number {
  const left = [...right];
  return made.filter((each) => {
    const place = left.indexOf(each);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  }).length;
}
