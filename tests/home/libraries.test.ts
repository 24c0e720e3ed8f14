import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importTools, libraryNames, openLibrary } from "../../home/libraries.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { type LibraryStore, openLibraryStore } from "../../tools/library/store.js";
import type { SourceProblem } from "../../tools/tool.js";
// Registers the embeddings of TEST_LIBRARY.
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

const EMBEDDINGS = TEST_LIBRARY.embeddings;

let folder: string;
let store: LibraryStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-libraries-"));
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

function context(library = "mine") {
  return { library, embeddings: EMBEDDINGS };
}

async function importFile(file: string) {
  return await importTools({ store, settings: context(), file });
}

/** The library as it is opened for a run, and what was told about its sources. */
async function open(library = "mine") {
  const problems: SourceProblem[] = [];
  const onProblems = (more: readonly SourceProblem[]) => problems.push(...more);
  const opened = await openLibrary({ store, settings: context(library), onProblems });
  return { library: opened, ids: opened.list().map(({ id }) => id), problems };
}

describe("a catalog that ships", () => {
  it("is listed among the libraries before its first use, and becomes one then", async () => {
    expect(await libraryNames(store)).toEqual(Object.keys(CATALOGS));
    expect(await store.names()).toEqual([]);
    const { library, ids } = await open("math");
    expect(ids).toContain("multiply");
    expect(library.description).toBe(CATALOGS["math"]?.description);
    expect(library.get("multiply")?.source).toMatchObject({ catalog: "math" });
    expect(await store.names()).toEqual(["math"]);
  });

  it.each([
    ["maths", 'did you mean "math"?; available: math, work'],
    ["toString", "available: math, work"],
  ])("is not found under another name: %s", async (name, available) => {
    await expect(open(name)).rejects.toThrow(
      `unknown library "${name}"; ${available}; import one with: tulipgraph tools import FILE, or make an empty one with: tulipgraph tools add --library NAME`,
    );
  });
});

describe("a library of a user's file", () => {
  it("is brought up to date when the file has changed", async () => {
    const file = source("mine.ts", tool("dare") + tool("drop"));
    await importFile(file);
    expect((await open()).ids).toEqual(["dare", "drop"]);
    source("mine.ts", tool("dare", "any number") + tool("draw"));
    const { library, ids } = await open();
    expect(ids.toSorted()).toEqual(["dare", "draw"]);
    expect(library.get("dare")?.version).toBe(2);
    expect(library.get("draw")?.version).toBe(1);
  });

  it("keeps its tools, and all others, while the file is gone", async () => {
    const file = source("mine.ts", tool("dare"));
    await importFile(file);
    await importFile(source("others.ts", tool("drop")));
    rmSync(file);
    const { ids, problems, library } = await open();
    expect(ids).toEqual(["dare", "drop"]);
    expect(problems).toMatchObject([{ file, problem: expect.stringMatching(/gone.*dare/) }]);
    expect(library.history("dare")).toHaveLength(1);
    source("mine.ts", tool("dare", "any number"));
    const back = await open();
    expect(back.problems).toEqual([]);
    expect(back.library.get("dare")?.version).toBe(2);
  });

  it.each([
    { what: "it has a syntax error", text: "export function (", said: /:1: syntax error/ },
    { what: "nothing in it can be a tool", text: "export const one = 1;", said: /no function/ },
    {
      what: "it imports what is not there",
      text: `import { Far } from "./far.js";\n${tool("other").replace("x: number", "x: Far")}${tool("drop")}`,
      said: /far\.js/,
    },
  ])("keeps its tools when $what, and says so each time", async ({ text, said }) => {
    await importFile(source("mine.ts", tool("dare")));
    source("mine.ts", text);
    for (let times = 0; times < 2; times += 1) {
      const { ids, problems } = await open();
      expect(ids).toEqual(["dare"]);
      expect(problems).toMatchObject([{ problem: expect.stringMatching(said) }]);
    }
  });
});

describe("importing a file", () => {
  it("only embeds what is new or has changed", async () => {
    const file = source("mine.ts", tool("dare") + tool("drop"));
    expect(await importFile(file)).toMatchObject({ added: ["dare", "drop"], embedded: 2 });
    expect(await importFile(file)).toMatchObject({ unchanged: ["dare", "drop"], embedded: 0 });
    source("mine.ts", tool("dare") + tool("drop", "any number"));
    expect(await importFile(file)).toMatchObject({
      unchanged: ["dare"],
      updated: ["drop"],
      embedded: 1,
    });
  });

  it("makes no library when the file is missing or has no tool", async () => {
    await expect(importFile(join(folder, "none.ts"))).rejects.toThrow(/the file does not exist/);
    await expect(importFile(source("empty.ts", ""))).rejects.toThrow(
      /no function that can be a tool/,
    );
    expect(await store.names()).toEqual([]);
  });
});

it("a function takes the place of a declaration with its id, whichever was imported first", async () => {
  const file = source("add.ts", tool("add"));
  const lines = ["add", "other"].map((id) => JSON.stringify({ name: id, description: id }));
  await importFile(source("tools.jsonl", lines.join("\n")));
  expect(await importFile(file)).toMatchObject({ added: ["add"], problems: [] });
  const { library, problems } = await open();
  expect(problems).toEqual([]);
  expect(library.list().map(({ id, source: { kind } }) => [id, kind])).toEqual([
    ["other", "declared"],
    ["add", "function"],
  ]);
});
