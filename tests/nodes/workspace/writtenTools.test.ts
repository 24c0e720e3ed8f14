import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importTools, openLibrary } from "../../../nodes/workspace/libraries.js";
import { type LibraryStore, openLibraryStore } from "../../../tools/library/store.js";
import type { SourceProblem } from "../../../tools/tool.js";
// Registers the embeddings of TEST_LIBRARY.
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { generated, note } from "../../tools/library/support.js";

const { embeddings } = TEST_LIBRARY;

let folder: string;
let store: LibraryStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-written-"));
  store = openLibraryStore({ home: join(folder, "home") });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function source(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** A file with one tool. */
function tool(name: string, text = "a number"): string {
  return `/** Do ${name} with ${text}.\n * @param x - the number\n */\nexport function ${name}(x: number): number { return x; }\n`;
}

async function importFile(file: string) {
  return await importTools({ store, settings: { library: "mine", embeddings }, file });
}

/** The library as it is opened for a run, and what was told about its sources. */
async function open(library = "mine") {
  const problems: SourceProblem[] = [];
  const onProblems = (more: readonly SourceProblem[]) => problems.push(...more);
  const opened = await openLibrary({ store, settings: { library, embeddings }, onProblems });
  return { library: opened, ids: opened.list().map(({ id }) => id), problems };
}

describe("a library with tools that models have written", () => {
  const written = { tool: generated("dare"), basedOn: null, note: note("Dare") };

  it("opens although they have no file, and keeps them", async () => {
    const file = source("mine.ts", tool("drop"));
    await importFile(file);
    await (await open()).library.put(written);
    expect((await open()).ids).toEqual(["drop", "dare"]);
    const { revision } = (await open()).library;
    expect((await open()).library.revision).toBe(revision);
    source("mine.ts", tool("drop", "any number") + tool("draw"));
    expect((await open()).ids).toEqual(["drop", "dare", "draw"]);
  });

  it("keeps them in a shipped catalog", async () => {
    await (await open("math")).library.put(written);
    expect((await open("math")).ids).toContain("dare");
    const { library } = await open("math");
    const taken = library.put({ ...written, tool: generated("multiply") });
    await expect(taken).rejects.toThrow(/its tool "multiply" comes from .*math/);
  });

  it("reports a function of an imported file with the name of one, and keeps the made tool", async () => {
    await importFile(source("mine.ts", tool("drop")));
    await (await open()).library.put(written);
    const second = source("second.ts", tool("dare") + tool("draw"));
    const done = await importFile(second);
    expect(done).toMatchObject({
      added: ["draw"],
      problems: [
        {
          file: second,
          exportName: "dare",
          problem:
            'a tool "dare" that a model has written is in the library already; give this one another name with @name, or remove that one',
        },
      ],
    });
    const { library } = await open();
    expect(library.get("dare")?.source.kind).toBe("generated");
    await library.discard({ id: "dare", basedOn: 1, note: note("no longer needed") });
    expect((await open()).library.get("dare")).toMatchObject({
      version: 2,
      source: { file: second },
    });
  });
});
