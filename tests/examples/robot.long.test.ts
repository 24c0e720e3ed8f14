import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import type { Summary } from "../../eval/summary/summarizeRuns.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { recordsIn } from "../cli/eval/support.js";
import { run, runJson, temporaryFolder } from "../cli/support.js";

afterAll(closeWorkspaces);

it("the robot does what four instructions ask, with cot_tulip over its eleven functions", async () => {
  const folder = temporaryFolder();
  for (const file of ["robot.ts", "tasks.jsonl"])
    copyFileSync(join("examples/robot", file), join(folder, file));
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  expect((await run("tools", "import", "robot.ts")).stdout).toContain("11 added");
  const subject = ["--library", "robot", "--tasks", "tasks.jsonl", "--yes", "--concurrency", "1"];
  const model = ["--graphs", "cot_tulip", "--models", "simulated:gold", "--seed", "3"];
  const { json } = await runJson("eval", "run", ...subject, ...model, "--out", "out");
  const made = recordsIn(join(folder, "out")).map(({ task, status, calls }) => [
    task,
    status,
    calls.length,
  ]);
  expect(made).toEqual([
    ["reach", "solved", 1],
    ["hand-over", "solved", 2],
    ["pour", "solved", 3],
    ["busy", "solved", 2],
  ]);
  const all = (json as Summary).rows.at(-1)?.aggregates;
  expect([all?.["callMatch"]?.mean, all?.["answerSubstring"]?.mean]).toEqual([1, 1]);
  expect(JSON.parse(readFileSync("table.json", "utf8"))).toMatchObject({
    objects: { cup: { place: "Ana" }, glass: { holds: "cola" }, bottle: { place: "left" } },
    hand: null,
    said: ["Ana: your cola is ready"],
  });
});
