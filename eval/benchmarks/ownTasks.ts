import { readFileSync } from "node:fs";
import { BenchmarkFailed, InvalidSetting } from "../../common/errors.js";
import type { Settings } from "../../state/settings.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import { requireFile } from "../../tools/sources/file.js";
import { openWorkspace } from "../../home/workspace.js";
import type { Benchmark, Task } from "./benchmark.js";
import { taskOf } from "./taskOf.js";
import {
  misspeltKey,
  readRows,
  repeatedIds,
  type TaskRow,
  requireNone,
  unknownArguments,
  unknownTools,
} from "./taskRows.js";

/** A library of the user and a file of tasks for it. */
export interface OwnTasks {
  library: string;
  /** JSON lines as in a benchmark's `queries.jsonl`; `id` and `tools` may be left out. */
  tasks: string;
}

const FORM =
  'A line is one task: { "query": "…", "answer": 42, "calls": [{ "tool": "…", "args": { … } }] }, with an answer, calls or tools that count as solved, or "must_not": "solve" or "write"';

/**
 * Makes a benchmark of the user's own tools. Runs use the library as it is, without a catalog or a simulated world:
 * the tools really act.
 *
 * @throws InvalidSetting for a shipped library, and for a file that does not exist
 * @throws UnknownName for a library that does not exist
 * @throws BenchmarkFailed with file and line of the first problem in the tasks
 */
export async function ownBenchmark({
  library: name,
  tasks: file,
  embeddings,
}: OwnTasks & Pick<Settings, "embeddings">): Promise<Benchmark> {
  requireOwn(name);
  const path = requireFile(file, "tasks");
  const library = await openWorkspace().library({ library: name, embeddings });
  const tools = library.list();
  const unsaid = new Set<number>();
  const read = await readRows(path, (row, line) => {
    if (row["calls"] === undefined && row["tools"] === undefined) unsaid.add(line);
    return completed(row, line);
  });
  const known = new Set(tools.map(({ id }) => id));
  const place = `library ${name}`;
  requireNone(name, [
    ...read.problems,
    ...repeatedIds(file, read.rows),
    ...unknownTools({ file, rows: read.rows, known, place }),
    ...unknownArguments({ file, rows: read.rows, tools }),
  ]);
  if (read.rows.length === 0) {
    throw new BenchmarkFailed({ benchmark: name, problem: `${file} has no tasks`, hint: FORM });
  }
  return {
    name,
    source: path,
    hash: sha256(
      readFileSync(path, "utf8") + canonicalJson(tools.map(({ id, hash }) => [id, hash])),
    ),
    tools,
    tasks: tasksOf(read.rows.map(({ row }) => row)).map((task, at) =>
      unsaid.has(read.rows[at]?.line ?? 0) ? { ...task, callsUnsaid: true } : task,
    ),
    argumentRule: "equal",
    library: name,
  };
}

/** @throws InvalidSetting for a catalog, whose tools may act on a simulated world */
function requireOwn(name: string): void {
  if (!Object.hasOwn(CATALOGS, name)) return;
  throw new InvalidSetting({
    setting: "--library",
    problem: `"${name}" ships with tulipgraph and is not your own`,
    hint: `name a library of yours, or evaluate this one with: tulipgraph eval run --benchmark ${name}`,
  });
}

/**
 * If one task says what must not happen, all are judged by the same score. A run that must not write stops where it would
 * have written, whatever was consented to.
 */
function tasksOf(rows: readonly TaskRow[]): Task[] {
  if (rows.every(({ must_not }) => must_not === undefined)) return rows.map(taskOf);
  return rows.map((row) => {
    const mustNot = row.must_not ?? [];
    const settings = mustNot.includes("write") ? { settings: { approval: "writes" } } : {};
    return { ...taskOf(row), mustNot, ...settings };
  });
}

/** Fills in what a person need not write: the id of a task, and the tools that its calls name. */
function completed(row: Record<string, unknown>, line: number): Record<string, unknown> | string {
  const { answer, calls, tools, must_not } = row;
  const misspelt = misspeltKey(row);
  if (misspelt) return misspelt;
  if ([answer, calls, tools, must_not].every((given) => given === undefined)) {
    return `has nothing that counts as solved. ${FORM}`;
  }
  const called = Array.isArray(calls) ? calls.map((call): unknown => Object(call).tool) : [];
  return { id: `task ${line}`, tools: called, ...row };
}
