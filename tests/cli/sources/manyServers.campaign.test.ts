import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import { parseSettings } from "../../../state/settings.js";
import { syncConnected } from "../../../home/connectedSources.js";
import { definitionsOf } from "../../../tools/sources/mcp/toolDefinition.js";
import { openWorkspace } from "../../../home/workspace.js";
import { linesOf, scriptIn, startChild, temporaryFolder } from "../support.js";

const FIXTURES = new URL("../../fixtures/mcp/", import.meta.url);
const fixture = (name: string) => fileURLToPath(new URL(name, FIXTURES));

/** A home whose library "all" holds the tools of that many servers, none of which was ever started. */
async function homeWith(options: {
  servers: number;
  folder: string;
  log: string;
  mode?: string;
}): Promise<string> {
  const { servers, folder, log, mode = "honest" } = options;
  const home = join(folder, `home${servers}`);
  const { store, close } = openWorkspace({ home });
  const context = parseSettings({ library: "all", embeddings: "words:hashed" });
  for (let index = 0; index < servers; index++) {
    const args = [fixture("liar.mjs"), mode, log];
    const settings = { command: process.execPath, args, env: {}, cwd: process.cwd() };
    const source = { name: `s${index}`, kind: "mcp" as const, settings };
    const listed = [
      { name: "read", description: `Read ${index}`, inputSchema: { type: "object" } },
    ];
    const listing = definitionsOf(source, {}, listed);
    await syncConnected({ store, settings: context, source, listing, embed: false });
  }
  await close();
  return home;
}

const OF = ["--library", "all", "--set", "threshold=4"];
const ARGV = ["solve", "Read 0", "--graph", "minimal_tulip", "--model", "fake:child", ...OF];

const WAIT = { timeout: 30_000, interval: 50 };

/** What a run on such a home starts and loads. */
async function runOn(servers: number, act: Parameters<typeof scriptIn>[1]["act"]) {
  const folder = temporaryFolder();
  const log = join(folder, "started.txt");
  const modules = join(folder, "modules.txt");
  const env = {
    ...scriptIn(folder, { subtasks: [], searches: [], act }),
    TULIPGRAPH_HOME: await homeWith({ servers, folder, log }),
    TULIPGRAPH_TEST_MODULES: modules,
    NODE_OPTIONS: `--import=${pathToFileURL(fixture("noteModules.mjs")).href}`,
  };
  expect((await startChild({ argv: ARGV, env }).ended).stderr).toBe("");
  return { started: existsSync(log), modules: linesOf(modules).length };
}

it("a run starts no server and loads nothing for it, however many there are", async () => {
  const nothing = { started: false, modules: 0 };
  expect(await runOn(1, [{ stop: "Done." }])).toEqual(nothing);
  expect(await runOn(100, [{ stop: "Done." }])).toEqual(nothing);
});

it("a run that calls a tool starts that tool's server", async () => {
  const act = [{ calls: [{ id: "a", name: "read", args: {} }] }, { stop: "Done." }];
  const { started, modules } = await runOn(2, act);
  expect(started).toBe(true);
  expect(modules).toBeGreaterThan(0);
});

it("a server ends with the process that started it, even if that one is killed", async () => {
  const folder = temporaryFolder();
  const log = join(folder, "log.txt");
  const env = {
    ...scriptIn(folder, {
      subtasks: [],
      searches: [],
      act: [{ calls: [{ id: "a", name: "read", args: {} }] }],
    }),
    TULIPGRAPH_HOME: await homeWith({ servers: 1, folder, log, mode: "hangs" }),
  };
  const child = startChild({ argv: ARGV, env });
  await vi.waitFor(() => expect(linesOf(log)).toContain("called read"), WAIT);
  child.process.kill("SIGKILL");
  await child.ended;
  const [pid] = linesOf(log).flatMap((line) => /^started (\d+)/.exec(line)?.[1] ?? []);
  await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/), WAIT);
});
