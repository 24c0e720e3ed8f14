import { changeRow, deleteRow, rowWith } from "./rows.js";
import type { OfficeWorld } from "./state.js";
import { DATABASES, type Database } from "./tables.js";

// The calendar, the mailbox, the task boards and the customers answer in the same way. As in WorkBench, a call that cannot
// be carried out is answered in words, so that the model reads what was wrong and continues.

/** A row of a table, by its id. */
interface RecordPlace {
  world: OfficeWorld;
  database: Database;
  id: string;
}

/** One field of a record, or in words what was wrong. */
export function readField({
  world,
  database,
  id,
  field,
}: RecordPlace & { field: string }): Record<string, string | null> | string {
  const { noun, columns } = DATABASES[database];
  if (!id) return `${noun} ID not provided.`;
  if (!field) return "Field not provided.";
  const row: Record<string, string | null> | undefined = rowWith(world, database, id);
  if (row === undefined) return `${noun} not found.`;
  return columns.includes(field) ? { [field]: row[field] ?? null } : "Field not found.";
}

/** Deletes a record and says so, or what was wrong. */
export function deleteRecord({ world, database, id }: RecordPlace): string {
  const { noun } = DATABASES[database];
  if (!id) return `${noun} ID not provided.`;
  if (rowWith(world, database, id) === undefined) return `${noun} not found.`;
  deleteRow(world, database, id);
  return `${noun} deleted successfully.`;
}

/**
 * Gives a field of a record a new value and says so, or what was wrong. Addresses are stored in lower case. Ids never
 * change, and no new field is made: in WorkBench an event can be given any field, which no other tool would know.
 *
 * @param options.problem what is wrong with the new value
 */
export function updateRecord({
  world,
  database,
  id,
  field,
  value,
  problem,
}: RecordPlace & { field: string; value: string; problem?: string }): string {
  const { noun, idColumn, columns } = DATABASES[database];
  if (!id || !field || !value) return `${noun} ID, field, or new value not provided.`;
  if (problem !== undefined) return problem;
  if (rowWith(world, database, id) === undefined) return `${noun} not found.`;
  const fields = columns.filter((column) => column !== idColumn);
  if (!fields.includes(field)) return `Field not valid. It must be one of: ${fields.join(", ")}.`;
  const stored = field.endsWith("_email") ? value.toLowerCase() : value;
  changeRow({ world, database, id, column: field, value: stored });
  return `${noun} updated successfully.`;
}

/** What is wrong with a value that must be one of several, as an answer for the model. */
export function choiceProblem({
  what,
  value,
  choices,
}: {
  what: string;
  value: string;
  choices: readonly string[];
}): string | undefined {
  if (choices.includes(value)) return undefined;
  return `${what} not valid. It must be one of: ${choices.join(", ")}.`;
}

/** Whether a text contains another, ignoring case. */
export function holds(text: string | null, part: string): boolean {
  return text !== null && text.toLowerCase().includes(part.toLowerCase());
}
