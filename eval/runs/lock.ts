import { join } from "node:path";
import { type Database, openDatabase } from "../../storage/sqlite.js";
import { ExperimentFailed } from "./experimentFailed.js";

/**
 * SQLite's lock on a file: the system gives it back when the process ends, however it ends, which no
 * file with a process id in it can promise.
 *
 * @throws ExperimentFailed when another process holds it
 */
export function takeLock(folder: string): Database {
  const database = openDatabase({ file: join(folder, "lock.db"), migrations: [] });
  try {
    database.exec("PRAGMA busy_timeout = 0");
    database.exec("BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    if (!String(error).includes("locked")) throw error;
    throw new ExperimentFailed({
      folder,
      problem: "another process is running this experiment",
      hint: "Wait for it, or choose another --out",
    });
  }
}

/** Gives the lock back. A database that is closed within a transaction keeps its lock until its statements are collected. */
export function giveBack(lock: Database): void {
  if (!lock.open) return;
  lock.exec("ROLLBACK");
  lock.close();
}
