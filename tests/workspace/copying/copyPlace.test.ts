import { describe, expect, it } from "vitest";
import { SERVER_MIGRATIONS } from "../../../server/schema.js";
import type { DataPlace } from "../../../storage/database.js";
import { copyPlace } from "../../../workspace/copying/copyPlace.js";
import {
  isOtherVersion,
  migratePlace,
  placeStatus,
} from "../../../workspace/copying/placeStatus.js";
import { STORES, type StoreForm } from "../../../workspace/copying/stores.js";
import { openWorkspace } from "../../../workspace/workspace.js";
import { hasPostgres, inEachHome, newDatabase, newHome } from "../../fakes/homes.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { pastCalls } from "../../memory/support.js";
import { generated, note } from "../../tools/library/support.js";

const stores: StoreForm[] = [
  ...STORES,
  { name: "server", kind: "tables", migrations: SERVER_MIGRATIONS },
];

const open = ({ home, url }: DataPlace) => openWorkspace({ home, database: url });

async function fill(place: DataPlace): Promise<void> {
  const workspace = open(place);
  const library = await openTools(workspace);
  await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
  await library.put({ tool: generated("power"), basedOn: null, note: note("second") });
  await library.remove(["power"]);
  await workspace.experience().add(pastCalls({}, { tool: "times" }));
  const { saver, threads } = workspace.checkpoints();
  await threads.put({ id: "t", graph: "base", settings: {}, request: "Sum?", status: "solved" });
  const at = { configurable: { thread_id: "t", checkpoint_ns: "" } };
  const checkpoint = {
    v: 4,
    id: "1ef4f797-8335-6428-8001-8a1503f9b875",
    ts: "2026-01-01T00:00:00.000Z",
    // Nothing was written to the last one, which a database therefore does not keep.
    channel_values: { request: "Sum?", calls: [{ tool: "root" }], answer: "" },
    channel_versions: { request: 1, calls: 2 },
    versions_seen: {},
  };
  const saved = await saver.put(
    at,
    checkpoint,
    { source: "input", step: -1, parents: {} },
    checkpoint.channel_versions,
  );
  await saver.putWrites(
    saved,
    [
      ["calls", [1]],
      ["answer", "x"],
    ],
    "2dd4f797-8335-6428-8001-8a1503f9b875",
  );
  await workspace.close();
}

function openTools({ store }: ReturnType<typeof open>) {
  const embeddings = wordEmbeddings();
  return store.open({ name: "tools", embeddings, embeddingModel: "fake:words", create: true });
}

describe.skipIf(!hasPostgres)("copying a place", () => {
  it("copies everything from files to a database and back, and compares it", async () => {
    const from = { home: newHome() };
    await fill(from);
    const to = { home: newHome(), url: await newDatabase() };
    const copied = await copyPlace({ stores, from, to });
    expect(copied.map(({ store }) => store)).toEqual(stores.map(({ name }) => name));
    expect(copied[0]?.tables).toMatchObject({ libraries: 1, tools: 1, versions: 3 });
    const workspace = open(to);
    const library = await openTools(workspace);
    const { results } = await library.search({ phrases: ["root"], topK: 1 });
    expect(results[0]?.hits[0]?.id).toBe("root");
    expect(await workspace.experience().stats()).toMatchObject({ usages: 2, tools: 2 });
    const tuple = await workspace
      .checkpoints()
      .saver.getTuple({ configurable: { thread_id: "t" } });
    expect(tuple?.checkpoint.channel_values).toEqual({
      request: "Sum?",
      calls: [{ tool: "root" }],
    });
    expect(tuple?.pendingWrites).toHaveLength(2);
    // Numbers are not given twice.
    await library.put({ tool: generated("new"), basedOn: null, note: note("third") });
    await workspace.close();

    const back = { home: newHome() };
    await copyPlace({ stores, from: to, to: back });
    const again = open(back);
    expect((await openTools(again)).list().map(({ id }) => id)).toEqual(["root", "new"]);
    expect((await again.checkpoints().threads.list()).map(({ id }) => id)).toEqual(["t"]);
    await again.close();
  });

  it("refuses a source without data, before the target is emptied", async () => {
    const to = { home: newHome() };
    await fill(to);
    const copying = copyPlace({ stores, from: { home: newHome() }, to, replace: true });
    await expect(copying).rejects.toThrow(/there are no data to copy/);
    const [libraries] = await placeStatus({ stores, place: to });
    expect(libraries?.rows["tools"]).toBe(1);
  });

  it("refuses a target that is not empty, and shows no password", async () => {
    const from = { home: newHome() };
    await fill(from);
    const url = new URL(await newDatabase());
    url.password = "hidden";
    const to = { home: newHome(), url: url.href };
    await copyPlace({ stores, from, to });
    const again = copyPlace({ stores, from, to });
    await expect(again).rejects.toThrow(/--replace/);
    await expect(again).rejects.not.toThrow(/hidden/);
    await copyPlace({ stores, from, to, replace: true });
  });
});

inEachHome("the stores of a place", (newPlace) => {
  it("are to be migrated once", async () => {
    const place = await newPlace();
    expect((await placeStatus({ stores, place })).every(isOtherVersion)).toBe(true);
    await migratePlace({ stores, place });
    await migratePlace({ stores, place });
    expect((await placeStatus({ stores, place })).filter(isOtherVersion)).toEqual([]);
  });
});
