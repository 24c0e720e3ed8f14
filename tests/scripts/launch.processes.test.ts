import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/setup/prepare.mjs";
import { temporaryFolder } from "./workplace.js";

/** A package as it is installed: no lock file, no sources, a command line with this body. */
function installed(body: string): string {
  const root = temporaryFolder();
  cpSync(join(projectRoot, "bin"), join(root, "bin"), { recursive: true });
  mkdirSync(join(root, "dist", "cli"), { recursive: true });
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  writeFileSync(join(root, "dist", "cli", "start.js"), body);
  return root;
}

/** Runs the command; `readOnly` closes its stdout after the first piece, as `head` does. */
function run({
  root,
  args = [],
  closeEarly = false,
}: {
  root: string;
  args?: string[];
  closeEarly?: boolean;
}) {
  const child = spawn(process.execPath, [join(root, "bin", "tulipgraph.mjs"), ...args]);
  const result = { code: -1, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    result.stdout += text;
    if (closeEarly) child.stdout.destroy();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (result.stderr += text));
  return new Promise<typeof result>((resolve) => {
    child.once("close", (code) => resolve({ ...result, code: code ?? -1 }));
  });
}

describe("the command", () => {
  it("hands its arguments to the command line and ends with the code that comes back", async () => {
    const root = installed(
      "export const start = async (argv) => { process.stdout.write(argv.join('|')); return 3; };",
    );
    expect(await run({ root, args: ["solve", "2 + 2"] })).toEqual({
      code: 3,
      stdout: "solve|2 + 2",
      stderr: "",
    });
  });

  it("ends quietly when its reader has seen enough", async () => {
    const root = installed(`
      import { setTimeout } from "node:timers/promises";
      export const start = async () => {
        for (;;) {
          process.stdout.write("a line\\n".repeat(1000));
          await setTimeout(5);
        }
      };
    `);
    const { code, stderr } = await run({ root, closeEarly: true });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("says in one line that its output cannot be written", async () => {
    const root = installed(`
      export const start = async () => {
        process.stdout.destroy(Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" }));
        return 0;
      };
    `);
    const { code, stderr } = await run({ root });
    const line = "error: the output cannot be written: ENOSPC: no space left\n";
    expect({ code, stderr }).toEqual({ code: 1, stderr: line });
  });

  it("reports a fault in one line, and its place when debugging", async () => {
    const root = installed("export const start = async () => { throw new Error('two\\nlines'); };");
    expect(await run({ root })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "tulipgraph: unexpected fault: two lines; run it again with --debug for the details\n",
    });
    expect((await run({ root, args: ["--debug"] })).stderr).toMatch(/\n\s+at start /);
  });
});

describe("the check of Node's version", () => {
  const check = readFileSync(join(projectRoot, "bin", "check-node.mjs"), "utf8");

  /** Runs the check as if under this version. */
  function underNode(version: string) {
    const seen = { text: "", code: 0 };
    const write = (text: string) => (seen.text += text);
    const exit = (code: number) => (seen.code = code);
    runInNewContext(check, {
      process: { version, execPath: "/bin/node", stderr: { write }, exit },
    });
    return seen;
  }

  it.each(["v12.22.12", "v18.20.4", "v20.11.1"])("refuses %s in one line", (version) => {
    expect(underNode(version)).toEqual({
      code: 2,
      text:
        `tulipgraph: Node 20.12 or newer is needed, this is ${version} (/bin/node); ` +
        "install a newer one from https://nodejs.org\n",
    });
  });

  it.each(["v20.12.0", "v20.20.2", "v22.0.0", "v100.1.0"])("accepts %s", (version) => {
    expect(underNode(version)).toEqual({ code: 0, text: "" });
  });
});
