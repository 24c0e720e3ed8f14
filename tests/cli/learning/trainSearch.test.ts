import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { registerEmbeddingsProvider } from "../../../models/providers.js";
import { closeWorkspaces } from "../../../workspace/workspace.js";
import { folderOf } from "../../eval/benchmarks/support.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

registerEmbeddingsProvider("several", {
  makeEmbeddings: async () => wordEmbeddings({ dimensions: 64 }),
});

const LIBRARY = ["--library", "things", "--embeddings", "several:words"];
const TRAIN = ["train", "search", ...LIBRARY];

const SHOPS = ["anvil", "birch", "cobalt", "dahlia", "ember", "fjord"];
const THINGS = ["lamps", "ropes", "wheels", "clocks", "kettles"];

const schema = { type: "object", properties: {} };

/** A shop sells a thing with a tool that says little; similar tools keep repeating the words of all requests. */
const TOOLS = SHOPS.flatMap((shop) => [
  ...THINGS.map((thing) => ({
    id: `${shop}.${thing}`,
    name: `${thing}Of`,
    description: `offers of one kind among many that somebody keeps in stock`,
    provider: shop,
    parameters: schema,
  })),
  {
    id: `${shop}.talk`,
    name: "talk",
    description: `find me nice offers today ${shop.split("").toReversed().join("")}`,
    parameters: schema,
  },
]);

const REQUESTS = SHOPS.flatMap((shop) =>
  THINGS.map((thing) => ({
    query: `find me nice ${thing} today, offers of ${shop}`,
    tools: [`${shop}.${thing}`],
  })),
);

let folder: string;
let queries: string;

beforeEach(async () => {
  await closeWorkspaces();
  process.env["TULIPGRAPH_HOME"] = temporaryFolder();
  folder = folderOf({ "tools.jsonl": TOOLS, "queries.jsonl": REQUESTS });
  queries = join(folder, "queries.jsonl");
  await run("tools", "import", join(folder, "tools.jsonl"), ...LIBRARY);
});
afterAll(closeWorkspaces);

async function firstHits(): Promise<string[]> {
  const search = ["tools", "search", "find me nice ropes today, offers of birch", ...LIBRARY];
  const { hits } = (await runJson(...search, "-k", "5")).json as { hits: { id: string }[] };
  return hits.map(({ id }) => id);
}

describe("tulipgraph train search", () => {
  it("saves with the library what its search then uses, and prints what held-out requests gain", async () => {
    expect(await firstHits()).not.toContain("birch.ropes");
    const { code, stdout } = await run(...TRAIN, "--queries", queries);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^set +figure +usual +learned +difference, 95 %$/m);
    expect(stdout).toMatch(/^things +Recall@5 +\.000 +1\.000 +1\.000 \[1\.000, 1\.000\]$/m);
    expect(stdout).toMatch(/^ +tools shown +\d+\.\d +\d+\.\d +-?\d+\.\d \[/m);
    expect(stdout).toMatch(/^things: \d+ learned from, \d+ held out$/m);
    expect(stdout).toMatch(/^saved with library things$/m);
    expect(await firstHits()).toContain("birch.ropes");
    const listed = await run("tools", "list", "--libraries");
    expect(listed.stdout).toMatch(/things .*search tuned for several:words on \d+ requests/);
  });

  it("takes it away again with --remove", async () => {
    const usual = await firstHits();
    await run(...TRAIN, "--queries", queries);
    expect(await firstHits()).not.toEqual(usual);
    const { stdout } = await run(...TRAIN, "--remove");
    expect(stdout).toBe("weights removed: library things, several:words\n");
    expect(await firstHits()).toEqual(usual);
    const again = await runJson(...TRAIN, "--remove");
    expect(again.json).toEqual({ library: "things", removed: false });
  });

  it("learns from folders of benchmarks, whose tools need not be the library's", async () => {
    const other = folderOf({
      "tools.jsonl": TOOLS.map((tool) => ({ ...tool, id: `other.${tool.id}` })),
      "queries.jsonl": REQUESTS.map((row) => ({ ...row, tools: [`other.${row.tools[0]}`] })),
    });
    const { json } = await runJson(...TRAIN, "--bench", folder, other, "--seed", "3");
    expect(json).toMatchObject({
      library: "things",
      seed: 3,
      figures: [{ recall5: { after: 1 } }, { recall5: { after: 1 } }],
      saved: { model: "several:words" },
    });
  });

  it("saves nothing if held-out requests find no more", async () => {
    const easy = folderOf({
      "queries.jsonl": REQUESTS.map(({ tools }) => ({ query: `${tools[0]} in stock`, tools })),
    });
    const { code, stdout } = await run(...TRAIN, "--queries", join(easy, "queries.jsonl"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nothing is saved: held-out requests find no more/m);
    const { json } = await runJson("tools", "list", "--libraries");
    expect(json).toContainEqual(expect.objectContaining({ name: "things", weights: [] }));
  });

  it.each([
    [[], /queries: give either --queries FILE or --bench FOLDER/],
    [["--queries", "nowhere.jsonl"], /queries: there is no file nowhere\.jsonl/],
    [["--bench", "nowhere"], /bench: there is no file nowhere.tools\.jsonl/],
  ])("refuses %j in one line", async (options, message) => {
    expect(errorLine(await run(...TRAIN, ...options))).toMatch(message);
  });

  it("refuses requests that would leave a part of the split empty", async () => {
    const few = folderOf({ "queries.jsonl": REQUESTS.slice(0, 2) });
    const printed = await run(...TRAIN, "--queries", join(few, "queries.jsonl"));
    expect(errorLine(printed)).toMatch(/queries: 2 requests, .* Give more requests/);
  });

  it("is explained with an example", async () => {
    const { code, stdout } = await run("train", "search", "--help");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nExamples?:\n {2}tulipgraph /);
  });
});
