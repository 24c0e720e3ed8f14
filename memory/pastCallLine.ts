import { z } from "zod";
import { UNDECLARED_COST } from "../budget/tariff.js";
import { oneLine } from "../common/errors.js";
import { canonicalJson, sha256 } from "../tools/library/hash.js";
import type { PastCall } from "./experience.js";

const name = z.string().refine((value) => value.trim() !== "", "is empty");
const amount = z.number().nonnegative();

/** Not a Zod record: that makes a copy and loses keys such as `__proto__`. */
const args = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "is no JSON object",
);

/** A line of an experience file; unknown fields are dropped. */
const lineSchema = z.object({
  id: name.optional(),
  library: name.optional(),
  query: name,
  tool: name,
  args,
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

/**
 * Reads the past call in a line of an experience file.
 *
 * @param options.row the line, read as JSON
 * @param options.library the library for lines that name none
 * @param options.at the time for lines that name none, in milliseconds since 1970
 */
export function pastCallOfLine(options: {
  row: Record<string, unknown>;
  library?: string;
  at: number;
}): { pastCall: PastCall } | { problem: string } {
  const { row, at } = options;
  const parsed = lineSchema.safeParse(row);
  if (!parsed.success) return { problem: issueText(parsed.error, row) };
  const library = parsed.data.library ?? options.library;
  if (library === undefined) return { problem: 'has no "library", and none is given for the file' };
  const content = { ...parsed.data, library };
  // Without the time of the import, so that importing a file again adds nothing.
  const id = content.id ?? sha256(canonicalJson(content));
  return { pastCall: { ...ABSENT, at, ...content, id } };
}

/** Inverse of {@link pastCallOfLine}. */
export function lineOfPastCall(pastCall: PastCall): string {
  const { id, library, query, tool, args, result, failed, helpful, judgedBy, cost, ms, at } =
    pastCall;
  return JSON.stringify({
    id,
    library,
    query,
    tool,
    args,
    result,
    failed,
    helpful,
    judgedBy,
    cost,
    ms,
    at,
  });
}

/** The first thing that is wrong with a line. */
function issueText(error: z.ZodError, row: Record<string, unknown>): string {
  const [issue] = error.issues;
  const field = String(issue?.path[0]);
  if (!Object.hasOwn(row, field)) return `has no "${field}"`;
  return `"${field}": ${oneLine(issue?.message ?? "cannot be used")}`;
}
