import { z } from "zod";
import {
  type ImportedLines,
  type ToolIds,
  importLines,
  lineArgs,
  lineName,
  lineProblem,
  writeLines,
} from "../jsonLinesFile.js";
import type { Demonstration, DemonstrationStore } from "./demonstrationStore.js";

const DEMONSTRATION_FILE = {
  name: "demonstration file",
  hint: "Name a file with one demonstration as JSON on each line, or a place where one can be written",
};

/**
 * Adds the demonstrations of a JSONL file. Unusable lines, and lines that call a tool missing from their
 * library, are reported and left out.
 *
 * @param options.library the library for lines that name none
 * @param options.tools asked once per library; if absent, tools are not checked
 * @throws InvalidSetting when there is no such file
 */
export async function importDemonstrations(options: {
  store: Pick<DemonstrationStore, "add">;
  file: string;
  library?: string;
  tools?: ToolIds;
}): Promise<ImportedLines> {
  const { store, file, library, tools } = options;
  const at = Date.now();
  return await importLines({
    file,
    kind: DEMONSTRATION_FILE,
    read: (row) => demonstrationOfLine({ row, library, at }),
    toolsOf: ({ calls }) => calls.map(({ tool }) => tool),
    add: store.add,
    tools,
  });
}

/**
 * Writes the demonstrations of a library, or of all, as a JSONL file that
 * {@link importDemonstrations} reads.
 *
 * @returns the number of demonstrations
 * @throws InvalidSetting when the file cannot be written
 */
export async function exportDemonstrations(options: {
  store: Pick<DemonstrationStore, "list">;
  file: string;
  library?: string;
}): Promise<number> {
  const { store, file, library } = options;
  const lines = (await store.list({ library })).map((one) => JSON.stringify(one));
  return await writeLines({ file, kind: DEMONSTRATION_FILE, lines });
}

const callSchema = z.object({
  tool: lineName,
  args: lineArgs,
  result: z.unknown().optional(),
});

/** A line of a demonstration file; unknown fields are dropped. */
const lineSchema = z.object({
  library: lineName.optional(),
  task: lineName,
  calls: z.array(callSchema).min(1, "is empty"),
  answer: z.string().optional(),
  level: z.enum(["subtask", "tool"]).default("subtask"),
  source: z.enum(["file", "generated", "run"]).default("file"),
  at: z.number().nonnegative().optional(),
});

/**
 * Reads the demonstration in a line of a file.
 *
 * @param options.row the line, read as JSON
 * @param options.library the library for lines that name none
 * @param options.at the time for lines that name none, in milliseconds since 1970
 */
export function demonstrationOfLine(options: {
  row: Record<string, unknown>;
  library?: string;
  at: number;
}): { item: Demonstration } | { problem: string } {
  const { row, at } = options;
  const parsed = lineSchema.safeParse(row);
  if (!parsed.success) return { problem: lineProblem(parsed.error, row) };
  const { level, calls } = parsed.data;
  const library = parsed.data.library ?? options.library;
  if (library === undefined) return { problem: 'has no "library", and none is given for the file' };
  if (level === "tool" && calls.length > 1) {
    return { problem: `"calls": the level "tool" takes one, but there are ${calls.length}` };
  }
  return { item: { at, ...parsed.data, library } };
}
