import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { InvalidSetting, LibraryFailed, UnknownName } from "../../../common/errors.js";
import { openDatabase, StorageFailed } from "../../../storage/sqlite/sqlite.js";
import { LIBRARY_MIGRATIONS } from "../../../tools/library/records/schema.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { tool, workshop } from "./support.js";

const shop = workshop();
afterEach(shop.clear);

const REQUEST = { embeddings: wordEmbeddings(), embeddingModel: "fake:words" };

describe("a store", () => {
  it("holds many libraries, each with its own tools, in one file", async () => {
    const home = shop.newHome();
    const store = await shop.openStore(home);
    const math = await store.open({ ...REQUEST, name: "math", description: "Sums.", create: true });
    const office = await store.open({ ...REQUEST, name: "Office.v2_x-1", create: true });
    await math.sync({ origin: "tools.ts", fingerprint: "1", tools: [tool("add"), tool("divide")] });
    await office.sync({ origin: "tools.ts", fingerprint: "2", tools: [tool("add")] });

    expect(await store.names()).toEqual(["Office.v2_x-1", "math"]);
    expect(await store.describe("math")).toEqual({
      name: "math",
      description: "Sums.",
      revision: 1,
      size: 2,
      adapters: [],
    });
    expect(await store.describe("office")).toBeUndefined();
    expect(readdirSync(home).filter((file) => file.endsWith(".db"))).toEqual(["libraries.db"]);
    expect(office.origins()).toEqual([{ origin: "tools.ts", fingerprint: "2" }]);
  });

  it("says which libraries there are when one is unknown", async () => {
    const store = await shop.openStore();
    await store.open({ ...REQUEST, name: "math", create: true });
    const opening = () => store.open({ ...REQUEST, name: "maths" });
    await expect(opening()).rejects.toThrow(UnknownName);
    await expect(opening()).rejects.toThrow(
      'unknown library "maths"; did you mean "math"?; available: math',
    );
    await expect(store.delete("maths")).rejects.toThrow(UnknownName);
  });

  it("refuses names that no library can have", async () => {
    const store = await shop.openStore();
    for (const name of ["", "a b", "a/b", "ä", "x".repeat(65)]) {
      await expect(store.open({ ...REQUEST, name, create: true })).rejects.toThrow(InvalidSetting);
    }
    expect(await store.names()).toEqual([]);
  });

  it("opens a file of an older version and refuses one of a newer", async () => {
    const home = shop.newHome();
    const file = join(home, "libraries.db");
    writeFileSync(file, "");
    expect(await (await shop.openStore(home)).names()).toEqual([]);
    await shop.clear();

    const newer = shop.newHome();
    const migrations = [...LIBRARY_MIGRATIONS, ["CREATE TABLE later (x)"]];
    openDatabase({ file: join(newer, "libraries.db"), migrations }).close();
    await expect(shop.openStore(newer)).rejects.toThrow(StorageFailed);
  });
});

describe("deleting a library", () => {
  it("removes its tools, history, vectors and indexes, and leaves the others", async () => {
    const home = shop.newHome();
    const store = await shop.openStore(home);
    for (const name of ["math", "..", "other"]) {
      const library = await store.open({ ...REQUEST, name, create: true });
      await library.sync({ origin: "o", fingerprint: "1", tools: [tool("add")] });
      await library.search({ phrases: ["add"], topK: 1 });
    }
    await store.delete("math");
    await store.delete("..");
    expect(await store.names()).toEqual(["other"]);
    expect(readdirSync(join(home, "indexes"))).toEqual(["3-other"]);

    const database = openDatabase({
      file: join(home, "libraries.db"),
      migrations: LIBRARY_MIGRATIONS,
    });
    for (const table of ["libraries", "origins", "tools", "versions", "vectors"]) {
      const rows = database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
      expect([table, rows]).toEqual([table, 1]);
    }
    database.close();
  });

  it("ends its handles; a new library of the same name is another one", async () => {
    const store = await shop.openStore();
    const old = await store.open({ ...REQUEST, name: "math", create: true });
    await old.sync({ origin: "o", fingerprint: "1", tools: [tool("add")] });
    await old.search({ phrases: ["add"], topK: 1 });
    await store.delete("math");
    const young = await store.open({ ...REQUEST, name: "math", create: true });
    expect(() => old.list()).toThrow(UnknownName);
    await expect(old.search({ phrases: ["add"], topK: 1 })).rejects.toThrow(UnknownName);

    await young.sync({ origin: "o", fingerprint: "1", tools: [tool("divide")] });
    const { results } = await young.search({ phrases: ["add"], topK: 9 });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(["divide"]);
    expect(young.history("add")).toEqual([]);
  });
});

describe("a closed store", () => {
  it("fails and says what to do, as do the libraries opened from it", async () => {
    const store = await shop.openStore();
    const library = await store.open({ ...REQUEST, name: "math", create: true });
    await store.close();
    await store.close();
    for (const use of [
      () => store.names(),
      () => store.describe("math"),
      () => store.open({ ...REQUEST, name: "math" }),
      async () => library.list(),
      async () => library.get("add"),
      async () => library.size,
      async () => library.revision,
      async () => library.history("add"),
    ]) {
      await expect(use()).rejects.toThrow(LibraryFailed);
      await expect(use()).rejects.toThrow("its store is closed. Open the store again");
    }
    await expect(library.search({ phrases: ["add"], topK: 1 })).rejects.toThrow(LibraryFailed);
    await expect(library.remove(["add"])).rejects.toThrow(LibraryFailed);
    expect(library.name).toBe("math");
  });

  it("makes a running sync fail and stores nothing", async () => {
    const home = shop.newHome();
    const embeddings = wordEmbeddings();
    const store = await shop.openStore(home);
    const library = await store.open({ ...REQUEST, embeddings, name: "math", create: true });
    const works = embeddings.embedDocuments.bind(embeddings);
    embeddings.embedDocuments = async (texts) => {
      await store.close();
      return await works(texts);
    };
    const syncing = library.sync({ origin: "o", fingerprint: "1", tools: [tool("add")] });
    await expect(syncing).rejects.toThrow("its store is closed");
    expect(await (await shop.openStore(home)).describe("math")).toMatchObject({
      revision: 0,
      size: 0,
    });
    expect(existsSync(join(home, "indexes"))).toBe(false);
  });
});
