import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeCompiledPackage } from "../../../fakes/compiledPackage.js";
import { temporaryFolder } from "../support.js";

const folder = temporaryFolder();

describe("the sandbox", () => {
  test("works from compiled JavaScript under plain Node, and keeps no process alive", () => {
    writeCompiledPackage(folder);
    const script = join(folder, "run.js");
    writeFileSync(
      script,
      `import { openSandbox } from "./tools/runtime/sandbox/openSandbox.js";
       const sandbox = openSandbox();
       const { signal } = new AbortController();
       const program = "function f(a, b) { return a + b; }";
       process.stdout.write(await sandbox.run({ program, functionName: "f", args: [1, 2], signal }));`,
    );
    const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
      encoding: "utf8",
      timeout: 100_000,
    });
    expect({ stdout, stderr, status }).toEqual({ stdout: "3", stderr: "", status: 0 });
  });
});
