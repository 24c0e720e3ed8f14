import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readServer } from "../../../../tools/sources/mcp/listing.js";
import { schemaCheck } from "../../../../tools/calls/engine/schemaCheck.js";
import {
  callTool,
  fixture,
  folderOfTest,
  importServer,
  toolsOf,
  workspaceOfTest,
} from "./support.js";

const listed = (mode: string) => readServer({ name: "s", settings: fixture("liar.mjs", mode) });

/** The one line that reports a server's failure. */
async function lineOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => new Error("it did not fail"),
    (reason: Error) => reason,
  );
  expect(error.message).not.toContain("\n");
  return error.message;
}

describe("a listing with faults", () => {
  it("yields all usable tools, and a line for each other one", async () => {
    const { listing } = await listed("faulty");
    expect(listing.tools.map(({ name }) => name)).toEqual(["good", "none", "cyclic", "choice"]);
    expect(listing.tools[0]?.description).toBe("Good");
    expect(listing.problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 10]);
    for (const { problem } of listing.problems) expect(problem.length).toBeLessThan(300);
    const choice = listing.tools.find(({ name }) => name === "choice");
    expect(choice?.parameters).toMatchObject({ oneOf: [{}, {}], properties: { a: {}, b: {} } });
    for (const { id, parameters } of listing.tools) {
      expect(schemaCheck(id, parameters)).toBeTypeOf("function");
    }
  });
});

describe("a server that cannot be used is reported in one line", () => {
  it("if it ends while starting, with its last words but none of the values it was given", async () => {
    vi.stubEnv("LICENCE_OF_TEST", "secret-value-4711");
    const settings = { ...fixture("liar.mjs", "dies"), env: { LICENCE: "$LICENCE_OF_TEST" } };
    const line = await lineOf(readServer({ name: "s", settings }));
    expect(line).toContain("no licence for <LICENCE>");
    expect(line).not.toContain("4711");
  });

  it.each(["silent", "html", "other"])("if it answers nothing that is MCP (%s)", async (mode) => {
    const line = await lineOf(
      readServer({ name: "s", settings: fixture("liar.mjs", mode), startMs: 1_000 }),
    );
    expect(line).toMatch(/did not answer within 1 s/);
  });
});

/** A library with the tools of a faulty server. */
async function library(mode: string) {
  const workspace = workspaceOfTest();
  const log = join(folderOfTest(), "log.txt");
  await importServer({ workspace, name: "s", settings: fixture("liar.mjs", mode, log) });
  const tools = await toolsOf(workspace, "s");
  const call = (name: string, more: Partial<Parameters<typeof callTool>[0]> = {}) =>
    callTool({ workspace, tool: tools.get(`s.${name}`), args: {}, ...more });
  const noted = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  return { workspace, call, noted };
}

describe("a call to a server", () => {
  it("that breaks the connection is an error if it reads, and in doubt if it writes", async () => {
    const { call } = await library("breaks");
    const read = await call("read");
    expect(read).toMatchObject({
      status: "error",
      error: expect.stringContaining("connection broke"),
    });
    expect(read.error).not.toContain("may or may not");
    const write = await call("write");
    expect(write).toMatchObject({
      status: "error",
      error: expect.stringContaining("may or may not"),
    });
  });

  it("is in doubt, too, if nobody has vouched that it reads", async () => {
    const workspace = workspaceOfTest();
    const settings = fixture("liar.mjs", "breaks");
    await importServer({ workspace, name: "s", settings, trustHints: false });
    const tools = await toolsOf(workspace, "s");
    const outcome = await callTool({ workspace, tool: tools.get("s.read"), args: {} });
    expect(outcome.error).toContain("may or may not");
  });

  it("that crashes it is reported with its last words but none of the values it was given", async () => {
    vi.stubEnv("KEY_OF_TEST", "key-value-4711");
    const workspace = workspaceOfTest();
    const settings = { ...fixture("liar.mjs", "breaks"), env: { KEY: "$KEY_OF_TEST" } };
    await importServer({ workspace, name: "s", settings });
    const tools = await toolsOf(workspace, "s");
    const outcome = await callTool({ workspace, tool: tools.get("s.read"), args: {} });
    expect(outcome).toMatchObject({
      error: expect.stringMatching(/; it says: TypeError: no pool for <KEY> \/ closing$/),
    });
  });

  it("whose failure repeats secrets of its server is reported without them", async () => {
    vi.stubEnv("KEY_OF_TEST", "key-value-4711");
    const workspace = workspaceOfTest();
    const settings = { ...fixture("liar.mjs", "tells"), env: { KEY: "$KEY_OF_TEST" } };
    await importServer({ workspace, name: "s", settings });
    const tools = await toolsOf(workspace, "s");
    const outcome = await callTool({ workspace, tool: tools.get("s.read"), args: {} });
    expect(outcome).toMatchObject({ status: "error", error: "no such key: <KEY>" });
  });

  it("that never ends runs into its time-out, and the server is told", async () => {
    const { call, noted } = await library("hangs");
    const outcome = await call("write", { timeoutMs: 500 });
    expect(outcome).toMatchObject({
      status: "timeout",
      error: expect.stringContaining("may or may not"),
    });
    await vi.waitFor(() => expect(noted()).toContain("cancelled"), 10_000);
  });

  it("is cancelled with its run, and the server is told", async () => {
    const { call, noted } = await library("hangs");
    const run = new AbortController();
    const outcome = call("read", { signal: run.signal });
    await vi.waitFor(() => expect(noted()).toContain("called read"), 10_000);
    run.abort();
    expect(await outcome).toMatchObject({ status: "cancelled" });
    await vi.waitFor(() => expect(noted()).toContain("cancelled"), 10_000);
  });

  it("starts its server once, and leaves no process behind", async () => {
    const { workspace, call, noted } = await library("honest");
    const before = noted().split("started").length;
    await Promise.all([call("read"), call("read"), call("write")]);
    const started = noted().match(/started (\d+)/g) ?? [];
    expect(noted().split("started").length).toBe(before + 1);
    await workspace.close();
    const pid = Number(started.at(-1)?.split(" ")[1]);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), 10_000);
  });
});
