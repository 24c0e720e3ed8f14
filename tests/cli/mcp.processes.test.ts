import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { programFile } from "../fakes/programs.js";
import { TEST_LIBRARY, importTestLibrary, saveLogPlan } from "../fakes/testLibrary.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { temporaryFolder } from "./support.js";

const LIBRARY = ["mcp", "--library", TEST_LIBRARY.library];

let http: { url: string; child: ChildProcess } | undefined;

beforeAll(async () => {
  await importTestLibrary();
  await saveLogPlan();
  await closeWorkspaces();
  http = await startHttp();
});
afterAll(() => http?.child.kill("SIGTERM"));

/** A server in its own process, on a free port. */
async function startHttp(): Promise<NonNullable<typeof http>> {
  const argv = [programFile("tests/fakes/commandLine.ts"), ...LIBRARY, "--http", "0"];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  return await new Promise((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      const url = /http:\S+/.exec(said)?.[0];
      if (url) resolve({ url, child });
    });
    child.on("exit", () => reject(new Error(`the server does not listen: ${said}`)));
  });
}

type Era = "2025-11-25" | "2026-07-28";

/** A person who answers the questions. */
type Person = (message: string) => boolean;

async function connected(options: {
  over: "stdio" | "http";
  era: Era;
  person?: Person;
  argv?: string[];
}): Promise<Client> {
  const { over, era, person, argv = [] } = options;
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: person ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" },
    },
  );
  if (person) {
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: "accept",
      content: { approve: person(params.message) },
    }));
  }
  const stdio = () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [programFile("tests/fakes/commandLine.ts"), ...LIBRARY, ...argv],
      env: Object.fromEntries(
        Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
      ),
      stderr: "inherit",
    });
  const transport =
    over === "stdio" ? stdio() : new StreamableHTTPClientTransport(new URL(http?.url ?? ""));
  await client.connect(transport);
  return client;
}

/** Like {@link connected}, until the end of the test. */
async function connectedForTest(options: Parameters<typeof connected>[0]): Promise<Client> {
  const client = await connected(options);
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content;
  return { ...result, text: first?.type === "text" ? first.text : undefined };
}

