import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openWorkspace } from "../../../../home/workspace.js";
import type { DataPlace } from "../../../../storage/database.js";
import { scriptIn, startChild } from "../../../cli/support.js";
import { inEachHome, newHome } from "../../../fakes/homes.js";
import {
  callTool,
  folderOfTest,
  importServer,
  officialServer,
  program,
  toolsOf,
  workspaceOfTest,
} from "./support.js";

const SERVER = fileURLToPath(new URL("../../../fixtures/mcp/tasks.mjs", import.meta.url));

const NOT_MADE = { made: false };

const WAIT = { timeout: 20_000, interval: 20 };

/** A press that works until it is let finish, in a process of its own. */
async function pressing() {
  const log = join(folderOfTest(), "log.txt");
  writeFileSync(log, "");
  writeFileSync(`${log}.wait`, "");
  const start = async (port = "0") => {
    const server = spawn(process.execPath, [SERVER, log, port], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void server.kill("SIGKILL"));
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    return { url: String(line).trim(), server };
  };
  const { url, server } = await start();
  const noted = () => readFileSync(log, "utf8").split("\n");
  return {
    url,
    times: (what: string) => noted().filter((line) => line === what).length,
    isUnderWay: () => vi.waitFor(() => expect(noted()).toContain("asked after"), WAIT),
    letFinish: () => rmSync(`${log}.wait`),
    end: async () => {
      server.kill("SIGKILL");
      await once(server, "exit");
    },
    startAnew: async () => void (await start(new URL(url).port)),
  };
}

type Press = Awaited<ReturnType<typeof pressing>>;

function workspaceAt({ home, url }: DataPlace) {
  const workspace = openWorkspace({ home, database: url });
  onTestFinished(() => workspace.close());
  return workspace;
}

async function importPress({ url }: Press, place: DataPlace) {
  const workspace = workspaceAt(place);
  await importServer({ workspace, name: "press", settings: { url, headers: {} } });
  return { workspace, press: await pressIn(workspace) };
}

/** Calls the press, each time as the same call. */
async function pressIn(workspace: ReturnType<typeof workspaceAt>) {
  const tool = (await toolsOf(workspace, "press")).get("press.press");
  return (more: Partial<Parameters<typeof callTool>[0]> = {}) =>
    callTool({ workspace, tool, args: { sheets: 3 }, id: "c", ...more });
}

inEachHome("a call that its server makes as a task", (newPlace) => {
  it("may take longer than other calls, and goes on at another server", async () => {
    const server = await pressing();
    const place = await newPlace();
    const { workspace, press } = await importPress(server, place);
    const first = press({ timeoutMs: 500 });
    await server.isUnderWay();
    await sleep(600);
    await workspace.close();
    expect((await first).status).toBe("cancelled");
    const home = place.url === undefined ? place.home : newHome();
    const again = (await pressIn(workspaceAt({ ...place, home })))();
    server.letFinish();
    expect(await again).toMatchObject({ status: "done", result: "3 sheets" });
    expect(server.times("pressed 3")).toBe(1);
    expect(server.times("cancelled")).toBe(0);
  });

  it("is cancelled with its run", async () => {
    const server = await pressing();
    const { press } = await importPress(server, await newPlace());
    const stop = new AbortController();
    const call = press({ signal: stop.signal });
    await server.isUnderWay();
    stop.abort();
    expect((await call).error).toMatch(/may or may not have taken effect/);
    await vi.waitFor(() => expect(server.times("cancelled")).toBe(1), WAIT);
    expect((await press()).error).toMatch(/its task was cancelled; the call may or may not/);
    expect(server.times("pressed 3")).toBe(1);
  });

  it("is asked about if its server is away, or has forgotten it meanwhile", async () => {
    const server = await pressing();
    const place = await newPlace();
    const { workspace, press } = await importPress(server, place);
    const first = press();
    await server.isUnderWay();
    await workspace.close();
    await first;
    await server.end();
    const pressAgain = await pressIn(workspaceAt(place));
    const asked = { status: "input", input: [{ isOutcome: true, tool: "press" }] };
    expect(await pressAgain({ answers: [] })).toMatchObject(asked);
    await server.startAnew();
    const { input = [] } = await pressAgain({ answers: [] });
    expect({ input }).toMatchObject({ input: asked.input });
    const answers = input.map(({ id }) => ({ id, action: "accept" as const, content: NOT_MADE }));
    server.letFinish();
    expect(await pressAgain({ answers })).toMatchObject({ status: "done", result: "3 sheets" });
    expect(server.times("pressed 3")).toBe(2);
  });
});

describe("a run whose process is killed during a task", () => {
  it("gets its result when it is resumed, and asks nobody", async () => {
    const server = await pressing();
    const folder = folderOfTest();
    const code = "const done = await press.press({ sheets: 3 });\nreturn `Pressed ${done}.`;";
    const script = { subtasks: [], searches: [], act: [], program: code };
    const env = { TULIPGRAPH_HOME: join(folder, "home"), ...scriptIn(folder, script) };
    const start = (...argv: string[]) => startChild({ argv, env });
    await start("tools", "import", "mcp", "press", "--url", server.url).ended;
    const options = ["--library", "press", "--set", "threshold=4", "--set", "approval=none"];
    const run = ["--graph", "tulip", "--model", "fake:child", "--thread", "job"];
    const child = start("solve", "Press three sheets", ...options, ...run);
    await server.isUnderWay();
    child.process.kill("SIGKILL");
    await child.ended;
    server.letFinish();
    const { code: exit, stdout } = await start("resume", "job", "--json").ended;
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved", answer: "Pressed 3 sheets." });
    expect(server.times("pressed 3")).toBe(1);
  }, 60_000);
});

describe("the official server with all features", () => {
  it("asks a person in the middle of a task, which then goes on", async () => {
    const workspace = workspaceOfTest();
    const settings = program(officialServer("everything"));
    await importServer({ workspace, name: "all", settings });
    const tool = (await toolsOf(workspace, "all")).get("all.simulate-research-query");
    const args = { topic: "python", ambiguous: true };
    const call = { workspace, tool, args, id: "c", timeoutMs: 60_000 };
    const { status, input = [] } = await callTool({ ...call, answers: [] });
    expect({ status, asked: input.length }).toEqual({ status: "input", asked: 1 });
    const content = { interpretation: "snake" };
    const answers = input.map(({ id }) => ({ id, action: "accept" as const, content }));
    const { result } = await callTool({ ...call, answers });
    expect(result).toContain("snake");
  }, 60_000);
});
