import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InvalidSetting, messageOf } from "../common/errors.js";
import { makeFolder } from "../storage/files.js";

/** Reads a text file that lies beside a module. */
export function readText(file: URL): string {
  return readFileSync(file, "utf8");
}

/** Splits a text at lines that begin with a mark, such as "=== slug": the rest of that line is the title. */
export function sectionsOf(text: string, mark: string): [title: string, body: string][] {
  const [, ...sections] = `\n${text}`.split(`\n${mark} `);
  return sections.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    return [title, lines.join("\n").trimEnd()];
  });
}

/**
 * Writes a file under another name and renames it: a killed process leaves no half-written file.
 *
 * @throws InvalidSetting if it cannot be written there
 */
export function writeWhole(file: string, text: string): void {
  requireWritable(file);
  try {
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
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

/**
 * Writes files into a folder, which is created if needed.
 *
 * @param files texts by file name
 * @returns the paths of the files
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).map(([name, text]) => {
    const file = join(folder, name);
    writeWhole(file, text);
    return file;
  });
}

/** Does work in a temporary folder that is removed afterwards. */
export async function inTemporaryFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), `tulipgraph-${name}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
