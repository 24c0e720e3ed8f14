import { spawnSync } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  type FunctionWorkers,
  openFunctionWorkers,
} from "../../../../tools/calls/functions/functionWorkers.js";
import { writeCompiledPackage } from "../../../fakes/compiledPackage.js";
import { TOOLS_FILE, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const workers = openFunctionWorkers();
afterAll(() => workers.close());

async function run(
  file: string,
  exportName: string,
  args: unknown[],
  on: FunctionWorkers = workers,
) {
  return await on.run({
    call: { file, exportName, kind: "function", args },
    signal: new AbortController().signal,
    onReady: async () => undefined,
    callTool: () => Promise.reject(new Error("no tools here")),
  });
}

/** Writes a file with a time of its own. */
let seconds = 1_700_000_000;
function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  utimesSync(file, ++seconds, seconds);
  return file;
}

describe("a user's file", () => {
  test("stays imported while nothing changes, and is imported again when it does", async () => {
    const file = write("counter.ts", "let n = 0; export const next = () => (n += 1);");
    expect([await run(file, "next", []), await run(file, "next", [])]).toEqual(["1", "2"]);
    write("counter.ts", "let n = 0; export const next = () => (n += 5);");
    expect(await run(file, "next", [])).toBe("5");
  });

  test("is imported again after a change that left its time and size as they were", async () => {
    const file = write("tick.ts", "export const get = (): number => 1;");
    expect(await run(file, "get", [])).toBe("1");
    seconds -= 1;
    write("tick.ts", "export const get = (): number => 2;");
    expect(await run(file, "get", [])).toBe("2");
  });

  test("is imported again when what it imports has changed", async () => {
    write("helper.ts", "export const value: number = 1;");
    const file = write(
      "main.ts",
      'import { value } from "./helper.js"; export const get = () => value;',
    );
    expect(await run(file, "get", [])).toBe("1");
    write("helper.ts", "export const value: number = 2;");
    expect(await run(file, "get", [])).toBe("2");
  });

  test.each([
    ["an ES module by its package", "esm", '{ "type": "module" }', "tool.ts"],
    ["JavaScript", "js", '{ "type": "module" }', "tool.js"],
  ])("may be %s", async (_kind, name, manifest, fileName) => {
    mkdirSync(join(folder, name));
    write(`${name}/package.json`, manifest);
    const file = write(`${name}/${fileName}`, "export function half(n) { return n / 2; }");
    expect(await run(file, "half", [5])).toBe("2.5");
  });

  test("may be in a CommonJS package, as npm makes it, and name other TypeScript in any way", async () => {
    mkdirSync(join(folder, "common", "lib"), { recursive: true });
    write("common/package.json", '{ "type": "commonjs" }');
    write("common/lib/index.ts", "export const two: number = 2;");
    write("common/half.ts", "export const half = (n: number) => n / 2;");
    const file = write(
      "common/tool.ts",
      `import { half } from "./half.js";
       import { two } from "./lib";
       export const sum = async (n: number) => half(n) * two + (await import("./half")).half(2);`,
    );
    expect(await run(file, "sum", [5])).toBe("6");
  });

  test("that does not compile is an error in one line", async () => {
    const file = write("broken.ts", "export const = 5;");
    await expect(run(file, "x", [])).rejects.toThrow(/^[^\n]*broken\.ts[^\n]*$/);
  });

  test("prints to standard error, never to standard output, and nothing is lost when the host ends", () => {
    const script = write(
      "print.mts",
      `import { openFunctionWorkers } from ${JSON.stringify(join(process.cwd(), "tools/calls/functions/functionWorkers.ts"))};
       const workers = openFunctionWorkers();
       const call = { file: ${JSON.stringify(TOOLS_FILE)}, exportName: "print", kind: "function", args: ["said by a tool"] };
       const resultJson = await workers.run({ call, signal: new AbortController().signal, onReady() {} });
       process.stdout.write(resultJson);`,
    );
    const args = ["--import", "tsx", script];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect({ stdout, status }).toEqual({ stdout: '"printed"', status: 0 });
    expect(stderr).toContain("said\nby\na\ntool\n");
  });
});

describe("a pool", () => {
  test("works from compiled JavaScript under plain Node", () => {
    writeCompiledPackage(join(folder, "package"));
    const script = write(
      "package/run.js",
      `import { openFunctionWorkers } from "./tools/calls/functions/functionWorkers.js";
       const workers = openFunctionWorkers();
       const call = { file: ${JSON.stringify(TOOLS_FILE)}, exportName: "add", kind: "function", args: [1, 2] };
       const resultJson = await workers.run({ call, signal: new AbortController().signal, onReady() {} });
       process.stdout.write(resultJson);`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "3", stderr: "" });
  });
});

describe("an error", () => {
  test("is told with what caused it", async () => {
    const file = write(
      "causes.ts",
      `export const outer = () => { throw new Error("outer", { cause: new Error("the reason") }); };
       export const reach = () => fetch("http://127.0.0.1:1/").then((answer) => answer.text());
       export const round = () => { const e = new Error("round"); e.cause = e; throw e; };`,
    );
    await expect(run(file, "outer", [])).rejects.toThrow("Error: outer: Error: the reason");
    await expect(run(file, "reach", [])).rejects.toThrow(/fetch failed: .*(bad port|ECONNREFUSED)/);
    await expect(run(file, "round", [])).rejects.toThrow(/^Error: round$/);
  });

  test("that comes after the end of its call leaves the next call alone", async () => {
    const alone = openFunctionWorkers();
    const file = write(
      "late.ts",
      `const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
       export const leaves = () => { setTimeout(() => { throw new Error("late"); }, 300); };
       export const rejects = () => { void wait(300).then(() => { throw new Error("late"); }); };
       export const waits = async () => { await wait(900); return "whole"; };
       export const fails = async () => { setTimeout(() => { throw new Error("own"); }, 10); await wait(900); };`,
    );
    for (const early of ["leaves", "rejects"]) {
      await run(file, early, [], alone);
      expect(await run(file, "waits", [], alone)).toBe('"whole"');
    }
    await expect(run(file, "fails", [], alone)).rejects.toThrow(/own/);
    await alone.close();
  });
});
