import { z } from "zod";
import { oneLine } from "../../common/errors.js";
import type { Demonstration } from "./demonstration.js";

const name = z.string().refine((value) => value.trim() !== "", "is empty");

const callSchema = z.object({
  tool: name,
  // Not a Zod record: that makes a copy and loses keys such as `__proto__`.
  args: z.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "is no JSON object",
  ),
  result: z.unknown().optional(),
});

/** A line of a demonstration file; unknown fields are dropped. */
const lineSchema = z.object({
  library: name.optional(),
  task: name,
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
  if (!parsed.success) return { problem: issueText(parsed.error, row) };
  const { level, calls } = parsed.data;
  const library = parsed.data.library ?? options.library;
  if (library === undefined) return { problem: 'has no "library", and none is given for the file' };
  if (level === "tool" && calls.length > 1) {
    return { problem: `"calls": one is wanted on the level "tool", ${calls.length} came` };
  }
  return { item: { at, ...parsed.data, library } };
}

/** Inverse of {@link demonstrationOfLine}. */
export function lineOfDemonstration(demonstration: Demonstration): string {
  const { library, task, calls, answer, level, source, at } = demonstration;
  return JSON.stringify({ library, task, calls, answer, level, source, at });
}

/** The first thing that is wrong with a line. */
function issueText(error: z.ZodError, row: Record<string, unknown>): string {
  const [issue] = error.issues;
  const path = issue?.path ?? [];
  if (path.length === 1 && !Object.hasOwn(row, String(path[0])))
    return `has no "${String(path[0])}"`;
  return `"${path.join(".")}": ${oneLine(issue?.message ?? "cannot be used")}`;
}
