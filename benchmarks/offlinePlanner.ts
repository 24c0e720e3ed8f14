/**
 * Runs the tasks of a benchmark folder through `tulipgraph solve` with the offline planner and counts
 * per level those whose answer holds a number of the key (relative tolerance 0.5 %, or equal once
 * rounded as the key is) or, where the key is a text, that text.
 *
 *   npx tsx benchmarks/offlinePlanner.ts --bench ../shared/bench/tulip_math [--graph cot_tulip] [--verbose]
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";

interface Task {
  id: string;
  query: string;
  level: string;
  answer: (number | string)[];
}

const TOLERANCE = 0.005;

const { values } = parseArgs({
  options: {
    bench: { type: "string", default: "../shared/bench/tulip_math" },
    graph: { type: "string", default: "cot_tulip" },
    verbose: { type: "boolean", default: false },
  },
});

const file = join(values.bench, "queries.jsonl");
if (existsSync(file)) await measure(readTasks(file));
else print(`skipped: there is no ${file}`);

async function measure(tasks: Task[]): Promise<void> {
  const levels = new Map<string, { right: number; tasks: number; admitted: number }>();
  for (const task of tasks) {
    const { answer, status } = await solve(task.query);
    const level = levels.get(task.level) ?? { right: 0, tasks: 0, admitted: 0 };
    const right = status === "solved" && isRight(answer, task.answer);
    level.tasks += 1;
    if (right) level.right += 1;
    if (status !== "solved") level.admitted += 1;
    levels.set(task.level, level);
    if (values.verbose || !right)
      print(`${right ? "right" : "wrong"} ${task.id} ${status}: ${answer}`);
  }
  for (const [level, { right, tasks: count, admitted }] of levels) {
    print(`${level}: ${right}/${count} right, ${admitted} reported as not solved`);
  }
}

async function solve(query: string): Promise<{ answer: string; status: string }> {
  const options = ["--graph", values.graph, "--model", "offline:planner", "--json"];
  const program = ["bin/tulipgraph.mjs", "solve", query, ...options];
  const run = promisify(execFile)(process.execPath, program);
  // Not solved is exit code 1, with the report all the same.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout) as { answer: string; status: string };
}

function isRight(answer: string, keys: Task["answer"]): boolean {
  const numbers = (answer.match(/-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? []).map((text) =>
    Number(text.replaceAll(",", "")),
  );
  return keys.some((key) => {
    const wanted = Number(String(key).replaceAll(",", ""));
    if (Number.isNaN(wanted)) return answer.toLowerCase().includes(String(key).toLowerCase());
    const digits = String(key).split(".")[1]?.length ?? 0;
    return numbers.some(
      (number) =>
        Math.abs(number - wanted) <= TOLERANCE * Math.abs(wanted) ||
        number.toFixed(digits) === wanted.toFixed(digits),
    );
  });
}

function readTasks(path: string): Task[] {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Task);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
