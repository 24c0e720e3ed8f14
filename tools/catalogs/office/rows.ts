import type { OfficeWorld, TableChange } from "./state.js";
import { DATABASES, type Database, type DatabaseRows, type Row } from "./tables.js";

/**
 * The rows of a table as the run sees them: the original rows in their order, without the deleted ones and with the changed
 * values, then the new ones.
 */
export function rowsOf<D extends Database>(world: OfficeWorld, database: D): DatabaseRows[D][] {
  const { idColumn } = DATABASES[database];
  const { added, deleted, changed } = world.change[database];
  const gone = new Set(deleted);
  const kept = baseRows(world, database)
    .filter((row) => !gone.has(idOf(row, idColumn)))
    .map((row) => ({ ...row, ...changed[idOf(row, idColumn)] }));
  // The cast is safe: columns are checked when a table is read, and the tools make the new rows.
  return [...kept, ...added.map((row) => ({ ...row }))] as DatabaseRows[D][];
}

/** The row with an id. */
export function rowWith<D extends Database>(
  world: OfficeWorld,
  database: D,
  id: string,
): DatabaseRows[D] | undefined {
  const { idColumn } = DATABASES[database];
  return rowsOf(world, database).find((row) => idOf(row, idColumn) === id);
}

/**
 * Adds a row with the id after the current highest one, so the id of a deleted row may return, as in WorkBench.
 *
 * @param options.values every column except the id
 * @returns the new id
 */
export function addRow({
  world,
  database,
  values,
}: {
  world: OfficeWorld;
  database: Database;
  values: Row;
}): string {
  const { idColumn, idLength, columns } = DATABASES[database];
  const highest = rowsOf(world, database).reduce(
    (most, row) => Math.max(most, Number(idOf(row, idColumn))),
    -1,
  );
  const id = String(highest + 1).padStart(idLength, "0");
  const row = { ...values, [idColumn]: id };
  world.change[database].added.push(
    Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  );
  return id;
}

/** Deletes the row with an id, which has to exist. */
export function deleteRow(world: OfficeWorld, database: Database, id: string): void {
  const change = world.change[database];
  const place = placeAmongAdded(change, database, id);
  if (place >= 0) {
    change.added.splice(place, 1);
    return;
  }
  change.deleted.push(id);
  delete change.changed[id];
}

/** Changes one column of the row with an id, which has to exist. */
export function changeRow({
  world,
  database,
  id,
  column,
  value,
}: {
  world: OfficeWorld;
  database: Database;
  id: string;
  column: string;
  value: string;
}): void {
  const change = world.change[database];
  const added = change.added[placeAmongAdded(change, database, id)];
  if (added !== undefined) {
    added[column] = value;
    return;
  }
  const { idColumn } = DATABASES[database];
  const before = baseRows(world, database).find((row) => idOf(row, idColumn) === id);
  const { [column]: _replaced, ...others } = change.changed[id] ?? {};
  // The original value counts as no change.
  const values = before?.[column] === value ? others : { ...others, [column]: value };
  if (Object.keys(values).length > 0) change.changed[id] = values;
  else delete change.changed[id];
}

function placeAmongAdded({ added }: TableChange, database: Database, id: string): number {
  return added.findIndex((row) => row[DATABASES[database].idColumn] === id);
}

function baseRows(world: OfficeWorld, database: Database): readonly Row[] {
  return world.tables[DATABASES[database].table] as readonly Row[];
}

function idOf(row: Row, idColumn: string): string {
  return row[idColumn] ?? "";
}
