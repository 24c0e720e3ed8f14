import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { programFile } from "../fakes/programs.js";
import { temporaryFolder } from "./support.js";

/** A user of whom the system knows nothing, as in a container that is started with one. */
const NOBODY = 12_345;

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("a user without a name (skipped where this is not root)", () => {
  it("and without a folder solves a request, and is told which folder cannot be written to", () => {
    const folder = temporaryFolder();
    // It runs what is here.
    for (const each of [folder, inject("programs")]) chmodSync(each, 0o755);
    const home = join(folder, "home");
    cpSync(inject("preparedHome"), home, { recursive: true });
    for (const name of readdirSync(home, { recursive: true, encoding: "utf8" }))
      chownSync(join(home, name), NOBODY, NOBODY);
    chmodSync(home, 0o777);
    const solve = (user: number) => {
      const { HOME: _home, ...env } = process.env;
      return spawnSync(
        process.execPath,
        [programFile("tests/fakes/commandLine.ts"), "solve", "What is 2 + 3?"],
        { env: { ...env, TULIPGRAPH_HOME: home }, uid: user, gid: user, encoding: "utf8" },
      );
    };
    const solved = solve(NOBODY);
    expect(solved.stderr).not.toContain("error:");
    expect(solved.stdout).toContain("The result is 5.");
    // What one user has made is not another's.
    expect(solve(NOBODY + 1).stderr).toMatch(
      /runs\.db: cannot be opened \(EACCES: permission denied/,
    );
  });
});
