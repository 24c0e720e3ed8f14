import { z } from "zod";
import { oneLine } from "../../common/errors.js";
import { readJsonLines } from "../../tools/sources/jsonLines.js";

const text = z.string().refine((value) => value.trim() !== "", "is empty");
const word = z.union([z.string(), z.number()]).transform(String);
const answer = z.union([z.string(), z.number()]);

/** A gold call; arguments may have any form. Later calls refer to its output by its label, if it has one. */
const callSchema = z.object({ tool: text, args: z.unknown(), label: text.optional() });
export type CallRow = z.infer<typeof callSchema>;

/** One turn of a conversation, with the gold calls that answer it. */
const turnSchema = z.object({ user: z.string(), calls: z.array(callSchema) });

/** A line of `queries.jsonl`. Unknown fields are ignored. */
const rowSchema = z.object({
  id: text,
  query: text,
  tools: z.array(text),
  /** Tools of which any one serves, for each that is needed; without it, each of \`tools\` is needed itself. */
  tool_groups: z.array(z.array(text).min(1)).optional(),
  calls: z.array(callSchema).optional(),
  /** The turns of a conversation whose requests make up the query, with gold calls. */
  turns: z.array(turnSchema).optional(),
  /** Tools in the order of a right solution, if the origin has no arguments. */
  path: z.array(text).optional(),
  answer: z.union([answer.transform((value) => [value]), z.array(answer)]).optional(),
  level: word.optional(),
  split: word.optional(),
  candidates: z.array(text).optional(),
});
export type TaskRow = z.infer<typeof rowSchema>;

/** A row with its line number, from 1. */
export interface PlacedRow {
  line: number;
  row: TaskRow;
}

/** A problem with a line of a file. */
export interface LineProblem {
  file: string;
  line: number;
  problem: string;
}

/**
 * Reads all tasks of a file, and the problems of other lines.
 *
 * @param complete fills in what a line may leave out, or returns why it is not a task
 */
export async function readRows(
  file: string,
  complete: (row: Record<string, unknown>, line: number) => Record<string, unknown> | string = asIs,
): Promise<{
  rows: PlacedRow[];
  problems: LineProblem[];
}> {
  const rows: PlacedRow[] = [];
  const problems: LineProblem[] = [];
  for await (const read of readJsonLines(file)) {
    const { line } = read;
    if ("problem" in read) {
      problems.push({ file, line, problem: read.problem });
      continue;
    }
    const row = complete(withoutNulls(read.row), line);
    if (typeof row === "string") {
      problems.push({ file, line, problem: row });
      continue;
    }
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) rows.push({ line, row: parsed.data });
    else problems.push({ file, line, problem: issueText(parsed.error, row) });
  }
  return { rows, problems };
}

function asIs(row: Record<string, unknown>): Record<string, unknown> {
  return row;
}

/** Some origins write null for missing fields. */
function withoutNulls(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** The first problem of a row. */
function issueText(error: z.ZodError, row: Record<string, unknown>): string {
  const [issue] = error.issues;
  const [field, ...inside] = issue?.path.map(String) ?? [];
  if (field === undefined || (row[field] ?? null) === null) return `has no "${field ?? "fields"}"`;
  const place = [`"${field}"`, ...inside].join(".");
  return `${place}: ${oneLine(issue?.message ?? "cannot be used")}`;
}
