import { statSync } from "node:fs";
import { basename } from "node:path";
import { BenchmarkFailed, InvalidSetting } from "../../common/errors.js";
import { readDeclarations } from "../../tools/sources/readDeclarations.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Task } from "../benchmarks/benchmark.js";
import { readRows, repeatedIds, requireNone, unknownTools } from "../benchmarks/taskRows.js";
import { type Selection, selectTasks } from "../benchmarks/selectTasks.js";
import { taskOf } from "../benchmarks/taskOf.js";

/** A request and the tools that should be found for it. */
export type Question = Pick<Task, "id" | "query" | "tools" | "toolGroups" | "split">;

/** For each tool that a request needs, those of which any one serves. */
export function servingTools({ tools, toolGroups }: Question): readonly (readonly string[])[] {
  return toolGroups ?? tools.map((tool) => [tool]);
}

/** Tools, and the requests that should find them. */
export interface RetrievalSet {
  tools: ToolDefinition[];
  questions: Question[];
  /** Requests without a relevant tool, for which no figure is defined. */
  leftOut: number;
}

/**
 * Reads a file of tools and one of requests, in the form of a benchmark's folder.
 *
 * @throws BenchmarkFailed with file and line of the first problem
 * @throws InvalidSetting if a file is missing or no request has a relevant tool
 * @throws UnknownName for a split that no request has
 */
export async function readRetrievalSet(options: {
  toolsFile: string;
  queriesFile: string;
  selection: Selection;
}): Promise<RetrievalSet> {
  const { toolsFile, queriesFile, selection } = options;
  requireFile("tools", toolsFile);
  requireFile("queries", queriesFile);
  const name = basename(queriesFile);
  const declared = await readDeclarations({ file: toolsFile });
  const read = await readRows(queriesFile);
  const known = new Set(declared.tools.map(({ id }) => id));
  requireNone(name, [
    ...declared.problems,
    ...read.problems,
    ...repeatedIds(queriesFile, read.rows),
  ]);
  requireNone(name, unknownTools({ file: queriesFile, rows: read.rows, known }));
  if (read.rows.length === 0) {
    throw new BenchmarkFailed({ benchmark: name, problem: `${queriesFile}:1: has no queries` });
  }
  const tasks = selectTasks({ name, tasks: read.rows.map(({ row }) => taskOf(row)) }, selection);
  const questions = tasks.filter(({ tools }) => tools.length > 0);
  if (questions.length > 0) {
    return { tools: declared.tools, questions, leftOut: tasks.length - questions.length };
  }
  throw new InvalidSetting({
    setting: "queries",
    problem: `none of the ${tasks.length} queries chosen from ${queriesFile} names a relevant tool`,
    hint: 'Give them "tools", the ids of those that a right solution uses',
  });
}

function requireFile(setting: string, file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile()) return;
  throw new InvalidSetting({
    setting,
    problem: stats ? `${file} is not a file` : `the file ${file} does not exist`,
    hint: "Name a JSONL file",
  });
}
