import { readFileSync } from "node:fs";

/**
 * Reads a text file next to the code: lines by the names of their sections, each of which begins with `[name]`. Empty lines
 * do not count.
 */
export function readSections(file: URL): Record<string, string[]> {
  const sections: Record<string, string[]> = {};
  let lines: string[] = [];
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name === undefined) lines.push(line);
    else {
      lines = [];
      sections[name] = lines;
    }
  }
  return sections;
}
