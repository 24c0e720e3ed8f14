import { expect, it } from "vitest";
import { openLibraryStore } from "../../../tools/library/store.js";
import { inEachHome, newHome } from "../../fakes/homes.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { generated, note, tool } from "./support.js";

const REQUEST = { name: "tools", embeddingModel: "fake:words", create: true };

inEachHome("a run that has read a library", (newPlace) => {
  it("goes on seeing it as it was while others change it", async () => {
    const place = await newPlace();
    const store = openLibraryStore(place);
    const other = openLibraryStore(place.url === undefined ? place : { ...place, home: newHome() });
    const embeddings = wordEmbeddings();
    const entries = new Map<number, number>();
    const inRun = () => store.open({ ...REQUEST, embeddings, entries });
    const source = { origin: "a.ts", fingerprint: "1" };
    const theirs = await other.open({ ...REQUEST, embeddings });
    await theirs.sync({ ...source, tools: [tool("add"), tool("halve"), tool("keep")] });
    store.refresh();
    expect((await inRun()).list()).toHaveLength(3);

    const changed = tool("halve", { description: "Another." });
    await theirs.sync({ ...source, tools: [changed, tool("keep"), tool("new")] });
    store.refresh();
    const seen = await inRun();
    expect(seen.get("add")).toMatchObject({ id: "add", version: 1 });
    expect(seen.get("halve")).toMatchObject({ version: 1, description: "Does what halve does." });
    expect(seen.get("new")).toBeUndefined();
    expect([...seen.pick(["add", "new", "keep"]).keys()].toSorted()).toEqual(["add", "keep"]);
    expect(
      seen
        .list()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(["add", "halve", "keep"]);
    expect(seen.size).toBe(3);
    expect(seen.groups().functionsIn("").toSorted()).toEqual(["add", "halve", "keep"]);
    const { results } = await seen.search({ phrases: ["new"], topK: 9 });
    expect(results[0]?.hits.map(({ id }) => id)).not.toContain("new");

    const another = await store.open({ ...REQUEST, embeddings, entries: new Map() });
    expect(another.list().map(({ id }) => id)).toEqual(["halve", "keep", "new"]);
    await seen.put({ tool: generated("own"), basedOn: null, note: note("made") });
    expect((await inRun()).list().map(({ id }) => id)).toEqual(["halve", "keep", "new", "own"]);
    await store.close();
    await other.close();
  });
});
