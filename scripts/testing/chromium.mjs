import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Names under which the browser is installed. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/**
 * A browser of this machine to open reports with: TULIPGRAPH_CHROMIUM, else the first one on PATH.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} absent where there is none
 */
export function findChromium(env = process.env) {
  if (env.TULIPGRAPH_CHROMIUM) return env.TULIPGRAPH_CHROMIUM;
  const folders = (env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Absent or not for us: either way it is no browser to start.
    return false;
  }
}
