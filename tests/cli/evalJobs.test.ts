import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../eval/runs/record.js";
import { isAlive } from "../fakes/langgraphServer.js";
import { linesOf, startChild, temporaryFolder } from "./support.js";

const TASKS = 8;

function start(out: string, tasks = TASKS) {
  const run = ["eval", "run", "--benchmark", "math", "--models", "offline:planner"];
  const size = ["--graphs", "base", "--limit", String(tasks)];
  const how = ["--jobs", "2", "--checkpoints", "none", "--concurrency", "2"];
  return startChild({ argv: [...run, ...size, ...how, "--out", out] });
}

/** Ids of the processes that another one has started. */
function childrenOf(pid: number | undefined): number[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return list
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

async function firstResult(out: string): Promise<void> {
  while (linesOf(join(out, "runs.jsonl")).length === 0) await pause(5);
}

async function allEnded(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await pause(20);
}

function tasksIn(out: string): string[] {
  const records = linesOf(join(out, "runs.jsonl")).map((line) => JSON.parse(line) as RunRecord);
  return records.filter(({ error }) => error === undefined).map(({ task }) => task);
}

describe("a batch in several processes", () => {
  it("takes its processes with it when it is killed, and goes on when it is given again", async () => {
    const out = join(temporaryFolder(), "out");
    const killed = start(out);
    await firstResult(out);
    const jobs = childrenOf(killed.process.pid);
    killed.process.kill("SIGKILL");
    await killed.ended;
    await allEnded(jobs);
    expect(jobs.length).toBeGreaterThanOrEqual(2);

    expect((await start(out).ended).code).toBe(0);
    expect(tasksIn(out)).toHaveLength(TASKS);
    expect(new Set(tasksIn(out)).size).toBe(TASKS);
  }, 120_000);

  it("ends them on Ctrl-C with exit code 130", async () => {
    const out = join(temporaryFolder(), "out");
    const stopped = start(out, 40);
    await firstResult(out);
    const jobs = childrenOf(stopped.process.pid);
    // A terminal signals all of them at once.
    for (const pid of jobs) process.kill(pid, "SIGINT");
    stopped.process.kill("SIGINT");
    const { code, stderr } = await stopped.ended;
    expect({ code, alive: jobs.filter(isAlive) }).toEqual({ code: 130, alive: [] });
    expect(stderr).toContain("cancelled; the same command goes on where it stopped");
  }, 120_000);
});
