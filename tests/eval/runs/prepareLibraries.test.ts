import { describe, expect, it } from "vitest";
import { callResult, pricedBenchmark } from "../../../eval/benchmarks/priced/index.js";
import { makeWorld, WORLD_PARAMETERS } from "../../../eval/benchmarks/priced/pricedWorld.js";
import type { ExperimentDefinition } from "../../../eval/runs/experiment.js";
import { localRunner } from "../../../eval/runs/localRunner.js";
import { bestCatalog, prepareLibraries } from "../../../eval/runs/prepareLibraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { experimentWith, taskNamed } from "./support.js";

const world = makeWorld({ ...WORLD_PARAMETERS, testRequests: 8, trainingRequests: 30 });
const benchmark = pricedBenchmark(world);
openWorkspace({ worlds: benchmark.ownWorlds });

function definitionWith(changes: Partial<ExperimentDefinition> = {}): ExperimentDefinition {
  const { embeddings } = TEST_LIBRARY;
  return experimentWith({ settings: { embeddings }, ...changes }).definition;
}

/** Settings of the tasks of the benchmark, once its library is made. */
async function preparedSettings(changes: Partial<ExperimentDefinition> = {}) {
  const definition = definitionWith(changes);
  const { settingsOf } = await prepareLibraries({ benchmark, definition });
  return benchmark.tasks.map((task) => ({
    task,
    settings: settingsOf(task, definition.settings),
  }));
}

describe("a generated benchmark whose tools are declared", () => {
  it("becomes a library with prices and the world that answers", async () => {
    const [first] = await preparedSettings();
    expect(first?.settings["library"]).toBe("priced");
    const library = await openWorkspace().library({ ...TEST_LIBRARY, library: "priced" });
    expect(library.size).toBe(world.tools.size);
    for (const { id, cost, source, effects } of library.list()) {
      expect(cost).toBe(world.tools.get(id)?.cost);
      expect(source).toMatchObject({ kind: "declared", world: "priced" });
      expect(effects).toBe("read");
    }
  });

  it("offers a task its candidates alone, or among as many others as are asked for", async () => {
    for (const { task, settings } of await preparedSettings()) {
      const offered = settings["toolIds"] as string[];
      expect(offered.toSorted()).toEqual(task.candidates?.toSorted());
    }
    for (const { task, settings } of await preparedSettings({ others: 3 })) {
      expect(settings["toolIds"]).toHaveLength((task.candidates ?? []).length + 3);
    }
  });

  it("is remembered once, however often its experiment is started", async () => {
    await preparedSettings();
    const before = await (await openWorkspace().experience()).stats({ library: "priced" });
    await preparedSettings();
    expect(await (await openWorkspace().experience()).stats({ library: "priced" })).toEqual(before);
    expect(before.queries).toBe(30);
    expect(before.helpful).toBeGreaterThan(0);
    expect(before.unjudged).toBe(0);
  });
});

describe("a benchmark some of whose tools have functions in a catalog", () => {
  it("becomes a library of its own tools alone, with these functions", async () => {
    const source = { kind: "declared" as const, file: "tools.jsonl" };
    const tools = ["multiply", "GET /x"].map((id) => ({
      id,
      name: id,
      description: `Declared ${id}.`,
      parameters: { type: "object" as const, properties: {} },
      source,
      effects: "read" as const,
    }));
    const folder = { name: "bench", source: "", hash: "", tools, toolsFile: "tools.jsonl" };
    const { settingsOf } = await prepareLibraries({
      benchmark: { ...folder, argumentRule: "equal", tasks: [taskNamed("one")] },
      definition: definitionWith({ catalog: "math" }),
    });
    const { embeddings } = TEST_LIBRARY;
    expect(settingsOf(taskNamed("one"), { embeddings })).toEqual({ embeddings, library: "bench" });
    const library = await openWorkspace().library({ library: "bench", embeddings });
    const kinds = library.list().map(({ id, source: { kind } }) => [id, kind]);
    expect(kinds).toEqual([
      ["multiply", "function"],
      ["GET /x", "declared"],
    ]);
  });

  it("takes the functions of the catalog that has most of them, if any", async () => {
    expect(await bestCatalog(["multiply", "GET /x", "median"])).toBe("math");
    expect(await bestCatalog(["GET /x", "toString"])).toBeUndefined();
    expect(await bestCatalog([])).toBeUndefined();
  });
});

describe("a run of the benchmark of budgets", () => {
  it("is answered by the world: what calls cost, take and tell is the world's own", async () => {
    const prepared = await preparedSettings();
    for (const { task, settings } of prepared.slice(0, 3)) {
      const { values, failure } = await localRunner().run({
        graph: "react",
        threadKey: task.id,
        request: task.query,
        settings: { ...settings, model: "simulated:policy", seed: 1 },
        signal: new AbortController().signal,
      });
      expect(failure).toBeUndefined();
      const request = world.requests.find(({ id }) => id === task.id);
      const made = new Map<string, number>();
      expect(values.calls).not.toEqual([]);
      for (const call of values.calls ?? []) {
        const tool = world.tools.get(call.tool);
        if (!request || !tool) throw new Error("unknown request or tool");
        const earlier = made.get(tool.id) ?? 0;
        made.set(tool.id, earlier + 1);
        const { text, failed, ms } = callResult({ world, request, tool, earlier });
        expect(call).toMatchObject({ cost: tool.cost, ms, [failed ? "error" : "result"]: text });
      }
    }
  });
});
