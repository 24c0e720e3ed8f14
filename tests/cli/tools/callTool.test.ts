import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openJournal } from "../../../tools/calls/journal/journal.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import { errorLine, linesOf, run, runJson, temporaryFolder } from "../support.js";

const DESK_LIBRARY = ["--library", "desk"];

let folder: string;
let home: string;
beforeEach(async () => {
  folder = temporaryFolder();
  home = join(folder, "home");
  vi.stubEnv("TULIPGRAPH_HOME", home);
  const file = join(folder, "desk.ts");
  writeFileSync(file, DESK);
  await run("tools", "import", file, ...DESK_LIBRARY);
});
afterAll(closeWorkspaces);

const DESK = `import { appendFileSync } from "node:fs";
/** Doubles a number.
 * @effects read */
export function double(x: number): number { return 2 * x; }
/** Writes a line into the log of the desk. */
export function write(line: string): void { appendFileSync(new URL("log.txt", import.meta.url), line + "\\n"); }
/** Greets.
 * @effects read
 * @approval */
export function greet(name: string): string { return "Hello, " + name; }
/** Fails.
 * @effects read */
export function fail(): string { throw new Error("out of paper\\nand ink"); }
/** Waits for an answer that never comes.
 * @effects read */
export function wait(): Promise<string> { return new Promise(() => setTimeout(() => undefined, 60_000)); }
`;

const call = (...argv: string[]) => run("tools", "call", ...argv, ...DESK_LIBRARY);

const log = () => linesOf(join(folder, "log.txt"));

describe("tools call", () => {
  it("prints the result of a tool that reads, and nothing else", async () => {
    expect(await call("double", '{"x": 21}')).toEqual({ code: 0, stdout: "42\n", stderr: "" });
  });

  it("ends a call after the time limit that --timeout sets", async () => {
    const { code, stderr } = await call("wait", "--timeout", "200");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^wait: .*200 ms/);
  });

  it("prints the outcome of the call as one object with --json", async () => {
    const { json, code } = await runJson("tools", "call", "double", '{"x": 2}', ...DESK_LIBRARY);
    expect(code).toBe(0);
    expect(json).toEqual({
      tool: "double",
      args: { x: 2 },
      status: "done",
      result: 4,
      ms: expect.any(Number),
      cost: 0,
      threadId: expect.stringMatching(/^call-/),
      callId: expect.any(String),
    });
  });

  it("reads the arguments from stdin", async () => {
    const input = new PassThrough();
    input.end('{"x": 5}');
    vi.spyOn(process, "stdin", "get").mockReturnValueOnce(input as never);
    expect(await call("double", "-")).toMatchObject({ code: 0, stdout: "10\n" });
  });

  it("exits with 1 and the reason in one line if the tool fails", async () => {
    const printed = await call("fail");
    expect(printed).toEqual({ code: 1, stdout: "", stderr: "fail: Error: out of paper and ink\n" });
  });

  it.each([
    ["no JSON", "{x: 1}", "are not JSON"],
    ["of another type", '{"x": "many"}', "`x` must be a number"],
    ["that the tool does not take", '{"x": 1, "y": 2}', "unknown parameter `y`"],
    ["that are no object", "[1]", "object"],
  ])("refuses arguments %s before anything runs", async (_what, written, said) => {
    expect(errorLine(await call("double", written))).toContain(said);
  });
});

describe("A tool that writes or requires approval", () => {
  it.each([
    ["write", '{"line": "a"}'],
    ["greet", '{"name": "Ada"}'],
  ])("waits for --yes: %s", async (id, args) => {
    const { code, stdout, stderr } = await call(id, args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("--yes");
    expect(log()).toEqual([]);
  });

  it("is called again each time on one thread, and is in its journal", async () => {
    const argv = ["write", '{"line": "b"}', "--yes", "--thread", "desk"];
    await call(...argv);
    await call(...argv);
    expect(log()).toEqual(["b", "b"]);
    const journal = openJournal({ home });
    expect(await journal.calls("desk")).toMatchObject([
      { tool: "write", status: "done" },
      { tool: "write", status: "done" },
    ]);
    await journal.close();
    expect(readFileSync(join(folder, "log.txt"), "utf8")).toBe("b\nb\n");
  });
});