describe.each([
  { over: "stdio", era: "2025-11-25" },
  { over: "http", era: "2026-07-28" },
] as const)("over $over in revision $era", (way) => {
  let client: Client;
  /** What the person is shown, who says yes unless told otherwise. */
  let shown: string[] = [];
  let answer = true;

  const person = (message: string) => shown.push(message) > 0 && answer;

  beforeAll(async () => {
    client = await connected({ ...way, person });
  });
  beforeEach(() => {
    shown = [];
    answer = true;
  });
  afterAll(() => client.close());

  it("offers few tools, says which of them act, and finds the others through them", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["find_tools", true],
      ["call_tool", false],
      ["run_plan", false],
    ]);
    const found = await call(client, "find_tools", { queries: ["greet a person"], limit: 1 });
    expect(found.structuredContent).toMatchObject({
      results: [{ query: "greet a person", tools: ["greet"] }],
      tools: [{ tool: "greet", effects: "read", parameters: { required: ["person"] } }],
    });
    expect(found.text).toContain("greet(person: string)");
  });

  it("calls a tool, and says in one line why a call fails", async () => {
    const args = { tool: "greet", arguments: { person: "Ada" } };
    const called = await call(client, "call_tool", args);
    expect(called.structuredContent).toEqual({ result: "Hello, Ada!" });
    expect(called.text).toBe("Hello, Ada!");
    for (const wrong of [
      { tool: "great", arguments: {} },
      { tool: "greet", arguments: { person: 7, name: "Ada" } },
      { tool: "break_down", arguments: { reason: "a test" } },
    ]) {
      const failed = await call(client, "call_tool", wrong);
      expect(failed.isError).toBe(true);
      expect(failed.text).toMatch(/^.{10,}$/);
    }
  });

  it("runs a plan, and asks a person once about all that it writes", async () => {
    const file = join(temporaryFolder(), "log.txt");
    const program = [
      `const doubled = double_number({ value: 21 });`,
      `write_line({ file: ${JSON.stringify(file)}, line: "first " + doubled });`,
      `write_line({ file: ${JSON.stringify(file)}, line: "second" });`,
      `return doubled;`,
    ].join("\n");
    const done = await call(client, "run_plan", { program });
    expect(done).toMatchObject({ structuredContent: { result: 42 }, text: "42" });
    expect(readFileSync(file, "utf8")).toBe("first 42\nsecond\n");
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain("first 42");
    expect(shown[0]).toContain("second");
  });

  it("asks about each write of a saved plan with its values, and makes it as a whole or not at all", async () => {
    const file = join(temporaryFolder(), "log.txt");
    const program = `return log_twice({ file: "${file}" });`;
    answer = false;
    expect(await call(client, "run_plan", { program })).toMatchObject({ isError: true });
    expect(existsSync(file)).toBe(false);
    answer = true;
    shown = [];
    const done = await call(client, "run_plan", { program });
    expect(done).toMatchObject({ structuredContent: { result: 42 } });
    expect(shown).toEqual([
      expect.stringMatching(/write_line .*"first"[^]*write_line .*"second 42"/),
    ]);
    const silent = await connectedForTest(way);
    expect(await call(silent, "run_plan", { program })).toMatchObject({ isError: true });
    expect(readFileSync(file, "utf8")).toBe("first\nsecond 42\n");
  });

  it("writes nothing that a person has not approved, or cannot be asked about", async () => {
    const file = join(temporaryFolder(), "log.txt");
    const program = `return write_line({ file: ${JSON.stringify(file)}, line: "no" });`;
    answer = false;
    const first = await call(client, "run_plan", { program });
    expect(first).toMatchObject({ isError: true });
    expect(first.text).toContain("not approved");
    const silent = await connectedForTest(way);
    const second = await call(silent, "run_plan", { program });
    expect(second).toMatchObject({ isError: true });
    expect(second.text).toMatch(/--allow-writes\. Nothing was changed\.$/);
    expect(existsSync(file)).toBe(false);
  });
});

it("asks nobody where writes are allowed", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const client = await connectedForTest({
    over: "stdio",
    era: "2025-11-25",
    argv: ["--allow-writes"],
  });
  const program = `return write_line({ file: ${JSON.stringify(file)}, line: "yes" });`;
  const done = await call(client, "run_plan", { program });
  expect(done.structuredContent).toMatchObject({
    result: "written: yes",
    receipt: expect.arrayContaining([expect.any(String)]),
  });
  expect(readFileSync(file, "utf8")).toBe("yes\n");
});

it("reports progress of long calls, and ends a call that is cancelled", async () => {
  const client = await connectedForTest({ over: "stdio", era: "2025-11-25" });
  const ending = new AbortController();
  const told: (string | undefined)[] = [];
  const spinning = client.callTool(
    { name: "call_tool", arguments: { tool: "spin", arguments: { turns: 7 } } },
    {
      signal: ending.signal,
      onprogress({ message }) {
        told.push(message);
        ending.abort();
      },
    },
  );
  await expect(spinning).rejects.toThrow(/abort/i);
  expect(told).toHaveLength(1);
  const next = await call(client, "call_tool", { tool: "greet", arguments: { person: "Ada" } });
  expect(next.text).toBe("Hello, Ada!");
});

it.each([
  { header: "host", value: "evil.example" },
  { header: "origin", value: "https://evil.example" },
])("refuses over HTTP what a page in a browser sends, by its $header", async (sent) => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { "content-type": "application/json", [sent.header]: sent.value };
    httpRequest(http?.url ?? "", { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end("{}");
  });
  expect(status).toBe(403);
});
