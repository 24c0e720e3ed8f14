import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../storage/sqlite.js";
import { ExperimentFailed } from "./experimentFailed.js";

/**
 * Opens what this process alone works at in a folder, which is made where there is none, until it is closed.
 *
 * @throws ExperimentFailed when another process is at work there, or it cannot be a folder
 */
export function openLocked<Opened extends object>(
  folder: string,
  open: () => Opened,
): Opened & { close: () => void } {
  makeFolder(folder);
  const lock = takeLock(folder);
  try {
    return { ...open(), close: () => giveBack(lock) };
  } catch (error) {
    giveBack(lock);
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExperimentFailed({
      folder,
      problem: `cannot be made a folder (${reason})`,
      hint: "Choose another --out",
    });
  }
}

/**
 * SQLite's lock on a file: the system gives it back when the process ends, however it ends, which no
 * file with a process id in it can promise.
 */
function takeLock(folder: string): Database {
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
function giveBack(lock: Database): void {
  if (!lock.open) return;
  lock.exec("ROLLBACK");
  lock.close();
}
