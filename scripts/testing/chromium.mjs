import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Names of the browser's command. */
const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The browser to open pages with: TULIPGRAPH_CHROMIUM, or the first one on PATH.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined} undefined if there is none
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
    // Missing, or not executable for us.
    return false;
  }
}
