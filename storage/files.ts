import {
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { InvalidSetting, messageOf } from "../common/errors.js";

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

/**
 * Gives a finished file its name, unless somebody else was faster: then theirs stays, which may be in use already.
 *
 * @param draft the file under a name that nobody else knows
 */
export function takeName({ draft, file }: { draft: string; file: string }): void {
  try {
    linkSync(draft, file);
  } catch {
    // Not every disk can give a file two names.
    if (!existsSync(file)) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Writes a file under another name and renames it: a killed process leaves no half-written file.
 *
 * @throws InvalidSetting if it cannot be written there
 */
export function writeWhole(file: string, text: string): void {
  requireWritable(file);
  try {
    const draft = `${file}.${process.pid}.part`;
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch (error) {
    throw unwritable(file, messageOf(error));
  }
}

/** @throws InvalidSetting if a folder is in the way of a file, or none can be made for it */
export function requireWritable(file: string): void {
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw unwritable(file, messageOf(error));
  }
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) throw unwritable(file, "it is a folder");
}

function unwritable(file: string, why: string): InvalidSetting {
  const hint = "Name a file in a folder that can be written to";
  return new InvalidSetting({ setting: file, problem: `cannot be written (${why})`, hint });
}
