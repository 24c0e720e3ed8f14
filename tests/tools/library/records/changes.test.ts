import { afterEach, describe, expect, it } from "vitest";
import { LibraryFailed, UnknownName } from "../../../../common/errors.js";
import type { LibraryEditor } from "../../../../tools/library/library.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { inEachHome } from "../../../fakes/homes.js";
import { tool, workshop } from "../support.js";

function put(library: LibraryEditor, tools: ToolDefinition[], origin = "math.ts") {
  return library.sync({ origin, fingerprint: String(tools.length), tools });
}

const idsOf = (library: LibraryEditor) => library.list().map(({ id }) => id);

inEachHome("changes of a library", (newPlace) => {
  const shop = workshop(newPlace);
  afterEach(shop.clear);

  describe("a sync", () => {
    it("adds, updates and removes until the origin's tools are exactly the given ones", async () => {
      const library = await shop.openLibrary();
      await put(library, [tool("add"), tool("subtract"), tool("multiply")]);
      const done = await put(library, [
        tool("divide"),
        tool("multiply"),
        tool("add", { description: "Adds." }),
      ]);
      expect(done).toMatchObject({
        added: ["divide"],
        updated: ["add"],
        unchanged: ["multiply"],
        removed: ["subtract"],
        conflicts: [],
      });
      expect(library.list().map(({ id, version }) => [id, version])).toEqual([
        ["add", 2],
        ["multiply", 1],
        ["divide", 1],
      ]);
      expect(library.size).toBe(3);
      expect(library.get("add")?.description).toBe("Adds.");
      expect(library.get("subtract")).toBeUndefined();
    });

    it("is followed by labels that are seen at once when tools are picked again", async () => {
      const library = await shop.openLibrary();
      await put(library, [tool("add")]);
      const picked = () => library.pick(["add"]).get("add")?.effects;
      expect(picked()).toBe("read");
      await library.label(["add"], { effects: "write" });
      expect(picked()).toBe("write");
    });

    it("is seen at once when tools are picked again, through another store, too", async () => {
      const home = shop.newHome();
      const writer = await shop.openLibrary({ home });
      const store = await shop.openStore(home);
      const reader = { name: "tools", embeddings: wordEmbeddings(), embeddingModel: "fake:words" };
      const picked = async () => {
        store.refresh();
        const tools = (await store.open(reader)).pick(["add", "divide", "subtract"]);
        return Array.from(tools.values(), ({ id, version, description }) => [
          id,
          version,
          description,
        ]);
      };
      await put(writer, [tool("add"), tool("subtract")]);
      expect(await picked()).toEqual([
        ["add", 1, "Does what add does."],
        ["subtract", 1, "Does what subtract does."],
      ]);
      await put(writer, [tool("add", { description: "Adds." }), tool("divide")]);
      expect(await picked()).toEqual([
        ["add", 2, "Adds."],
        ["divide", 1, "Does what divide does."],
      ]);
    });

    it("reports a tool whose id another origin holds, does not store it and tries again later", async () => {
      const library = await shop.openLibrary();
      await put(library, [tool("add")], "first.ts");
      const impostor = tool("add", { description: "Another one." });
      const done = await put(library, [impostor, tool("sum")], "second.ts");
      expect(done).toMatchObject({
        added: ["sum"],
        conflicts: [{ id: "add", origin: "first.ts" }],
      });
      expect(library.get("add")?.description).toBe(tool("add").description);
      expect(library.origins()).toEqual([
        { origin: "first.ts", fingerprint: "1" },
        { origin: "second.ts", fingerprint: "" },
      ]);

      expect(await library.removeOrigin("first.ts")).toEqual(["add"]);
      expect((await put(library, [impostor, tool("sum")], "second.ts")).added).toEqual(["add"]);
      expect(library.get("add")).toMatchObject({ description: "Another one.", version: 2 });
      expect(library.origins()).toEqual([{ origin: "second.ts", fingerprint: "2" }]);
    });

    it("refuses two tools with one id and changes nothing", async () => {
      const library = await shop.openLibrary();
      const twice = put(library, [tool("add"), tool("sum"), tool("add")]);
      await expect(twice).rejects.toThrow(LibraryFailed);
      await expect(twice).rejects.toThrow('"add" comes twice from math.ts');
      expect(library.size).toBe(0);
      expect(library.origins()).toEqual([]);
    });
  });

  describe("the history", () => {
    it("keeps every version and every removal, and continues counting when a tool comes back", async () => {
      const library = await shop.openLibrary();
      await put(library, [tool("add")]);
      await put(library, [tool("add", { description: "Adds." })]);
      await library.remove(["add"]);
      await put(library, [tool("add")]);
      const history = library.history("add");
      expect(
        history.map(({ version, removed, record }) => [version, removed, record?.description]),
      ).toEqual([
        [1, undefined, "Does what add does."],
        [2, undefined, "Adds."],
        [2, true, undefined],
        [3, undefined, "Does what add does."],
      ]);
      expect(history[0]?.record).toMatchObject({ version: 1, hash: history[3]?.record?.hash });
      expect(history.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
      expect(library.get("add")?.version).toBe(3);
      expect(library.history("unknown")).toEqual([]);
    });

    it("can be restored: each of its records is the tool as it was", async () => {
      const library = await shop.openLibrary();
      await put(library, [tool("add")]);
      await put(library, [tool("add", { description: "Broken." })]);
      const [first] = library.history("add");
      await put(library, first?.record ? [first.record] : []);
      expect(library.get("add")).toMatchObject({ version: 3, description: "Does what add does." });
      expect((await put(library, [tool("add")])).unchanged).toEqual(["add"]);
      expect(library.revision).toBe(3);
    });
  });

  describe("removing by hand", () => {
    it("removes all the named tools or, when one is unknown, none", async () => {
      const library = await shop.openLibrary();
      await put(library, [tool("add"), tool("subtract"), tool("multiply")]);
      const failing = library.remove(["add", "multipy"]);
      await expect(failing).rejects.toThrow(UnknownName);
      await expect(failing).rejects.toThrow('unknown tool "multipy"; did you mean "multiply"?');
      expect(library.size).toBe(3);

      await library.remove(["add", "multiply"]);
      expect(idsOf(library)).toEqual(["subtract"]);
      expect(library.revision).toBe(2);
    });
  });
});
