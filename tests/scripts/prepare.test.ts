import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "../../scripts/setup/command.mjs";
import { explain, SetupFailed } from "../../scripts/setup/failure.mjs";
import { prepare, projectRoot } from "../../scripts/setup/prepare.mjs";
import { withProgress } from "../../scripts/setup/progress.mjs";
import { fakeCommands, temporaryFolder } from "./workplace.js";

const NODE = process.execPath;

/** A step that is done once its file is there. */
function fileStep(root: string, name: string) {
  const work = vi.fn<() => Promise<void>>(async () => writeFileSync(join(root, name), ""));
  return { title: name, isDone: () => existsSync(join(root, name)), work };
}

/** A checkout whose npm cannot install anything. */
function brokenCheckout() {
  const root = temporaryFolder();
  for (const folder of ["bin", "scripts"]) {
    cpSync(join(projectRoot, folder), join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, "package-lock.json"), '{ "packages": { "node_modules/zod": {} } }');
  const npm = "echo 'npm error code E404'; echo 'npm error 404 zod was not found'; exit 1";
  const PATH = fakeCommands(root, { npm });
  const run = async (args: string[]) => {
    const setup = join(root, "scripts", "setup.mjs");
    const { code, output } = await runCommand({
      command: NODE,
      args: [setup, ...args],
      env: { PATH },
    });
    // On a busy machine a step may take more than a second and is then reported.
    return { code, output: output.replaceAll(/^set-up: .* …\n/gm, "") };
  };
  return { root, run };
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** What is reported of a step that takes this long. */
async function linesOf(step: { ms: number; quiet?: boolean }): Promise<string[]> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const { ms, quiet = false } = step;
  const finished = withProgress({ title: "building", quiet, write, work: () => wait(ms) });
  await vi.advanceTimersByTimeAsync(ms);
  await finished;
  return lines;
}

describe("the set-up", () => {
  it("does the steps that are due, in their order, and leaves out those that are done", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "packages"), "");
    const steps = ["packages", "faiss", "build"].map((name) => fileStep(root, name));
    await prepare({ root, steps, quiet: true });
    expect(steps.map(({ work }) => work.mock.calls.length)).toEqual([0, 1, 1]);
    expect(existsSync(join(root, ".tulipgraph", "setup.lock"))).toBe(false);
  });

  it("touches nothing when everything is done", async () => {
    const root = temporaryFolder();
    await prepare({ root, steps: [{ isDone: () => true, work: async () => {} }] });
    expect(existsSync(join(root, ".tulipgraph"))).toBe(false);
  });

  it("stops at the first step that fails and gives the lock back", async () => {
    const root = temporaryFolder();
    const broken = { isDone: () => false, work: () => Promise.reject(new SetupFailed("no disk")) };
    const later = fileStep(root, "later");
    await expect(prepare({ root, steps: [broken, later], quiet: true })).rejects.toThrow("no disk");
    expect(later.work).not.toHaveBeenCalled();
    expect(existsSync(join(root, ".tulipgraph", "setup.lock"))).toBe(false);
  });

  it("is done once when it is asked for twice at the same time", async () => {
    const root = temporaryFolder();
    const step = fileStep(root, "packages");
    await Promise.all([1, 2, 3].map(() => prepare({ root, steps: [step], quiet: true })));
    expect(step.work).toHaveBeenCalledTimes(1);
  });
});

describe("the set-up as a program", () => {
  it("ends with code 2 and one line that names the file with the whole output", async () => {
    const { root, run } = brokenCheckout();
    const { code, output } = await run([]);
    const log = join(root, ".tulipgraph", "setup.log");
    expect({ code, output }).toEqual({
      code: 2,
      output:
        "set-up: packages could not be installed (npm ci): 404 zod was not found; " +
        `the whole output is in ${log}\n`,
    });
    expect(readFileSync(log, "utf8")).toContain("npm error code E404");
  });

  it("shows the end of the output as well when debugging", async () => {
    const { output } = await brokenCheckout().run(["--debug"]);
    expect(output.split("\n").slice(1)).toEqual([
      "npm error code E404",
      "npm error 404 zod was not found",
      "",
    ]);
  });
});

describe("a failure", () => {
  it("is one line, whatever its message", () => {
    expect(explain(new SetupFailed("first\n  second"), { debug: false })).toBe(
      "set-up: first second\n",
    );
    expect(explain(new Error("disk full"), { debug: false })).toBe("set-up: disk full\n");
    expect(explain("odd", { debug: false })).toBe("set-up: odd\n");
  });

  it("that is not one of ours shows its stack when debugging", () => {
    expect(explain(new Error("disk full"), { debug: true })).toMatch(/Error: disk full\n\s+at /);
  });
});

describe("progress", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is reported for a step that takes longer than a second, at its beginning and its end", async () => {
    expect(await linesOf({ ms: 3000 })).toEqual([
      "set-up: building …",
      "set-up: building: done in 3 s",
    ]);
  });

  it("is not reported for a quick step, nor in quiet mode", async () => {
    expect(await linesOf({ ms: 900 })).toEqual([]);
    expect(await linesOf({ ms: 3000, quiet: true })).toEqual([]);
  });
});

describe("a command", () => {
  it("that does not exist has code 127", async () => {
    const outcome = await runCommand({ command: "no-such-command-anywhere", args: [] });
    expect(outcome).toMatchObject({ code: 127, timedOut: false });
  });

  it("that hangs is killed after its time", async () => {
    const args = ["-e", "setInterval(() => {}, 1000)"];
    const outcome = await runCommand({ command: NODE, args, timeoutMs: 200 });
    expect(outcome.timedOut).toBe(true);
    expect(outcome.code).not.toBe(0);
  });

  it("leaves its output in the log, below its own line", async () => {
    const log = join(temporaryFolder(), "setup.log");
    const args = ["-e", "console.log('out'); console.error('err')"];
    const { code, output } = await runCommand({ command: NODE, args, log });
    expect(code).toBe(0);
    expect(output).toContain("out\n");
    expect(output).toContain("err\n");
    expect(readFileSync(log, "utf8")).toContain(`$ ${NODE} -e console.log('out')`);
  });

  it("ends with its parent when that is told to end", async () => {
    const root = temporaryFolder();
    mkdirSync(root, { recursive: true });
    const file = join(root, "child.pid");
    const child = `require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const parent = `
      import { runCommand } from ${JSON.stringify(join(projectRoot, "scripts/setup/command.mjs"))};
      await runCommand({ command: process.execPath, args: ["-e", ${JSON.stringify(child)}] });
    `;
    const started = spawn(NODE, ["--input-type=module", "-e", parent], { stdio: "ignore" });
    const ended = new Promise((resolve) =>
      started.once("close", (_code, signal) => resolve(signal)),
    );
    await vi.waitFor(() => expect(Number(readFileSync(file, "utf8"))).toBeGreaterThan(0), 100_000);
    const pid = Number(readFileSync(file, "utf8"));
    started.kill("SIGTERM");
    expect(await ended).toBe("SIGTERM");
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), 100_000);
  });
});
