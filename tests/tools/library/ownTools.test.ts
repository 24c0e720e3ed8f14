import { afterEach, describe, expect, it } from "vitest";
import { LibraryFailed, UnknownName } from "../../../common/errors.js";
import { GENERATED_ORIGIN } from "../../../tools/library/records/edits.js";
import type { LibraryStore } from "../../../tools/library/store.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { inEachHome } from "../../fakes/homes.js";
import { generated, note, tool, workshop } from "./support.js";

const embeddings = wordEmbeddings();
const PERSON = note("worth keeping", { by: "person" });

function openIn(store: LibraryStore, thread?: string) {
  return store.open({
    name: "math",
    embeddings,
    embeddingModel: "fake:words",
    create: true,
    ...(thread === undefined ? {} : { thread }),
  });
}

const make = (id: string, details = {}) => ({
  tool: generated(id, details),
  basedOn: null,
  note: note(`make ${id}`),
});

async function found(store: LibraryStore, phrase: string, thread?: string, more = {}) {
  const question = { phrases: [phrase], topK: 5, ...more };
  const { results } = await (await openIn(store, thread)).search(question);
  return results.flatMap(({ hits }) => hits.map(({ id }) => id));
}

inEachHome("tools of threads", (newPlace) => {
  const { newHome, openStore, clear } = workshop(newPlace);
  afterEach(clear);

  async function libraryWith(...ids: string[]) {
    const home = newHome();
    const store = await openStore(home);
    const tools = ids.map((id) => tool(id));
    await (await openIn(store)).sync({ origin: "tools.ts", fingerprint: "1", tools });
    return { home, store };
  }

  describe("the tools that a thread makes", () => {
    it("are seen by the thread, in later processes too, and by nobody else", async () => {
      const { home, store } = await libraryWith("add");
      await (await openIn(store, "one/ä")).put(make("halve"));
      for (const each of [store, await openStore(home)]) {
        expect((await openIn(each, "one/ä")).list().map(({ id }) => id)).toEqual(["add", "halve"]);
        expect((await openIn(each, "one/ä")).size).toBe(2);
        expect((await openIn(each, "one/ä")).groups().functionsIn("")).toEqual(["add", "halve"]);
        expect(await found(each, "does what halve does", "one/ä")).toEqual(["halve", "add"]);
        for (const thread of [undefined, "two"]) {
          expect((await openIn(each, thread)).get("halve")).toBeUndefined();
          expect((await openIn(each, thread)).size).toBe(1);
          expect((await openIn(each, thread)).groups().functionsIn("")).toEqual(["add"]);
          expect(await found(each, "does what halve does", thread)).toEqual(["add"]);
        }
        expect(await each.names()).toEqual(["math"]);
        expect(await each.made()).toEqual([{ library: "math", thread: "one/ä", tools: ["halve"] }]);
      }
    });

    it("are found by their words, too, even if a run is restricted to some tools of the library", async () => {
      const { store } = await libraryWith("add", "drop");
      await (await openIn(store, "one")).put(make("mean"));
      const held = { within: ["drop"], lexical: true };
      expect(await found(store, "mean", "one", held)).toEqual(["mean", "drop"]);
      expect(await found(store, "mean", "one", { ...held, topK: 1 })).toEqual(["mean"]);
    });

    it("may be changed and deleted; those of the library may not", async () => {
      const { store } = await libraryWith("add");
      await (await openIn(store)).put(make("shared"));
      const own = await openIn(store, "one");
      await own.put(make("mean"));
      const editable = ["add", "shared", "mean", "none"].filter((id) => own.isEditable(id));
      expect(editable).toEqual(["mean"]);
      expect((await openIn(store)).isEditable("shared")).toBe(true);
      for (const id of ["add", "shared"]) {
        await expect(own.put({ ...make(id), basedOn: 1 })).rejects.toThrow(LibraryFailed);
        await expect(own.discard({ id, basedOn: 1, note: PERSON })).rejects.toThrow(LibraryFailed);
      }
      const changed = { ...make("mean", { description: "Another." }), basedOn: 1 };
      expect(await own.put(changed)).toMatchObject({ version: 2 });
      await own.discard({ id: "mean", basedOn: 2, note: PERSON });
      expect(own.history("mean").map(({ version, removed }) => removed ?? version)).toEqual([
        1,
        2,
        true,
      ]);
      expect(await store.made()).toEqual([]);
    });

    it("hide a tool with their name that the library gets later", async () => {
      const { store } = await libraryWith("add");
      await (await openIn(store, "one")).put(make("mean"));
      const tools = [tool("add"), tool("mean", { description: "Of the library." })];
      await (await openIn(store)).sync({ origin: "tools.ts", fingerprint: "2", tools });
      const own = await openIn(store, "one");
      expect(own.get("mean")?.source.kind).toBe("generated");
      expect(own.list().map(({ id }) => id)).toEqual(["add", "mean"]);
      expect(await found(store, "mean", "one")).toEqual(["mean", "add"]);
    });

    it("are deleted with the library", async () => {
      const { store } = await libraryWith("add");
      await (await openIn(store, "one")).put(make("mean"));
      await store.delete("math");
      expect([await store.names(), await store.made()]).toEqual([[], []]);
    });
  });

  describe("a tool that is promoted", () => {
    it("is the library's with its versions, and the thread sees it there", async () => {
      const { store } = await libraryWith("add");
      const own = await openIn(store, "one");
      await own.put(make("mean"));
      await own.put({ ...make("mean", { description: "Arithmetic mean." }), basedOn: 1 });
      const history = own.history("mean");
      // Searched before, so that an open index has to see the change.
      expect(await found(store, "arithmetic mean")).toEqual(["add"]);
      const promoted = await store.promote({
        library: "math",
        thread: "one",
        id: "mean",
        note: PERSON,
      });
      expect(promoted).toMatchObject({ id: "mean", version: 2, description: "Arithmetic mean." });
      const library = await openIn(store);
      expect(library.history("mean")).toEqual(history);
      expect(library.origins().map(({ origin }) => origin)).toContain(GENERATED_ORIGIN);
      expect(await found(store, "arithmetic mean")).toEqual(["mean", "add"]);
      expect(own.list().map(({ id }) => id)).toEqual(["add", "mean"]);
      expect(await found(store, "arithmetic mean", "one")).toEqual(["mean", "add"]);
      expect(own.isEditable("mean")).toBe(false);
      expect(await store.made()).toEqual([]);
    });

    it("is refused if its name is taken, or what it calls is missing", async () => {
      const { store } = await libraryWith("add");
      const own = await openIn(store, "one");
      await own.put(make("mean"));
      await own.put(make("outer", { calls: ["mean"] }));
      await (await openIn(store)).put(make("taken"));
      await (await openIn(store, "two")).put(make("mean"));
      await store.promote({ library: "math", thread: "two", id: "mean", note: PERSON });
      const promote = (id: string) => () =>
        store.promote({ library: "math", thread: "one", id, note: PERSON });
      await expect(promote("mean")()).rejects.toThrow(/has a tool "mean" already/);
      await expect(promote("none")()).rejects.toThrow(UnknownName);
      expect(own.get("mean")).toBeDefined();
      await (await openIn(store)).remove(["mean"]);
      await expect(promote("outer")()).rejects.toThrow(/calls mean, which it lacks/);
      await promote("mean")();
      expect(await promote("outer")()).toMatchObject({ version: 1 });
    });
  });
});
