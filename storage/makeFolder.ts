import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, if they are missing. Node's own `mkdirSync` with `recursive` never returns where
 * nothing can be made, as in `/proc`.
 *
 * @param mode of the folders that are made
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whatever is in the way, making the folder says it better.
    return false;
  }
}
