import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase from "better-sqlite3";

/**
 * Copies a SQLite file as it stands, also while others write to it. A copy that is there already stays.
 *
 * @throws Error when the file cannot be read
 */
export function copyDatabase({ from, to }: { from: string; to: string }): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  const database = new SqliteDatabase(from);
  try {
    database.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}
