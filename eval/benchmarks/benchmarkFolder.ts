import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BenchmarkFailed } from "../../common/errors.js";
import { readDeclarations } from "../../tools/sources/functions/readDeclarations.js";
import type { ArgumentRule, Benchmark, Task } from "./benchmark.js";
import { readRows, repeatedIds, requireNone, unknownTools } from "./taskRows.js";
import { taskOf } from "./taskOf.js";

const TOOLS = "tools.jsonl";
const QUERIES = "queries.jsonl";

const CONTENTS = `A benchmark is a folder with ${TOOLS} (one tool a line: id, name, description, parameters) and ${QUERIES} (one task a line: id, query, tools, and where there are calls, answer, level, split, candidates)`;

/**
 * Reads a benchmark from a folder with `tools.jsonl` and `queries.jsonl`. A single problem makes all of it unusable.
 *
 * @throws BenchmarkFailed with file and line of the first problem: a line that is not JSON, a task or tool without
 *   id, name or request, a repeated id, an unknown tool
 */
export async function readBenchmarkFolder(folder: string): Promise<Benchmark> {
  const name = basename(resolve(folder));
  return { ...(await readBenchmarkFiles({ name, ...requireFiles(name, folder) })), source: folder };
}

/** Reads a benchmark from its two files, which must exist. */
export async function readBenchmarkFiles({
  name,
  ...files
}: {
  name: string;
  tools: string;
  queries: string;
}): Promise<Benchmark> {
  const declared = await readDeclarations({ file: files.tools });
  const read = await readRows(files.queries);
  const known = new Set(declared.tools.map(({ id }) => id));
  const problems = [
    ...declared.problems.map((each) => ({ ...each, file: files.tools })),
    ...read.problems,
    ...repeatedIds(files.queries, read.rows),
  ];
  requireNone(name, problems);
  requireSome({ name, file: files.tools, kind: "tools", found: declared.tools });
  requireSome({ name, file: files.queries, kind: "tasks", found: read.rows });
  // Last, because a tool that could not be read is not an unknown tool.
  requireNone(name, unknownTools({ file: files.queries, rows: read.rows, known }));
  const tasks = read.rows.map(({ row }) => taskOf(row));
  return {
    name,
    source: files.queries,
    hash: hashOf([files.tools, files.queries]),
    tools: declared.tools,
    toolsFile: resolve(files.tools),
    tasks,
    argumentRule: argumentRule(tasks),
  };
}

function requireFiles(name: string, folder: string) {
  const stats = statSync(folder, { throwIfNoEntry: false });
  const refuse = (problem: string) =>
    new BenchmarkFailed({ benchmark: name, problem, hint: CONTENTS });
  if (!stats) throw refuse(`the folder ${folder} does not exist`);
  if (!stats.isDirectory()) throw refuse(`${folder} is not a folder`);
  const files = { tools: join(folder, TOOLS), queries: join(folder, QUERIES) };
  const missing = Object.values(files).find(
    (file) => !statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
  if (missing !== undefined) throw refuse(`there is no file ${missing}`);
  return files;
}

function requireSome(options: {
  name: string;
  file: string;
  kind: string;
  found: readonly unknown[];
}): void {
  const { name, file, kind, found } = options;
  if (found.length > 0) return;
  throw new BenchmarkFailed({
    benchmark: name,
    problem: `${file}:1: has no ${kind}`,
    hint: CONTENTS,
  });
}

/** In the Berkeley Function-Calling Leaderboard, every argument is a list of acceptable values. */
function argumentRule(tasks: readonly Task[]): ArgumentRule {
  const values = tasks.flatMap(({ calls = [] }) =>
    calls.flatMap(({ args }) => Object.values(args)),
  );
  return values.length > 0 && values.every(Array.isArray) ? "any-of" : "equal";
}

function hashOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files)
    hash.update(`${basename(file)} ${statSync(file).size}\n`).update(readFileSync(file));
  return hash.digest("hex");
}
