import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { InvalidSetting, oneLine } from "../common/errors.js";
import { lineProblem } from "../common/schemas/issueText.js";
import { requireFile } from "../tools/sources/file.js";
import { readJsonLines } from "../tools/sources/jsonLines.js";
import { UNDECLARED_COST } from "../state/budget/prices.js";
import { canonicalJson, sha256 } from "../tools/library/records/hash.js";
import type { PastCall } from "./experience.js";

export const lineName = z.string().refine((value) => value.trim() !== "", "is empty");

/** The arguments of a call in a line. Not a Zod record: that makes a copy and loses keys such as `__proto__`. */
export const lineArgs = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "is not a JSON object",
);

/** Items per transaction, few enough that other processes get their turn. */
const BATCH_SIZE = 500;

/** Most lines listed in a report; all are counted. */
const PLACES_KEPT = 1000;

/** The outcome of an import. */
export interface ImportedLines {
  added: number;
  /** Items that were there before. */
  known: number;
  rejected: number;
  /** What is wrong with the first ones; lines count from 1. */
  problems: { line: number; problem: string }[];
}

/** Gives the ids of a library's tools; undefined if the library is unknown. */
export type ToolIds = (library: string) => Promise<ReadonlySet<string> | undefined>;

/** What the lines of a file hold, and how they are read. */
export interface LineKind<
  Line extends { library?: string | undefined },
  Item extends { library: string },
> {
  /** Such as "experience file". */
  name: string;
  hint: string;
  schema: z.ZodType<Line>;
  /** The item in a line; `at` is the time for lines that name none, in milliseconds since 1970. */
  itemOf: (line: Line & { library: string }, at: number) => Item | { problem: string };
  toolsOf: (item: Item) => readonly string[];
}

/**
 * Adds what the lines of a JSONL file hold. Unusable lines, and lines with a tool missing from their library,
 * are reported and left out. The file is never in memory as a whole.
 *
 * @param options.library the library for lines that name none
 * @param options.tools asked once per library; if absent, tools are not checked
 * @throws InvalidSetting when there is no such file
 */
export async function importLines<
  Line extends { library?: string | undefined },
  Item extends { library: string },
>(options: {
  file: string;
  kind: LineKind<Line, Item>;
  store: { add: (items: readonly Item[]) => Promise<{ added: number; known: number }> };
  library?: string;
  tools?: ToolIds;
}): Promise<ImportedLines> {
  const { file, kind, store, library, tools } = options;
  const at = Date.now();
  requireFile(file, kind.name);
  const report: ImportedLines = { added: 0, known: 0, rejected: 0, problems: [] };
  const unknownTool = toolCheck(tools);
  const itemIn = (row: Record<string, unknown>) => {
    const parsed = kind.schema.safeParse(row);
    if (!parsed.success) return { problem: lineProblem(parsed.error, row) };
    const named = parsed.data.library ?? library;
    if (named === undefined) return { problem: 'has no "library", and none is given for the file' };
    return kind.itemOf({ ...parsed.data, library: named }, at);
  };
  let batch: Item[] = [];
  const addBatch = async () => {
    const { added, known } = await store.add(batch);
    report.added += added;
    report.known += known;
    batch = [];
  };
  for await (const line of readJsonLines(file)) {
    const item = "row" in line ? itemIn(line.row) : line;
    const problem =
      "problem" in item ? item.problem : await unknownTool(item.library, kind.toolsOf(item));
    if (!("problem" in item) && problem === undefined) {
      batch.push(item);
      if (batch.length >= BATCH_SIZE) await addBatch();
      continue;
    }
    report.rejected += 1;
    if (report.problems.length < PLACES_KEPT)
      report.problems.push({ line: line.line, problem: String(problem) });
  }
  await addBatch();
  if (report.added + report.known + report.rejected === 0)
    throw unusableFile(file, kind, "has no lines");
  return report;
}

/**
 * Writes items as lines of JSON under another name and renames the file, so nobody sees half of it.
 *
 * @returns the number of lines
 * @throws InvalidSetting when the file cannot be written
 */
export async function writeLines(options: {
  file: string;
  kind: { name: string; hint: string };
  items: Iterable<unknown> | AsyncIterable<unknown>;
}): Promise<number> {
  const { file, kind, items } = options;
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  let count = 0;
  async function* lines() {
    for await (const item of items) {
      yield `${JSON.stringify(item)}\n`;
      count += 1;
    }
  }
  try {
    await pipeline(lines, createWriteStream(unfinished, { flags: "wx", flush: true }));
    await rename(unfinished, file);
    return count;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error instanceof Error && "syscall" in error ? unusableFile(file, kind, error) : error;
  }
}

/** Names the first tool that is missing from its library. */
function toolCheck(
  tools?: ToolIds,
): (library: string, wanted: readonly string[]) => Promise<string | undefined> {
  const asked = new Map<string, ReadonlySet<string> | undefined>();
  return async (library, wanted) => {
    if (!tools) return undefined;
    if (!asked.has(library)) asked.set(library, await tools(library));
    const known = asked.get(library);
    const tool = known && wanted.find((one) => !known.has(one));
    return tool === undefined ? undefined : `library ${library} has no tool "${tool}"`;
  };
}

function unusableFile(
  file: string,
  kind: { name: string; hint: string },
  cause: Error | string,
): InvalidSetting {
  const problem = typeof cause === "string" ? cause : `cannot be used (${oneLine(cause.message)})`;
  return new InvalidSetting({ setting: `${kind.name} ${file}`, problem, hint: kind.hint });
}

const amount = z.number().nonnegative();

/** Unknown fields are dropped. */
const lineSchema = z.object({
  id: lineName.optional(),
  library: lineName.optional(),
  query: lineName,
  tool: lineName,
  args: lineArgs,
  result: z.string(),
  failed: z.boolean().optional(),
  helpful: z.boolean().nullable(),
  judgedBy: z.enum(["rule", "model", "classifier", "given"]).optional(),
  cost: amount.optional(),
  ms: amount.optional(),
  at: amount.optional(),
});

/** Defaults for fields that a line leaves out. */
const ABSENT = { failed: false, judgedBy: "given", cost: UNDECLARED_COST, ms: 0 } as const;

export const PAST_CALL_LINES: LineKind<z.infer<typeof lineSchema>, PastCall> = {
  name: "experience file",
  hint: "Name a file with one call of a tool as JSON on each line, or a place where one can be written",
  schema: lineSchema,
  itemOf: (content, at) => {
    // Without the time of the import, so that importing a file again adds nothing.
    const id = content.id ?? sha256(canonicalJson(content));
    return { ...ABSENT, at, ...content, id };
  },
  toolsOf: ({ tool }) => [tool],
};
