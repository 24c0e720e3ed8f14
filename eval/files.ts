import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Reads a text file that lies beside a module. */
export function readText(file: URL): string {
  return readFileSync(file, "utf8");
}

/** What stands under each line that begins with a mark, such as "=== slug", by the rest of that line. */
export function sectionsOf(text: string, mark: string): [title: string, body: string][] {
  const [, ...sections] = `\n${text}`.split(`\n${mark} `);
  return sections.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    return [title, lines.join("\n").trimEnd()];
  });
}

/** Writes a file beside and renames it, so that a process that is ended leaves no half of one. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

/**
 * Writes files into a folder, which is made where there is none.
 *
 * @param files texts by the names of their files
 * @returns the paths of the files
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).map(([name, text]) => {
    const file = join(folder, name);
    writeWhole(file, text);
    return file;
  });
}

/** What a text says as JSON; undefined for one that is none, of which its reader says so. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's words would not say more than that.
    return undefined;
  }
}
