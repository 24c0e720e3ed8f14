import { mkdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The holder of a lock touches it this often (ms) … */
const HEARTBEAT_MS = 2000;
/** … and a lock that was not touched for this long (ms) has lost its holder. */
const STALE_MS = 20_000;
const POLL_MS = 200;

/**
 * Waits for a lock that only one process can hold. The lock is a folder, since creating one is atomic on every file
 * system. A lock whose holder is gone is taken over.
 *
 * @param {string} folder the lock's path; its parent must exist
 * @returns {Promise<() => void>} gives it back
 */
export async function acquireLock(folder) {
  while (!take(folder)) {
    if (isStale(folder)) rmSync(folder, { recursive: true, force: true });
    else await sleep(POLL_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimesSync(folder, now, now);
  }, HEARTBEAT_MS);
  return () => {
    clearInterval(heartbeat);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** @param {string} folder @returns {boolean} false if another process holds it */
function take(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} folder */
function isStale(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}
