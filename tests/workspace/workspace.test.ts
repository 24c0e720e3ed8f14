import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces, defaultHome, openWorkspace } from "../../workspace/workspace.js";
// Registers the embeddings of TEST_LIBRARY.
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-resources-"));
});
afterEach(async () => {
  await closeWorkspaces();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("the resources of a home", () => {
  it("are opened once, however the home is written", () => {
    const home = join(folder, "home");
    const resources = openWorkspace({ home });
    expect(openWorkspace({ home })).toBe(resources);
    expect(openWorkspace({ home: relative(process.cwd(), home) })).toBe(resources);
    expect(resources.home).toBe(home);
  });

  it("are others for each home", () => {
    const one = openWorkspace({ home: join(folder, "one") });
    expect(openWorkspace({ home: join(folder, "two") })).not.toBe(one);
  });

  it("open the checkpoints at their first use, once", () => {
    const resources = openWorkspace({ home: folder });
    expect(existsSync(join(folder, "checkpoints.db"))).toBe(false);
    expect(resources.checkpoints()).toBe(resources.checkpoints());
    expect(existsSync(join(folder, "checkpoints.db"))).toBe(true);
  });

  it("are all closed together, and opened anew after that", async () => {
    const homes = ["one", "two"].map((name) => join(folder, name));
    const opened = homes.map((home) => openWorkspace({ home }));
    const threads = opened.map((resources) => resources.checkpoints().threads);
    await closeWorkspaces();
    for (const { store } of opened) expect(() => store.names()).toThrow(/its store is closed/);
    for (const table of threads) expect(() => table.list()).toThrow(/not open/);
    const [home] = homes;
    const again = openWorkspace({ home });
    expect(opened).not.toContain(again);
    expect(again.store.names()).toEqual([]);
  });

  it("can be closed one by one, and twice", async () => {
    const resources = openWorkspace({ home: folder });
    await resources.close();
    expect(openWorkspace({ home: folder })).not.toBe(resources);
    await closeWorkspaces();
    await closeWorkspaces();
  });
});

describe("a library", () => {
  it("is read once for runs that begin at the same time, and is one handle for all", async () => {
    const { library } = openWorkspace({ home: folder });
    const told: unknown[] = [];
    const context = { library: "math", embeddings: TEST_LIBRARY.embeddings };
    const [first, second] = await Promise.all([
      library(context, (problems) => told.push(problems)),
      library(context, (problems) => told.push(problems)),
    ]);
    expect(second).toBe(first);
    expect(first?.revision).toBe(1);
    expect(await library(context)).toBe(first);
    expect(told).toEqual([]);
  });

  it("that cannot be opened is tried again the next time", async () => {
    const { library } = openWorkspace({ home: folder });
    const context = { library: "nope", embeddings: TEST_LIBRARY.embeddings };
    await expect(library(context)).rejects.toThrow(/unknown library/);
    await expect(library(context)).rejects.toThrow(/unknown library/);
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
