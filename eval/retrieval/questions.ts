import { basename } from "node:path";
import { InvalidSetting } from "../../common/errors.js";
import { requireFile } from "../../tools/sources/file.js";
import type { Task } from "../benchmarks/benchmark.js";
import { readBenchmarkFiles } from "../benchmarks/benchmarkFolder.js";
import { type Selection, selectTasks } from "../benchmarks/selectTasks.js";

/** A request and the tools that should be found for it. */
export type Question = Pick<Task, "id" | "query" | "tools" | "toolGroups" | "split">;

/** For each tool that a request needs, those of which any one serves. */
export function servingTools({ tools, toolGroups }: Question): readonly (readonly string[])[] {
  return toolGroups ?? tools.map((tool) => [tool]);
}

/** Tools, and the requests that should find them. */
export type RetrievalSet = Awaited<ReturnType<typeof readRetrievalSet>>;

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
}) {
  const { toolsFile: tools, queriesFile: queries, selection } = options;
  requireFile(tools, "tools");
  requireFile(queries, "queries");
  const benchmark = await readBenchmarkFiles({ name: basename(queries), tools, queries });
  const tasks = selectTasks(benchmark, selection);
  const questions: Question[] = tasks.filter((task) => task.tools.length > 0);
  if (questions.length > 0) {
    // Of a request without a relevant tool, no figure is defined.
    return { tools: benchmark.tools, questions, leftOut: tasks.length - questions.length };
  }
  throw new InvalidSetting({
    setting: "queries",
    problem: `none of the ${tasks.length} queries chosen from ${queries} names a relevant tool`,
    hint: 'Give them "tools", the ids of those that a right solution uses',
  });
}
