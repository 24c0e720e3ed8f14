import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { recordsIn, tableOf, TWO_WRITES } from "./support.js";
import { linesOf, scriptIn, startChild, temporaryFolder } from "../support.js";

const TASKS = 6;

function argvOf(out: string): string[] {
  const run = ["eval", "run", "--benchmark", "work", "--level", "easy"];
  const limits = ["--limit", String(TASKS), "--concurrency", "2"];
  return [...run, ...limits, "--graphs", "naive_tool", "--models", "fake:child", "--out", out];
}

describe("a batch that is killed", () => {
  it("ends with the same table as an undisturbed one, wherever it was killed three times", async () => {
    const folder = temporaryFolder();
    const script = { subtasks: [], searches: [], act: TWO_WRITES, delayMs: 30 };
    const start = (out: string) => startChild({ argv: argvOf(out), env: scriptIn(folder, script) });
    const [calm, killed] = [join(folder, "calm"), join(folder, "killed")];
    expect(await start(calm).ended).toMatchObject({ code: 0 });

    const moments: number[] = [];
    for (let kill = 0; kill < 3; kill += 1) {
      const before = linesOf(join(killed, "runs.jsonl")).length;
      const child = start(killed);
      // Loading takes longer than the runs themselves, so the moment is counted from the start of the work.
      while (
        linesOf(join(killed, "runs.jsonl")).length === before &&
        child.process.exitCode === null
      )
        await pause(5);
      const moment = Math.random() * 120;
      moments.push(moment);
      await pause(moment);
      child.process.kill("SIGKILL");
      await child.ended;
    }
    expect(await start(killed).ended).toMatchObject({ code: 0 });
    const found = {
      moments,
      table: await tableOf(killed),
      ended: recordsIn(killed)
        .filter(({ error }) => error === undefined)
        .map(({ task, stateDiff }) => `${task}: ${JSON.stringify(stateDiff)}`)
        .toSorted(),
    };
    expect(found).toEqual({
      moments,
      table: await tableOf(calm),
      ended: recordsIn(calm)
        .map(({ task, stateDiff }) => `${task}: ${JSON.stringify(stateDiff)}`)
        .toSorted(),
    });
    expect(found.ended).toHaveLength(TASKS);
    expect(found.ended.join().match(/They wait/g)).toHaveLength(TASKS);
  }, 900_000);

  it("refuses a second process on its folder while it runs", async () => {
    const folder = temporaryFolder();
    // Its runs wait until it is killed, so the second process finds it at work however late it comes.
    const hold = { from: 1, gate: join(folder, "gate") };
    const script = { subtasks: [], searches: [], act: TWO_WRITES, hold };
    const out = join(folder, "out");
    const start = () => startChild({ argv: argvOf(out), env: scriptIn(folder, script) });
    const first = start();
    while (!existsSync(join(out, "experiment.json"))) await pause(5);
    const second = await start().ended;
    first.process.kill("SIGKILL");
    await first.ended;
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/another process is running this experiment/);
  }, 900_000);

  it("ends cleanly on Ctrl-C with exit code 130, and continues with the same command", async () => {
    const folder = temporaryFolder();
    const out = join(folder, "out");
    const start = (hold?: { from: number; gate: string }) => {
      const script = { subtasks: [], searches: [], act: TWO_WRITES, hold };
      return startChild({ argv: argvOf(out), env: scriptIn(folder, script) });
    };
    // Of five replies three end one of the two runs at work, and no other run can end before the signal.
    const gate = join(folder, "gate");
    const first = start({ from: 2 * TWO_WRITES.length, gate });
    while (linesOf(join(out, "runs.jsonl")).length === 0) await pause(5);
    first.process.kill("SIGINT");
    writeFileSync(gate, "");
    const { code, stderr } = await first.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("cancelled; the same command continues where it stopped");
    expect(recordsIn(out).length).toBeLessThan(TASKS);
    expect(await start().ended).toMatchObject({ code: 0 });
    const { missing, rows } = await tableOf(out);
    expect(missing).toBe(0);
    expect(rows[0]?.aggregates).toMatchObject({ toolCalls: { mean: 2, runs: TASKS } });
  }, 900_000);
});
