import type { Database } from "../storage/sqlite.js";

/** Finds the number of a row by its columns; adds the row if there is none. */
export function numbering(
  database: Database,
  { table, columns }: { table: string; columns: readonly string[] },
): (...values: (string | number)[]) => number {
  const condition = columns.map((column) => `${column} = ?`).join(" AND ");
  const places = columns.map(() => "?").join(", ");
  const select = database.prepare(`SELECT number FROM ${table} WHERE ${condition}`).pluck();
  const insert = database.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
  );
  const numbers = new Map<string, number>();
  return (...values) => {
    const key = values.join("\0");
    const number =
      numbers.get(key) ??
      (select.get(...values) as number | undefined) ??
      Number(insert.run(...values).lastInsertRowid);
    numbers.set(key, number);
    return number;
  };
}

/** A text without NUL, where SQLite would end it. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
