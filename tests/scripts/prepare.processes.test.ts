import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runCommand } from "../../scripts/setup/command.mjs";
import { SetupFailed } from "../../scripts/setup/report.mjs";
import { prepare, projectRoot } from "../../scripts/setup/prepare.mjs";
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

describe("the set-up", () => {
  it("does the steps that are due, in their order, and leaves out those that are done", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "packages"), "");
    const steps = ["packages", "faiss", "build"].map((name) => fileStep(root, name));
    await prepare({ root, steps, quiet: true });
    expect(steps.map(({ work }) => work.mock.calls.length)).toEqual([0, 1, 1]);
    expect(existsSync(join(root, ".tulipgraph", "setup.lock"))).toBe(false);
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
});

describe("a command", () => {
  it("that hangs is killed after its time", async () => {
    const args = ["-e", "setInterval(() => {}, 1000)"];
    const outcome = await runCommand({ command: NODE, args, timeoutMs: 200 });
    expect(outcome.timedOut).toBe(true);
    expect(outcome.code).not.toBe(0);
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
