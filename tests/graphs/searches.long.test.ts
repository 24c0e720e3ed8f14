import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GRAPH_IDS, type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { LOCAL_EMBEDDINGS, OFFLINE_MODEL, type SettingsInput } from "../../state/settings.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

/** What tests/fixtures/countedStore.mjs notes: the library of each search that a vector store was asked for. */
declare global {
  var searchedLibraries: string[] | undefined;
}

/** Graphs that do not search, as they were published. */
const WITHOUT_SEARCH: Partial<Record<GraphId, string>> = {
  base: "it has no tools",
  naive_tool: "it is given all tools",
  cot_tool: "it is given all tools",
  tptu_base: "it is given all tools",
  tptu_demos: "it is given all tools",
};

const graphs = await allGraphs();

beforeAll(importTestLibrary);
beforeEach(() => {
  globalThis.searchedLibraries = [];
  vi.stubEnv("TULIPGRAPH_VECTOR_STORE", "tests/fixtures/countedStore.mjs");
});
afterEach(() => vi.unstubAllEnvs());
afterAll(closeWorkspaces);

async function searchesOf(
  id: GraphId,
  settings: SettingsInput,
  request = "What is 12.5 times 4?",
): Promise<string[]> {
  const context = { embeddings: TEST_LIBRARY.embeddings, model: OFFLINE_MODEL, ...settings };
  const { status } = await graphs[id].graph.invoke(
    { request },
    { context, configurable: { thread_id: id } },
  );
  expect(status).not.toBe("error");
  return globalThis.searchedLibraries ?? [];
}

describe("a run over a library of many tools", () => {
  it.each(GRAPH_IDS.filter((id) => !(id in WITHOUT_SEARCH)))(
    "asks the vector store of its library in %s",
    async (id) => {
      const searched = await searchesOf(id, { library: "math" });
      expect(new Set(searched)).toEqual(new Set(["math"]));
    },
  );

  it.each(Object.entries(WITHOUT_SEARCH))(
    "asks no vector store in %s, because %s",
    async (id, _reason) => {
      expect(await searchesOf(id as GraphId, { library: "math" })).toEqual([]);
    },
  );
});

describe("a run of the default graph", () => {
  it("asks no vector store where tools are ranked by words alone", async () => {
    expect(await searchesOf("tulip", { library: "math", ranking: "words" })).toEqual([]);
  });

  it("asks no vector store about a library so small that the model is shown all of it", async () => {
    const library = TEST_LIBRARY.library;
    expect(await searchesOf("tulip", { library }, "Double the number 21")).toEqual([]);
  });

  it("asks FAISS about the default library, and keeps what it has searched beside the library", async () => {
    vi.stubEnv("TULIPGRAPH_VECTOR_STORE", "");
    const indexes = join(openWorkspace().home, "indexes");
    rmSync(indexes, { recursive: true, force: true });
    await searchesOf("tulip", { library: "math", embeddings: LOCAL_EMBEDDINGS });
    const saved = readdirSync(indexes, { recursive: true });
    expect(saved).toContainEqual(
      expect.stringMatching(/-math.local-sentence-encoder-[0-9a-f]{8}-512.faiss\.index$/),
    );
  });
});
