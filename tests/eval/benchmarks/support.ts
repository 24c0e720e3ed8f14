import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Lines of a JSONL file, each as data or as raw text. */
export type Lines = readonly unknown[];

/** Makes a folder with files for one test; texts are written unchanged, lists become JSONL. */
export function folderOf(files: Record<string, Lines | string>): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-benchmark-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : jsonLines(content));
  }
  return folder;
}

function jsonLines(lines: Lines): string {
  return lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
}
