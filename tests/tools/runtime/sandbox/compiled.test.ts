import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support.js";

const folder = temporaryFolder();

describe("the sandbox", () => {
  test("works from compiled JavaScript under plain Node, and keeps no process alive", () => {
    const compiled = ["errors.ts", "tools/tool.ts", ...filesBelow("tools/runtime")];
    for (const file of compiled) compile(file);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
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
      timeout: 25_000,
    });
    expect({ stdout, stderr, status }).toEqual({ stdout: "3", stderr: "", status: 0 });
  });
});

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${path}/${name}`);
}

function compile(file: string): void {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(readFileSync(file, "utf8"), { compilerOptions });
  const target = join(folder, file.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, outputText);
}
