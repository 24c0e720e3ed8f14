import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assembleLibrary, bestCatalog } from "../../../eval/runs/assembledLibraries.js";
import { importTools, openLibrary } from "../../../home/libraries.js";
import { type LibraryStore, openLibraryStore } from "../../../tools/library/store.js";
import type { SourceProblem } from "../../../tools/tool.js";
// Registers the embeddings of TEST_LIBRARY.
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { generated, note } from "../../tools/library/support.js";

const { embeddings } = TEST_LIBRARY;

let folder: string;
let store: LibraryStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-assembled-"));
  store = openLibraryStore({ home: join(folder, "home") });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A file that declares tools with these ids, each with a text of its own. */
function declare(...ids: string[]): string {
  const file = join(folder, "tools.jsonl");
  const lines = ids.map((id) => JSON.stringify({ id, name: id, description: `Declared ${id}.` }));
  writeFileSync(file, lines.join("\n"));
  return file;
}

async function assemble(given: { name?: string; catalog?: string; declarations?: string }) {
  return await assembleLibrary({ store, name: "bench", embeddings, ...given });
}

async function reopen(library = "bench") {
  const problems: SourceProblem[] = [];
  const onProblems = (more: readonly SourceProblem[]) => problems.push(...more);
  const opened = await openLibrary({ store, settings: { library, embeddings }, onProblems });
  return { library: opened, problems };
}

describe("a library put together for a set of declarations", () => {
  it("has the functions of the catalog and, for ids that it lacks, the declarations", async () => {
    const { library } = await assemble({
      catalog: "math",
      declarations: declare("GET /x", "multiply", "add"),
    });
    expect(library.get("multiply")?.source).toMatchObject({ kind: "function", catalog: "math" });
    expect(library.get("GET /x")?.source.kind).toBe("declared");
    expect(library.get("median")?.source.kind).toBe("function");
  });

  it("begins without tools that models have written, but a catalog's own library keeps them", async () => {
    const declarations = declare("a");
    const written = { tool: generated("root"), basedOn: null, note: note("Root") };
    const first = await assemble({ declarations });
    await first.library.put(written);
    const again = await assemble({ declarations });
    expect(again.library.list().map(({ id }) => id)).toEqual(["a"]);
    expect(again.library.history("root").map(({ removed }) => removed)).toEqual([undefined, true]);

    const own = await assemble({ name: "math", catalog: "math" });
    await own.library.put(written);
    const { library } = await assemble({ name: "math", catalog: "math", declarations });
    expect(library.get("root")?.source.kind).toBe("generated");
  });

  it("is not made of an unknown catalog, a broken line or an empty file", async () => {
    await expect(assemble({ catalog: "maths" })).rejects.toThrow('did you mean "math"?');
    const declarations = declare("a");
    writeFileSync(declarations, '{"name":"a"}\n{"name":\n{}');
    await expect(assemble({ declarations })).rejects.toThrow(
      /tools\.jsonl:2: is not JSON.*\(and 1 more\)/,
    );
    writeFileSync(declarations, "");
    await expect(assemble({ declarations })).rejects.toThrow(/no declaration that can be a tool/);
    expect(await store.names()).toEqual([]);
  });
});

describe("a function and a declaration with the same id", () => {
  it("become the function, whichever was imported first", async () => {
    const context = { library: "mine", embeddings };
    const file = join(folder, "add.ts");
    writeFileSync(file, "/** Adds. */ export function add(): number { return 1; }\n");
    await importTools({ store, settings: context, file: declare("add", "other") });
    const imported = await importTools({ store, settings: context, file });
    expect(imported).toMatchObject({ added: ["add"], problems: [] });
    const { library, problems } = await reopen("mine");
    expect(problems).toEqual([]);
    expect(library.list().map(({ id, source }) => [id, source.kind])).toEqual([
      ["other", "declared"],
      ["add", "function"],
    ]);
  });
});

describe("the best catalog for some tools", () => {
  it("is the one with functions for most of them, if any", async () => {
    expect(await bestCatalog(["multiply", "GET /x", "median"])).toBe("math");
    expect(await bestCatalog(["GET /x", "toString"])).toBeUndefined();
    expect(await bestCatalog([])).toBeUndefined();
  });
});
