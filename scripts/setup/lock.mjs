import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The holder of a lock touches it this often (ms) … */
const HEARTBEAT_MS = 2000;
/** … and one that was not touched for so long (ms) has lost its holder. */
const STALE_MS = 30_000;
/** A command that outlived its holder is waited for no longer than this (ms). */
const ORPHAN_MS = 600_000;
const POLL_MS = 200;

/**
 * @typedef {object} Lock
 * @property {(pid: number) => void} noteCommand says which process works for the holder: killed
 *   alone, a holder leaves one behind that still writes
 * @property {() => void} release
 */

/**
 * Waits for a lock that no two processes can hold at once. The lock is a folder, since making one is
 * atomic on every file system; a lock whose holder is gone is taken over.
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
 * A process number means something only on the machine (or container) it belongs to; elsewhere, and
 * when a living process merely got the number of a dead one, the heartbeat tells.
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
    // Released meanwhile: the next look will tell.
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/**
 * A lock that was just made is not signed yet; it belongs to nobody we could ask about.
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
 * Of several processes that see the same stale lock, the slower ones must not remove the new lock of
 * the fastest: hence a second lock around looking again and removing, held for no longer than that.
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

/** @param {string} folder @returns {boolean} false when it was there already */
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
    // Somebody removed the lock by hand: the work goes on, there is nothing left to keep alive.
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
