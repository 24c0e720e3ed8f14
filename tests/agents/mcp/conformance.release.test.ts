import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mcpServers } from "../../../agents/mcp/mcpServer.js";
import { serveHttp } from "../../../agents/mcp/serveHttp.js";
import { openToolbox } from "../../../agents/toolbox.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

/** Scenarios of the official suite for features that this server offers. */
const APPLICABLE = [
  "server-initialize",
  "ping",
  "tools-list",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

/** Why the others do not apply, by the start of their names. */
const NOT_APPLICABLE: Record<string, string> = {
  "tools-call-": "they call tools of the suite's own (test_simple_text, …)",
  "json-schema-2020-12": "it looks for a tool of the suite's own (json_schema_2020_12_tool)",
  "elicitation-": "they call tools of the suite's own (test_elicitation_sep1034_defaults, …)",
  "server-sse-polling": "it calls a tool of the suite's own (test_reconnection)",
  "logging-": "the server sends no log messages, and does not say that it does",
  "completion-": "nothing is completed",
  "resources-": "there are no resources",
  "prompts-": "there are no prompts",
};

const isLeftOut = (name: string) =>
  Object.keys(NOT_APPLICABLE).some((begin) => name.startsWith(begin));

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "tulipgraph-conformance-"));
let server: Awaited<ReturnType<typeof serveHttp>> | undefined;

/** Runs the suite's command line, which writes its reports to the current folder. */
async function suite(...argv: string[]): Promise<string> {
  const program = resolve("tests/fakes/conformance.mjs");
  const { stdout } = await run(process.execPath, [program, ...argv], { cwd: folder });
  return stdout;
}

beforeAll(async () => {
  await importTestLibrary();
  const toolbox = await openToolbox(TEST_LIBRARY);
  server = await serveHttp(mcpServers({ toolbox, allowWrites: false }), 0);
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

it.each(APPLICABLE)("passes the official scenario %s", async (scenario) => {
  const url = server?.url ?? "";
  const report = await suite("server", "--url", url, "--scenario", scenario);
  expect(report).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
});

it("leaves out only scenarios for features that this server does not offer", async () => {
  const list = await suite("list", "--server");
  const names = [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(APPLICABLE.length);
  expect(names.filter((name) => !isLeftOut(name))).toEqual(APPLICABLE);
});
