import { messageOf } from "../../common/errors.js";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../storage/sqlite.js";
import { ExperimentFailed } from "./experimentFailed.js";

/**
 * Opens something in a folder that only this process may work in until it is closed. The folder is created if
 * needed.
 *
 * @throws ExperimentFailed if another process is working there, or the folder cannot be created
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
    const reason = messageOf(error);
    throw new ExperimentFailed({
      folder,
      problem: `cannot be made a folder (${reason})`,
      hint: "Choose another --out",
    });
  }
}

/** SQLite's file lock: unlike a file with a process id, the system releases it however the process ends. */
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

/** A database closed within a transaction would keep its lock until its statements are collected. */
function giveBack(lock: Database): void {
  if (!lock.open) return;
  lock.exec("ROLLBACK");
  lock.close();
}
