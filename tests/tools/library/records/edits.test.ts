import { afterEach, describe, expect, it } from "vitest";
import { EditConflict, LibraryFailed, ModelFailed } from "../../../../common/errors.js";
import { GENERATED_ORIGIN } from "../../../../tools/library/records/edits.js";
import type { LibraryEditor } from "../../../../tools/library/library.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { inEachHome } from "../../../fakes/homes.js";
import { generated, note, tool, workshop } from "../support.js";

async function found(library: LibraryEditor, phrase: string): Promise<string[]> {
  const { results } = await library.search({ phrases: [phrase], topK: 9, threshold: 1.2 });
  return results.flatMap(({ hits }) => hits.map(({ id }) => id));
}

async function failureOf(edit: Promise<unknown>): Promise<unknown> {
  return await edit.then(
    () => undefined,
    (error: unknown) => error,
  );
}

inEachHome("edits of a library", (newPlace) => {
  const shop = workshop(newPlace);
  afterEach(shop.clear);

  describe("putting a made tool", () => {
    it("adds it at version 1, with its note, and the next search finds it", async () => {
      const library = await shop.openLibrary();
      await library.sync({ origin: "a.ts", fingerprint: "1", tools: [tool("add")] });
      await library.search({ phrases: ["add"], topK: 1 });
      const why = note("Square root of a number", { threadId: "t", callId: "c" });
      const put = await library.put({ tool: generated("root"), basedOn: null, note: why });

      expect(put).toEqual({ ...generated("root"), version: 1, hash: put.hash });
      expect(library.get("root")).toEqual(put);
      expect(library.revision).toBe(2);
      expect(library.history("root")).toEqual([
        { version: 1, record: put, note: why, at: expect.any(String) },
      ]);
      expect(await found(library, "does root")).toContain("root");
      expect(library.origins().map(({ origin }) => origin)).toEqual(["a.ts", GENERATED_ORIGIN]);
    });

    it("embeds a new description, and nothing if the text is unchanged", async () => {
      const embeddings = wordEmbeddings();
      const library = await shop.openLibrary({ embeddings });
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      expect(embeddings.calls).toHaveLength(1);
      const calling = generated("root", { calls: ["add"] });
      await library.put({ tool: calling, basedOn: 1, note: note("second") });
      expect(embeddings.calls).toHaveLength(1);

      expect(await found(library, "weather tomorrow")).toEqual([]);
      const described = generated("root", { description: "Weather of tomorrow." });
      await library.put({ tool: described, basedOn: 2, note: note("third") });
      expect(embeddings.calls.at(-1)).toEqual(["root Weather of tomorrow."]);
      expect(await found(library, "weather tomorrow")).toEqual(["root"]);
      expect(await found(library, "does what does")).toEqual([]);
    });

    it.each([
      ["is there already", null, 1, "expected not to exist and is at version 1 by now"],
      ["is at another version", 3, 1, "to be at version 3 and is at version 1 by now"],
    ])("is a conflict when the tool %s", async (_what, basedOn, version, said) => {
      const library = await shop.openLibrary();
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      const edit = library.put({
        tool: generated("root", { calls: ["add"] }),
        basedOn,
        note: note("second"),
      });
      const failure = await failureOf(edit);
      expect(failure).toBeInstanceOf(EditConflict);
      expect(failure).toMatchObject({ details: { tool: "root", basedOn, found: version } });
      expect(String(failure)).toContain(said);
      expect(library.history("root")).toHaveLength(1);
      expect(library.revision).toBe(1);
    });

    it("never touches a tool that comes from a file, and embeds nothing for it", async () => {
      const embeddings = wordEmbeddings();
      const library = await shop.openLibrary({ embeddings });
      await library.sync({ origin: "a.ts", fingerprint: "1", tools: [tool("add")] });
      const calls = embeddings.calls.length;
      for (const basedOn of [null, 1]) {
        const described = generated("add", { description: "Another one." });
        const edit = library.put({ tool: described, basedOn, note: note("mine") });
        await expect(edit).rejects.toThrow(LibraryFailed);
        await expect(edit).rejects.toThrow('its tool "add" comes from a.ts');
      }
      expect(embeddings.calls).toHaveLength(calls);
      expect(library.get("add")).toMatchObject({ version: 1, source: { kind: "function" } });
    });

    it("leaves the library as it was when the embedding model fails", async () => {
      const embeddings = wordEmbeddings();
      embeddings.embedDocuments = async () => [[Number.NaN]];
      const library = await shop.openLibrary({ embeddings });
      const edit = library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      await expect(edit).rejects.toThrow(ModelFailed);
      expect([library.size, library.revision, library.origins()]).toEqual([0, 0, []]);
      expect(library.history("root")).toEqual([]);
    });

    it("is refused when somebody else has put the tool while its text was embedded", async () => {
      const home = shop.newHome();
      const other = await shop.openLibrary({ home });
      const embeddings = wordEmbeddings();
      const embed = embeddings.embedDocuments.bind(embeddings);
      embeddings.embedDocuments = async (texts) => {
        await other.put({ tool: generated("root"), basedOn: null, note: note("faster") });
        return await embed(texts);
      };
      const library = await shop.openLibrary({ home, embeddings });
      const slow = generated("root", { description: "Slower." });
      const edit = library.put({ tool: slow, basedOn: null, note: note("slower") });
      expect(await failureOf(edit)).toBeInstanceOf(EditConflict);
      expect(library.history("root").map((entry) => entry.note?.why)).toEqual(["faster"]);
    });
  });

  describe("discarding a made tool", () => {
    it("removes it from lists and searches, and keeps its history with the note", async () => {
      const library = await shop.openLibrary();
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      await library.put({ tool: generated("power"), basedOn: null, note: note("second") });
      expect(await found(library, "root")).toContain("root");
      await library.discard({ id: "root", basedOn: 1, note: note("no longer needed") });
      expect(library.get("root")).toBeUndefined();
      expect(await found(library, "does what root does")).toEqual(["power"]);
      expect(library.history("root").at(-1)).toEqual({
        version: 1,
        removed: true,
        note: note("no longer needed"),
        at: expect.any(String),
      });
    });
  });
});
