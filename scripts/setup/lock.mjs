import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The holder of a lock touches it this often (ms) … */
const HEARTBEAT_MS = 2000;
/** … and a lock that was not touched for this long (ms) has lost its holder. */
const STALE_MS = 30_000;
/** A command that outlives its holder is given this long (ms). */
const ORPHAN_MS = 600_000;
const POLL_MS = 200;

/**
 * @typedef {object} Lock
 * @property {(pid: number) => void} noteCommand records the process that works for the holder: if only the holder is
 *   killed, that process still writes
 * @property {() => void} release
 */

/**
 * Waits for a lock that only one process can hold. The lock is a folder, since creating one is atomic on every file
 * system. A lock whose holder is gone is taken over.
 *
 * @param {string} folder the lock's path; its parent must exist
 * @returns {Promise<Lock>}
 */
export async function acquireLock(folder) {
  while (!take(folder)) {
    if (isStale(folder)) clearStale(folder);
    else await sleep(POLL_MS);
  }
  const heartbeat = setInterval(() => touch(folder), HEARTBEAT_MS);
  return {
    noteCommand: (command) => sign(folder, command),
    release: () => {
      clearInterval(heartbeat);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string} folder */
function take(folder) {
  if (!makeFolder(folder)) return false;
  sign(folder);
  return true;
}

/** @param {string} folder @param {number} [command] */
function sign(folder, command) {
  const holder = { host: hostname(), pid: process.pid, command };
  writeFileSync(join(folder, "holder"), JSON.stringify(holder));
}

/**
 * A process id means something only on its own machine (or container). Elsewhere, and if a living process has got the id
 * of a dead one, the heartbeat decides.
 *
 * @param {string} folder
 * @returns {boolean}
 */
function isStale(folder) {
  try {
    const silentMs = Date.now() - statSync(folder).mtimeMs;
    const { host, pid, command } = readHolder(folder);
    if (host !== hostname()) return silentMs > STALE_MS;
    if (command !== undefined && isAlive(command)) return silentMs > ORPHAN_MS;
    return silentMs > STALE_MS || !isAlive(pid);
  } catch (error) {
    // Released in the meantime: the next check will show.
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/**
 * A lock that was just made is not signed yet, so its holder is unknown.
 *
 * @param {string} folder
 * @returns {{ host?: string, pid: number, command?: number }}
 */
function readHolder(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, "holder"), "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return { pid: 0 };
    throw error;
  }
}

/**
 * If several processes see the same stale lock, the slower ones must not remove the new lock of the fastest. So a second
 * lock, held only briefly, guards checking again and removing.
 *
 * @param {string} folder
 */
function clearStale(folder) {
  const guard = `${folder}.clearing`;
  if (!makeFolder(guard)) {
    if (isOld(guard)) rmSync(guard, { recursive: true, force: true });
    return;
  }
  if (isStale(folder)) rmSync(folder, { recursive: true, force: true });
  rmSync(guard, { recursive: true, force: true });
}

/** @param {string} folder */
function isOld(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

/** @param {string} folder @returns {boolean} false if it existed already */
function makeFolder(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} folder */
function touch(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
  } catch (error) {
    // Somebody removed the lock by hand: the work continues, with nothing left to keep alive.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}
