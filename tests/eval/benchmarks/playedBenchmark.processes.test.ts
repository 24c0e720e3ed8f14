import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { openBenchmark } from "../../../eval/benchmarks/index.js";
import { folderOf } from "./support.js";

afterEach(() => vi.unstubAllEnvs());

const TASK = {
  id: "test_0",
  query: "Cancel my order",
  level: "test",
  tools: [
    { name: "cancel", description: "Cancels", parameters: { type: "object", properties: {} } },
  ],
  steps: [["cancel", { of: "$$PREV[0].order" }]],
  facts: ["12"],
  unchanged: true,
};

/** A checkout of tau-bench whose code is played by another interpreter than Python. */
function checkout(code: string): string {
  const folder = folderOf({});
  mkdirSync(join(folder, "tau_bench/envs/retail"), { recursive: true });
  writeFileSync(join(folder, "tau_bench/envs/retail/tasks_test.py"), "");
  const interpreter = join(folder, "interpreter.mjs");
  writeFileSync(interpreter, `#!${process.execPath}\n${code}`);
  chmodSync(interpreter, 0o755);
  vi.stubEnv("PYTHON", interpreter);
  return folder;
}

const PLAYS = `import { createInterface } from "node:readline";
createInterface(process.stdin).on("line", (line) => {
  const { id, calls } = JSON.parse(line);
  const answer = id ? { result: '{"order":' + calls.length + "}", right: calls.length === 2 } : [${JSON.stringify(TASK)}];
  console.log(JSON.stringify(answer));
});`;

it("is read from a checkout of its repository, each task with tools of its own", async () => {
  const folder = checkout(PLAYS);
  const benchmark = await openBenchmark(`${folder}#test`);
  expect(benchmark).toMatchObject({
    name: "tau-test",
    others: 0,
    tools: [{ id: "test_0.cancel", name: "cancel", source: { world: "tau" } }],
    tasks: [
      {
        id: "test_0",
        tools: ["test_0.cancel"],
        facts: ["12"],
        settings: { topK: 1 },
        rightWithoutCalls: true,
      },
    ],
  });
  const [step] = benchmark.tasks[0]?.plan?.steps ?? [];
  expect(step?.args).toEqual({ of: { $prev: 0, path: ["order"] } });
});

it("takes an interpreter by its path from here", async () => {
  const folder = checkout(PLAYS);
  vi.stubEnv("PYTHON", relative(process.cwd(), join(folder, "interpreter.mjs")));
  expect(await openBenchmark(`${folder}#test`)).toMatchObject({ name: "tau-test" });
});

it("answers each call with all before it, and keeps what the repository says to them", async () => {
  const benchmark = await openBenchmark(`${checkout(PLAYS)}#test`);
  const [world] = benchmark.ownWorlds ?? [];
  const run = world?.create();
  expect(world?.save(run)).toEqual({});
  const call = { tool: "test_0.cancel", args: {} };
  expect(await world?.answer?.(run, call)).toEqual({ result: { order: 1 } });
  expect(await world?.answer?.(run, call)).toEqual({ result: { order: 2 } });
  expect(world?.save(run)).toMatchObject({ calls: [{ tool: "cancel" }, {}], right: true });
});

it("names the parts that there are when another is wanted", async () => {
  await expect(openBenchmark(`${checkout(PLAYS)}#tests`)).rejects.toThrow(
    'unknown part of tau "tests"; did you mean "test"?; available: test, train, dev',
  );
});

it("says what the repository's code failed with", async () => {
  const folder = checkout('console.error("No module named yaml"); process.exit(1);');
  await expect(openBenchmark(folder)).rejects.toThrow(
    /benchmark tau: .*: No module named yaml.*PYTHON=/s,
  );
});
