import { readFileSync } from "node:fs";
import { z } from "zod";
import { BenchmarkFailed } from "../../common/errors.js";
import { lineProblem } from "../../common/schemas/issueText.js";
import { readJsonLines } from "../../tools/sources/jsonLines.js";
import { requireFile } from "../../tools/sources/file.js";
import { sha256 } from "../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { writeWhole } from "../../storage/files.js";
import { type RecordedTask } from "./recordRuns.js";
import { recordingSchema } from "./recording.js";

/** The library of recorded runs, as it was when they were exported. */
export interface RecordedLibrary {
  name: string;
  description: string;
  revision: number;
  tools: ToolDefinition[];
}

/** Recorded runs of one library. */
export interface RecordedRuns {
  library: RecordedLibrary;
  tasks: RecordedTask[];
}

const toolSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  parameters: z.looseObject({ type: z.literal("object"), properties: z.looseObject({}) }),
  source: z.looseObject({ kind: z.string(), file: z.string() }),
  effects: z.enum(["read", "write"]),
});

/** The first line of a file. */
const librarySchema = z.object({
  library: z.object({
    name: z.string(),
    description: z.string(),
    revision: z.number(),
    tools: z.array(toolSchema),
  }),
});

const taskSchema = z.object({
  id: z.string(),
  query: z.string(),
  tools: z.array(z.string()),
  level: z.string(),
  recording: recordingSchema,
});

/** Writes recorded runs as JSON lines: the library, then a run on each line. */
export function writeRecordings(file: string, { library, tasks }: RecordedRuns): void {
  const lines = [{ library }, ...tasks].map((line) => `${JSON.stringify(line)}\n`);
  writeWhole(file, lines.join(""));
}

/**
 * Reads what `writeRecordings` has written.
 *
 * @throws InvalidSetting if the file does not exist
 * @throws BenchmarkFailed with file and line of the first problem
 */
export async function readRecordings(file: string): Promise<RecordedRuns & { hash: string }> {
  const path = requireFile(file, "recorded runs");
  let library: RecordedLibrary | undefined;
  const tasks: RecordedTask[] = [];
  for await (const read of readJsonLines(path)) {
    const at = `${file}:${read.line}`;
    if ("problem" in read) throw broken(file, `${at}: ${read.problem}`);
    if (library) tasks.push(parsed(file, at, taskSchema, read.row));
    else library = parsed(file, at, librarySchema, read.row).library as unknown as RecordedLibrary;
  }
  if (!library || tasks.length === 0) throw broken(file, `${file}: there is no recorded run in it`);
  return { library, tasks, hash: sha256(readFileSync(path, "utf8")) };
}

function parsed<Row>(
  file: string,
  at: string,
  schema: z.ZodType<Row>,
  row: Record<string, unknown>,
): Row {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  throw broken(file, `${at}: ${lineProblem(read.error, row)}`);
}

function broken(file: string, problem: string): BenchmarkFailed {
  const hint = "Recorded runs are written by: tulipgraph eval from-threads --out FILE";
  return new BenchmarkFailed({ benchmark: file, problem, hint });
}
