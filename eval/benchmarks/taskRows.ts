import { z } from "zod";
import { BenchmarkFailed, oneLine } from "../../common/errors.js";
import { jsonOrNothing } from "../../common/jsonInText.js";
import { nearestName } from "../../common/nearNames.js";
import { lineProblem } from "../../common/schemas/issueText.js";
import { givenFields } from "../../common/givenFields.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { readJsonLines } from "../../tools/sources/jsonLines.js";
import type { ToolDefinition } from "../../tools/tool.js";

const text = z.string().refine((value) => value.trim() !== "", "is empty");
const word = z.union([z.string(), z.number()]).transform(String);
const answer = z.union([text, z.number()]);

const forbidden = z.enum(["solve", "write"]);

/** Arguments may have any form; those of a provider's calls are a text of JSON. */
const args = z
  .unknown()
  .transform((given) =>
    typeof given === "string" && /^\s*\{/.test(given) ? jsonOrNothing(given, given) : given,
  );

/** A gold call. Later calls refer to its output by its label, if it has one. */
const callSchema = z.object({ tool: text, args, label: text.optional() });
export type CallRow = z.infer<typeof callSchema>;

const turnSchema = z.object({ user: z.string(), calls: z.array(callSchema) });

/** A line of `queries.jsonl`. Unknown fields are ignored. */
const rowSchema = z.object({
  id: word.pipe(text),
  query: text,
  tools: z.union([text.transform((id) => [id]), z.array(text)]),
  /** Tools of which any one serves, for each that is needed; without it, each of `tools` is needed itself. */
  tool_groups: z.array(z.array(text).min(1)).optional(),
  calls: z.array(callSchema).optional(),
  /** The turns of a conversation whose requests make up the query, with gold calls. */
  turns: z.array(turnSchema).optional(),
  /** Tools in the order of a right solution, if the origin has no arguments. */
  path: z.array(text).optional(),
  answer: z.union([answer.transform((value) => [value]), z.array(answer).min(1)]).optional(),
  level: word.optional(),
  split: word.optional(),
  candidates: z.array(text).optional(),
  /** What the request was made from, as many others may have been. */
  template: z.string().optional(),
  /** What a run must not do: end as solved, or write. */
  must_not: z
    .union([forbidden.transform((value) => [value]), z.array(forbidden).min(1)])
    .optional(),
});
export type TaskRow = z.infer<typeof rowSchema>;

/** Other words for the keys of a task and of its calls, as other tools have them. */
const TASK_WORDS = {
  ...called("query", "question input prompt request task instruction user"),
  ...called("answer", "expected expected_answer expected_output expected_result output target"),
  ...called("answer", "ideal gold reference reference_answer ground_truth"),
  ...called("calls", "tool_calls expected_calls expected_tool_calls"),
  ...called("tools", "tool expected_tools"),
};
const CALL_WORDS = {
  ...called("tool", "name function tool_name"),
  ...called("args", "arguments parameters input"),
};

function called(key: string, others: string): Record<string, string> {
  return Object.fromEntries(others.split(" ").map((other) => [other, key]));
}

/** A key of a task, or of one of its calls, that was probably meant to be another: it would be ignored. */
export function misspeltKey(row: Record<string, unknown>): string | undefined {
  const calls = Array.isArray(row["calls"]) ? row["calls"].filter(isPlainObject) : [];
  const parts = [
    { part: row, known: Object.keys(rowSchema.shape), words: TASK_WORDS },
    ...calls.map((part) => ({ part, known: Object.keys(callSchema.shape), words: CALL_WORDS })),
  ];
  for (const { part, known, words } of parts) {
    for (const key of Object.keys(part)) {
      const word = Object.hasOwn(words, key) ? words[key] : undefined;
      const isSaid = word !== undefined && part[word] !== undefined;
      const meant = word ?? nearestName(key, known);
      if (known.includes(key) || isSaid || !meant) continue;
      return `"${oneLine(key)}" is not a key of a task; did you mean "${meant}"?`;
    }
  }
  return undefined;
}

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
  complete: (row: Record<string, unknown>, line: number) => Record<string, unknown> | string = (
    row,
  ) => row,
): Promise<{ rows: PlacedRow[]; problems: LineProblem[] }> {
  const rows: PlacedRow[] = [];
  const problems: LineProblem[] = [];
  for await (const read of readJsonLines(file, { keysOnce: true })) {
    const { line } = read;
    if ("problem" in read) {
      problems.push({ file, line, problem: read.problem });
      continue;
    }
    // Some origins write null for missing fields.
    const row = complete(givenFields(read.row), line);
    if (typeof row === "string") {
      problems.push({ file, line, problem: row });
      continue;
    }
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) rows.push({ line, row: parsed.data });
    else problems.push({ file, line, problem: lineProblem(parsed.error, row) });
  }
  return { rows, problems };
}

