import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { importTools } from "../../home/libraries.js";
import { openWorkspace, type Workspace } from "../../home/workspace.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { copyFetched } from "../../tools/library/records/copyFetched.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { syncConnected } from "../../home/connectedSources.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { generated, note, tool } from "../tools/library/support.js";

const TOOLS = resolve("tests/fixtures/library/tools.ts");

/** The workspaces of two homes, as of two machines, which have a database in common. */
async function twoHomes(): Promise<{ here: Workspace; there: Workspace }> {
  const database = await newDatabase();
  const [here, there] = [newHome(), newHome()].map((home) => openWorkspace({ home, database }));
  if (!here || !there) throw new Error("there are two homes");
  onTestFinished(async () => {
    await here.close();
    await there.close();
  });
  return { here, there };
}

/** A library as a workspace has it now. */
async function libraryIn({ store }: Workspace, thread?: string) {
  store.refresh();
  const { embeddings } = TEST_LIBRARY;
  return await store.open({
    name: "tools",
    embeddings: await openEmbeddings(embeddings),
    embeddingModel: embeddings,
    create: true,
    ...(thread === undefined ? {} : { thread }),
  });
}

async function found(workspace: Workspace, phrase: string): Promise<string[]> {
  const library = await libraryIn(workspace);
  const { results } = await library.search({ phrases: [phrase], topK: 9 });
  return results.flatMap(({ hits }) => hits.map(({ id }) => id));
}

const PERSON = note("worth it", { by: "person" });

describe.skipIf(!hasPostgres)("two homes of one database", () => {
  it("share the versions of a tool, of which each makes the next one", async () => {
    const { here, there } = await twoHomes();
    const put = async (workspace: Workspace, description: string, basedOn: number | null) =>
      await (
        await libraryIn(workspace)
      ).put({ tool: generated("root", { description }), basedOn, note: PERSON });
    await put(here, "First.", null);
    expect(await put(there, "Second.", 1)).toMatchObject({ version: 2 });
    await expect(put(here, "Late.", 1)).rejects.toThrow(/version 2/);
    const [first] = (await libraryIn(here)).history("root");
    expect(first?.record).toMatchObject({ description: "First." });
    expect(await put(here, "First.", 2)).toMatchObject({ version: 3 });
    expect((await libraryIn(there)).history("root").map(({ version }) => version)).toEqual([
      1, 2, 3,
    ]);
    expect((await libraryIn(there)).get("root")?.description).toBe("First.");
  });

  it("find in their indexes what the other has added, changed and removed", async () => {
    const { here, there } = await twoHomes();
    const source = { origin: "a.ts", fingerprint: "1" };
    const many = Array.from({ length: 30 }, (_, at) => tool(`tool${at}`));
    await (await libraryIn(here)).sync({ ...source, tools: [...many, tool("halve")] });
    expect((await found(there, "does what halve does"))[0]).toBe("halve");
    const changed = tool("halve", { description: "Paints a fence green." });
    await (await libraryIn(here)).sync({ ...source, tools: [...many, changed, tool("mean")] });
    expect((await found(there, "paints a fence green"))[0]).toBe("halve");
    expect((await found(there, "does what mean does"))[0]).toBe("mean");
    await (await libraryIn(there)).remove(["halve"]);
    expect(await found(here, "paints a fence green")).not.toContain("halve");
    expect((await libraryIn(here)).size).toBe(31);
  });

  it("see what a thread has made on the other, which may promote it", async () => {
    const { here, there } = await twoHomes();
    const own = await libraryIn(here, "one");
    await own.put({ tool: generated("mean"), basedOn: null, note: PERSON });
    expect((await libraryIn(there)).get("mean")).toBeUndefined();
    expect((await libraryIn(there, "one")).get("mean")).toBeDefined();
    await there.store.promote({ library: "tools", thread: "one", id: "mean", note: PERSON });
    expect(await found(here, "does what mean does")).toEqual(["mean"]);
    expect(await here.store.made()).toEqual([]);
  });

  it("hold a connected source to what was accepted on the other", async () => {
    const { here, there } = await twoHomes();
    const context = { library: "mine", embeddings: TEST_LIBRARY.embeddings };
    const list = async ({ store }: Workspace, description: string) => {
      store.refresh();
      const listed: ToolDefinition = {
        id: "files.read",
        name: "read",
        description,
        parameters: { type: "object", properties: {} },
        source: { kind: "mcp", file: "mcp:files", server: "files", tool: "read" },
        effects: "read",
      };
      return await syncConnected({
        store,
        settings: context,
        source: { name: "files", kind: "mcp", settings: {} },
        listing: { tools: [listed], problems: [] },
      });
    };
    expect(await list(here, "Reads.")).toMatchObject({ added: ["files.read"], withheld: [] });
    expect(await list(there, "Reads, and sends it away.")).toMatchObject({
      withheld: ["files.read"],
    });
    here.store.refresh();
    expect(await here.store.sources.get("files")).toMatchObject({ kind: "mcp" });
    await there.store.delete("mine");
    here.store.refresh();
    expect(await here.store.names()).not.toContain("mine");
  });

  it("can be copied into files, with what threads have made and with the vectors", async () => {
    const { here, there } = await twoHomes();
    await (
      await libraryIn(here)
    ).sync({ origin: "a.ts", fingerprint: "1", tools: [tool("halve")] });
    const other = { ...TEST_LIBRARY, library: "other" };
    await importTools({ store: here.store, settings: other, file: TOOLS });
    const own = await libraryIn(there, "one");
    await own.put({ tool: generated("mean"), basedOn: null, note: PERSON });
    await here.store.sources.put({ name: "files", kind: "mcp", settings: {} });
    const home = newHome();
    await copyFetched({ place: there.place, to: join(home, "libraries.db") });
    const copy = openWorkspace({ home });
    onTestFinished(() => copy.close());
    expect(await copy.store.names()).toEqual(["other", "tools"]);
    expect(await copy.store.sources.get("files")).toMatchObject({ kind: "mcp" });
    const library = await libraryIn(copy, "one");
    const { results, embeddingTokens } = await library.search({
      phrases: ["halve", "mean"],
      topK: 2,
    });
    expect(results.map(({ hits }) => hits[0]?.id)).toEqual(["halve", "mean"]);
    expect(embeddingTokens).toBeLessThan(5);
    expect(library.history("mean")).toHaveLength(1);
  });
});
