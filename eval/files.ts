import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../storage/files.js";

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