/** Tasks with the id of an earlier one. */
export function repeatedIds(file: string, rows: readonly PlacedRow[]): LineProblem[] {
  const first = new Map<string, number>();
  const problems: LineProblem[] = [];
  for (const { line, row } of rows) {
    const before = first.get(row.id);
    if (before === undefined) first.set(row.id, line);
    else {
      const problem = `the id "${row.id}" is that of line ${before} already`;
      problems.push({ file, line, problem });
    }
  }
  return problems;
}

/** Unknown tools in tasks: one problem for each tool, at the first line that names it. */
export function unknownTools(options: {
  file: string;
  rows: readonly PlacedRow[];
  known: ReadonlySet<string>;
  /** Where the tools should be, in words. */
  place?: string;
}): LineProblem[] {
  const { file, rows, known, place = "tools.jsonl" } = options;
  const lines = new Map<string, number[]>();
  for (const { line, row } of rows) {
    const unknown = new Set(namedTools(row).filter((id) => !known.has(id)));
    for (const id of unknown) lines.set(id, [...(lines.get(id) ?? []), line]);
  }
  return [...lines].map(([id, [line = 0, ...others]]) => {
    const more = others.length > 0 ? `; ${others.length + 1} lines name it` : "";
    return { file, line, problem: `the tool "${oneLine(id)}" is not in ${place}${more}` };
  });
}

/** Gold calls that no run can make: with arguments that their tool does not take. */
export function unknownArguments(options: {
  file: string;
  rows: readonly PlacedRow[];
  tools: readonly ToolDefinition[];
}): LineProblem[] {
  const { file, rows, tools } = options;
  const schemas = new Map(tools.map(({ id, parameters }) => [id, parameters]));
  return rows.flatMap(({ line, row: { calls = [] } }) =>
    calls.flatMap(({ tool, args = {} }): LineProblem[] => {
      const schema = schemas.get(tool);
      if (!schema) return []; // told by unknownTools
      const { properties, additionalProperties } = schema;
      const refuse = (problem: string) => [{ file, line, problem: `${tool}: ${problem}` }];
      if (!isPlainObject(args)) return refuse('"args" is not an object');
      const odd = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
      if (odd === undefined || additionalProperties) return [];
      const taken = Object.keys(properties).join(", ") || "no arguments";
      return refuse(`it does not take "${oneLine(odd)}", but ${taken}`);
    }),
  );
}

/** @throws BenchmarkFailed with the first problem and the number of others */
export function requireNone(benchmark: string, problems: readonly LineProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const rest = problems.length - 1;
  throw new BenchmarkFailed({
    benchmark,
    problem: `${first.file}:${first.line}: ${first.problem}`,
    hint:
      rest === 0
        ? undefined
        : `There ${rest === 1 ? "is 1 more problem" : `are ${rest} more problems`}`,
  });
}

function namedTools({
  tools,
  candidates = [],
  calls = [],
  turns = [],
  path = [],
}: PlacedRow["row"]) {
  const called = [...calls, ...turns.flatMap((turn) => turn.calls)].map(({ tool }) => tool);
  return [...tools, ...candidates, ...called, ...path];
}
