import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FileReading, readFunctions } from "../../../tools/sources/functions/functions.js";
import { type SourceReading, type ToolDefinition, nameInSource } from "../../../tools/tool.js";

/** Absolute path of a file in tests/fixtures/sources. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/sources/${name}`, import.meta.url));
}

/** Runs `use` on a temporary folder with the given files. */
export async function withFiles<Result>(
  files: Record<string, string>,
  use: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-sources-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the functions of a text from a temporary file. */
export async function readText(text: string, name = "tools.ts"): Promise<FileReading> {
  return await withFiles({ [name]: text }, (folder) => readFunctions({ file: join(folder, name) }));
}

/** The tool of an export; fails when the reading has none. */
export function toolOf(reading: SourceReading, exportName: string): ToolDefinition {
  const tool = reading.tools.find((each) => nameInSource(each) === exportName);
  if (tool === undefined) {
    throw new Error(`no tool of "${exportName}": ${JSON.stringify(reading.problems)}`);
  }
  return tool;
}
