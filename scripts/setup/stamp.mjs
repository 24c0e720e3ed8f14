import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Reads a JSON file that records the input with which a step was last done. A missing or damaged file counts as empty, so
 * the step is done again.
 *
 * @param {string} file
 * @returns {Record<string, unknown>}
 */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return {};
    throw error;
  }
}

/**
 * Adds to a stamp atomically: it is written to another file, which is then renamed.
 *
 * @param {string} file
 * @param {Record<string, unknown>} entries
 */
export function updateStamp(file, entries) {
  const temporary = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(temporary, `${JSON.stringify({ ...readStamp(file), ...entries }, null, 2)}\n`);
  renameSync(temporary, file);
}

/** @param {import("node:crypto").BinaryLike[]} parts @returns {string} */
export function hashOf(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

/** @param {unknown} error @returns {boolean} whether it says that a file or folder is missing */
export function isMissing(error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === "ENOENT" || code === "ENOTDIR";
}
