import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { EditConflict, LibraryFailed, ModelFailed } from "../../../../common/errors.js";
import { openDatabase } from "../../../../storage/sqlite.js";
import { GENERATED_ORIGIN } from "../../../../tools/library/records/edits.js";
import type { ToolLibrary } from "../../../../tools/library/library.js";
import { LIBRARY_MIGRATIONS } from "../../../../tools/library/records/schema.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { inEachHome } from "../../../fakes/homes.js";
import { generated, note, tool, workshop } from "../support.js";

async function found(library: ToolLibrary, phrase: string): Promise<string[]> {
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

    it("gives it a new version when it is based on the present one", async () => {
      const library = await shop.openLibrary();
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      const breaks = ["root(-1) => throws"];
      const changed = generated("root", { calls: ["add"] });
      const put = await library.put({
        tool: changed,
        basedOn: 1,
        note: note("second", { breaks }),
      });
      expect(put).toMatchObject({ version: 2, source: { calls: ["add"] } });
      expect(library.size).toBe(1);
      expect(library.history("root").map((entry) => [entry.version, entry.note])).toEqual([
        [1, note("first")],
        [2, note("second", { breaks })],
      ]);
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

    it("is a conflict when the tool that it is based on is gone", async () => {
      const library = await shop.openLibrary();
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      await library.discard({ id: "root", basedOn: 1, note: note("second") });
      const edit = library.put({ tool: generated("root"), basedOn: 1, note: note("third") });
      expect(await failureOf(edit)).toMatchObject({ details: { basedOn: 1, found: null } });
      expect(library.get("root")).toBeUndefined();
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

    it("is a conflict for another version, and refused for a tool of a file", async () => {
      const library = await shop.openLibrary();
      await library.sync({ origin: "a.ts", fingerprint: "1", tools: [tool("add")] });
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      const discard = async (id: string, basedOn: number) =>
        failureOf(library.discard({ id, basedOn, note: note("go") }));
      expect(await discard("root", 2)).toMatchObject({ details: { basedOn: 2, found: 1 } });
      expect(await discard("unknown", 1)).toMatchObject({ details: { basedOn: 1, found: null } });
      const refused = await discard("add", 1);
      expect(refused).toBeInstanceOf(LibraryFailed);
      expect(String(refused)).toContain("only tools that a model has written can be edited");
      expect(library.size).toBe(2);
    });

    it("lets a tool with its name come back and continue its versions", async () => {
      const library = await shop.openLibrary();
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      await library.put({ tool: generated("root"), basedOn: 1, note: note("second") });
      await library.discard({ id: "root", basedOn: 2, note: note("third") });
      const back = await library.put({
        tool: generated("root"),
        basedOn: null,
        note: note("fourth"),
      });
      expect(back.version).toBe(3);
      expect(library.history("root").map(({ version, removed }) => [version, removed])).toEqual([
        [1, undefined],
        [2, undefined],
        [2, true],
        [3, undefined],
      ]);
    });
  });

  describe("made tools beside those of files", () => {
    it("stay when files are synced, and keep their names", async () => {
      const library = await shop.openLibrary();
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      const done = await library.sync({
        origin: "a.ts",
        fingerprint: "1",
        tools: [tool("root"), tool("add")],
      });
      expect(done).toMatchObject({
        added: ["add"],
        conflicts: [{ id: "root", origin: GENERATED_ORIGIN }],
      });
      await library.sync({ origin: "a.ts", fingerprint: "2", tools: [] });
      expect(library.list().map(({ id, source }) => [id, source.kind])).toEqual([
        ["root", "generated"],
      ]);
    });

    it("have notes, while versions and removals of a file's tools have none", async () => {
      const library = await shop.openLibrary();
      await library.sync({ origin: "a.ts", fingerprint: "1", tools: [tool("add")] });
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      await library.remove(["add", "root"], note("removed by hand"));
      expect(library.history("add").map((entry) => "note" in entry)).toEqual([false, false]);
      expect(library.history("root").map((entry) => entry.note?.why)).toEqual([
        "first",
        "removed by hand",
      ]);
    });
  });
});

describe("a library of an older version without notes", () => {
  const shop = workshop();
  afterEach(shop.clear);

  it("keeps its history and takes edits", async () => {
    const home = shop.newHome();
    const database = openDatabase({
      file: join(home, "libraries.db"),
      migrations: LIBRARY_MIGRATIONS.slice(0, 1),
    });
    database.exec(
      `INSERT INTO libraries (name, description, revision, content) VALUES ('tools', '', 1, 'x');
       INSERT INTO versions (library, id, version, hash, definition, at)
         VALUES (1, 'old', 1, 'h', '{"id":"old"}', '2026-01-01T00:00:00.000Z')`,
    );
    database.close();
    const library = await shop.openLibrary({ home });
    expect(library.history("old")).toEqual([
      { version: 1, record: { id: "old", version: 1, hash: "h" }, at: "2026-01-01T00:00:00.000Z" },
    ]);
    await library.put({ tool: generated("old"), basedOn: null, note: note("anew") });
    expect(library.get("old")?.version).toBe(2);
  });
});
