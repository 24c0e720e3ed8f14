import { expect, it } from "vitest";
import { mathBenchmark } from "../../../../eval/benchmarks/math/index.js";
import { filled } from "../../../../eval/simulated/goldSteps.js";
import { replay } from "./replay.js";

const benchmark = await mathBenchmark();
const solvable = benchmark.tasks.filter(({ level }) => level !== "unsolvable");
const BOUNDS: Record<string, [number, number]> = { easy: [1, 1], medium: [2, 3], hard: [4, 9] };

it("has 20 different tasks for each of three levels, by their calls, and 10 that cannot be solved", () => {
  const ids = Object.keys(BOUNDS).flatMap((level) => numbered(level, 20));
  expect(benchmark.tasks.map(({ id }) => id)).toEqual([...ids, ...numbered("unsolvable", 10)]);
  expect(new Set(benchmark.tasks.map(({ query }) => query.toLowerCase())).size).toBe(70);
  for (const { level, calls = [], tools } of solvable) {
    const [least, most] = BOUNDS[level] ?? [0, 0];
    expect(calls.length).toBeGreaterThanOrEqual(least);
    expect(calls.length).toBeLessThanOrEqual(most);
    expect(tools).toEqual(calls.map(({ tool }) => tool));
  }
  for (const task of benchmark.tasks.slice(60)) {
    expect(task).toMatchObject({ tools: [], calls: [] });
    expect(task).not.toHaveProperty("answers");
  }
});

it("has the tools of the catalog, and the same hash at every reading", async () => {
  expect(benchmark.catalog).toBe("math");
  expect(benchmark.tools.length).toBeGreaterThan(100);
  expect((await mathBenchmark()).hash).toBe(benchmark.hash);
});

const tools = new Map(benchmark.tools.map((tool) => [tool.id, tool]));

it.each(solvable)("has the answer of $id from its last gold call", async (task) => {
  const [answer, ...others] = task.answers ?? [];
  const result = (await replay(task, tools)).at(-1);
  expect(others).toEqual([]);
  const isNear = typeof answer === "number" && Math.abs(Number(result) / answer - 1) <= 1e-9;
  expect(isNear || answer === String(result)).toBe(true);
});

it.each(solvable)("plans the gold calls of $id, with references to their results", async (task) => {
  const results = await replay(task, tools);
  const planned = task.plan?.steps.map(({ tool, args }) => ({ tool, args: filled(args, results) }));
  expect(planned).toEqual(task.calls);
});

function numbered(level: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${level}-${String(at + 1).padStart(2, "0")}`);
}
