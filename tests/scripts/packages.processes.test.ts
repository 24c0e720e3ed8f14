import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command, Outcome } from "../../scripts/setup/command.mjs";
import { packagesStep } from "../../scripts/setup/packages.mjs";
import { temporaryFolder } from "./workplace.js";

type Packages = Record<string, { version?: string; optional?: boolean; link?: boolean }>;

const LOCKED: Packages = {
  "": {},
  "node_modules/zod": { version: "4.6.7" },
  "node_modules/@esbuild/aix-ppc64": { version: "0.28.2", optional: true },
};
const INSTALLED: Packages = { "node_modules/zod": { version: "4.6.7" } };
const WORKED: Outcome = { code: 0, output: "", timedOut: false };

/** A checkout with this lock file, and an npm that does what the test says and records its calls. */
function checkout({ outcome = WORKED, installs = INSTALLED, env = {} } = {}) {
  const root = temporaryFolder();
  const calls: Command[] = [];
  const run = async (command: Command) => {
    calls.push(command);
    if (outcome.code === 0) writePackages(root, installs);
    return outcome;
  };
  const place = { root, env, run, log: join(root, "setup.log"), quiet: true, isRoot: false };
  writeLock(root, LOCKED);
  return { root, place, calls };
}

function writeLock(root: string, packages: Packages): void {
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
}

function writePackages(root: string, packages: Packages): void {
  for (const path of Object.keys(packages)) {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, "package.json"), "{}");
  }
  const hidden = join(root, "node_modules", ".package-lock.json");
  mkdirSync(dirname(hidden), { recursive: true });
  writeFileSync(hidden, JSON.stringify({ packages }));
}

describe("the packages of a checkout", () => {
  it("are installed from the lock file, without the packages' own scripts", async () => {
    const { place, calls, root } = checkout();
    expect(packagesStep.isDone(place)).toBe(false);
    await packagesStep.work(place);
    expect(calls).toEqual([
      expect.objectContaining({
        command: "npm",
        args: ["ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund"],
        cwd: root,
      }),
    ]);
    expect(packagesStep.isDone(place)).toBe(true);
  });

  it("are left alone when npm was run by hand, also without those of other platforms", async () => {
    const { place, calls, root } = checkout();
    writePackages(root, INSTALLED);
    await packagesStep.work(place);
    expect(calls).toEqual([]);
    expect(packagesStep.isDone(place)).toBe(true);
  });
});

describe("an installation that fails", () => {
  it("is one line with npm's reason, and is not taken for done", async () => {
    const output = [
      "npm warn deprecated something",
      "npm error code ENOTFOUND",
      "npm error network request to http://127.0.0.1:1/zod failed, reason: refused",
      "npm error A complete log of this run can be found in: …",
    ].join("\n");
    const { place } = checkout({ outcome: { code: 1, output, timedOut: false } });
    await expect(packagesStep.work(place)).rejects.toMatchObject({
      message:
        "packages could not be installed (npm ci): " +
        "network request to http://127.0.0.1:1/zod failed, reason: refused",
      log: place.log,
    });
    expect(packagesStep.isDone(place)).toBe(false);
  });
});
