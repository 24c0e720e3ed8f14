import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemorySaver } from "@langchain/langgraph";
import { type AgentGraph, compileGraph } from "../../graphs/compile.js";
import { loadGraph } from "../../graphs/index.js";
import { importTools } from "../../home/libraries.js";
import { closeWorkspaces, defaultHome, openWorkspace } from "../../home/workspace.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
// Registers the embeddings of TEST_LIBRARY.
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-workspace-"));
});
afterEach(async () => {
  await closeWorkspaces();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("the workspaces of homes", () => {
  it("are opened once, however the home's path is written", () => {
    const home = join(folder, "home");
    const workspace = openWorkspace({ home });
    expect(openWorkspace({ home })).toBe(workspace);
    expect(openWorkspace({ home: relative(process.cwd(), home) })).toBe(workspace);
    expect(workspace.home).toBe(home);
  });

  it("are all closed together, and opened again after that", async () => {
    const homes = ["one", "two"].map((name) => join(folder, name));
    const opened = homes.map((home) => openWorkspace({ home }));
    const threads = opened.map((workspace) => workspace.checkpoints().threads);
    await closeWorkspaces();
    for (const { store } of opened) {
      await expect(store.names()).rejects.toThrow(/its store is closed/);
    }
    for (const table of threads) await expect(table.list()).rejects.toThrow(/is closed/);
    const [home] = homes;
    const again = openWorkspace({ home });
    expect(opened).not.toContain(again);
    expect(await again.store.names()).toEqual([]);
  });
});

describe("the workspace of a graph", () => {
  it("is the one that the graph was compiled with, else that of the home", async () => {
    const own = openWorkspace({ home: join(folder, "own") });
    const file = resolve("tests/fixtures/library/tools.ts");
    await importTools({ store: own.store, settings: TEST_LIBRARY, file });
    const { wiring } = await loadGraph("minimal_tulip");
    const calls = [{ name: "double_number", args: { value: 21 } }];
    const { spec: model } = scriptedModel([{ calls }, { stop: "It is 42." }]);
    const run = (graph: AgentGraph) =>
      graph.invoke(
        { request: "Double the number 21" },
        { context: { ...TEST_LIBRARY, model }, configurable: { thread_id: "one" } },
      );
    const options = { name: "minimal_tulip", checkpointer: new MemorySaver() };
    const { answer } = await run(compileGraph(wiring, { ...options, workspace: own }));
    expect(answer).toBe("It is 42.");
    await expect(run(compileGraph(wiring, options))).rejects.toThrow(/unknown library "test"/);
  });
});

describe("the home by default", () => {
  it("is the folder in TULIPGRAPH_HOME, and else .tulipgraph where the program was started", () => {
    vi.stubEnv("TULIPGRAPH_HOME", "some/where");
    expect(defaultHome()).toBe(resolve("some/where"));
    for (const unset of ["", undefined]) {
      vi.stubEnv("TULIPGRAPH_HOME", unset);
      expect(defaultHome()).toBe(resolve(".tulipgraph"));
    }
  });
});
