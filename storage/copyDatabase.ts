import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { StorageFailed, openDatabase } from "./sqlite.js";
import { takeName } from "./takeName.js";

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
  const part = `${to}.${randomUUID()}.part`;
  openDatabase({ file: part, use: "draft" }).close();
  const database = openDatabase({ file: from });
  try {
    database.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`);
    takeName({ draft: part, file: to });
  } finally {
    database.close();
    rmSync(part, { force: true });
  }
}
