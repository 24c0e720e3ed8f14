import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { StorageFailed } from "../common/errors.js";
import { makeFolder } from "./makeFolder.js";

/**
 * Copies a SQLite file, even while others write to it; only its owner can read the copy. An existing copy is kept.
 *
 * @throws StorageFailed when there is no file to copy
 */
export function copyDatabase({ from, to }: { from: string; to: string }): void {
  if (existsSync(to)) return;
  if (!existsSync(from)) {
    throw new StorageFailed({ file: from, problem: "there is no such file to copy" });
  }
  // It gets its name once it is complete, so that an interrupted copy does not count as one.
  const part = `${to}.part`;
  makeFolder(dirname(to));
  rmSync(part, { force: true });
  closeSync(openSync(part, "wx", 0o600));
  const database = new SqliteDatabase(from);
  try {
    database.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
  renameSync(part, to);
}
