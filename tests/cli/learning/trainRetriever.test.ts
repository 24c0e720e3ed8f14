import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { registerEmbeddingsProvider } from "../../../models/providers.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import { folderOf } from "../../eval/benchmarks/support.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

registerEmbeddingsProvider("few", {
  makeEmbeddings: async () => wordEmbeddings({ dimensions: 64 }),
});

const LIBRARY = ["--library", "things"];
const TRAIN = ["train", "retriever", ...LIBRARY];

const TOOLS = Array.from({ length: 10 }, (_, at) => ({
  id: `tool${at}`,
  name: `tool${at}`,
  description: `does thing ${at}`,
  parameters: { type: "object", properties: {} },
}));

/** Requests for the last tool, by a word that no tool has. */
const REQUESTS = Array.from({ length: 60 }, (_, at) => ({
  query: "zorp",
  tools: ["tool9"],
  template: `template ${at}`,
}));

let folder: string;
let pairs: string;

beforeEach(async () => {
  await closeWorkspaces();
  process.env["TULIPGRAPH_HOME"] = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_EMBEDDINGS", "few:words");
  folder = folderOf({ "tools.jsonl": TOOLS, "queries.jsonl": REQUESTS });
  pairs = join(folder, "queries.jsonl");
  await run("tools", "import", join(folder, "tools.jsonl"), ...LIBRARY);
});
afterAll(closeWorkspaces);

async function firstHits(): Promise<string[]> {
  const search = ["tools", "search", "zorp", ...LIBRARY, "--set", "threshold=0", "-k", "5"];
  const { hits } = (await runJson(...search)).json as { hits: { id: string }[] };
  return hits.map(({ id }) => id);
}

describe("tulipgraph train retriever", () => {
  it("saves with the library what its search then uses, and prints figures of held-out requests", async () => {
    expect(await firstHits()).not.toContain("tool9");
    const { code, stdout, stderr } = await run(...TRAIN, "--pairs", pairs);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^set +trained +held out +Recall@5 +adapted +Recall@10 +adapted$/m);
    expect(stdout).toMatch(/^things +\d+ +\d+ +\.000 +1\.000 +1\.000 +1\.000$/m);
    expect(stdout).toMatch(/^saved as retriever 1 of library things$/m);
    expect(stderr).toMatch(/^training: round 1, loss \d\.\d{3}, Recall@5 to stop by 1\.000$/m);
    expect(await firstHits()).toContain("tool9");
    const listed = await run("tools", "list", "--libraries");
    expect(listed.stdout).toMatch(/things .*retriever 1 for few:words, trained on \d+ requests/);
  });

  it("takes it away again with --remove", async () => {
    const plain = await firstHits();
    await run(...TRAIN, "--pairs", pairs);
    expect(await firstHits()).not.toEqual(plain);
    const { stdout } = await run(...TRAIN, "--remove");
    expect(stdout).toBe("adapter removed: library things, few:words\n");
    expect(await firstHits()).toEqual(plain);
    expect((await runJson(...TRAIN, "--remove")).json).toEqual({ library: "things", removed: 0 });
  });

  it("learns from folders of benchmarks, whose tools need not be the library's", async () => {
    const other = folderOf({
      "tools.jsonl": TOOLS.map((tool) => ({ ...tool, id: `other.${tool.id}` })),
      "queries.jsonl": REQUESTS.map((row) => ({ ...row, tools: ["other.tool9"] })),
    });
    const { json } = await runJson(...TRAIN, "--bench", folder, other, "--seed", "3");
    expect(json).toMatchObject({
      library: "things",
      seed: 3,
      bestRound: 1,
      figures: [{ adapted: 1 }, { adapted: 1 }],
      saved: { model: "few:words", dimension: 64, revision: 1 },
    });
  });

  it("saves nothing if no round finds more than the plain search", async () => {
    const easy = folderOf({
      "tools.jsonl": TOOLS,
      "queries.jsonl": REQUESTS.map((row) => ({ ...row, query: "does thing 9" })),
    });
    const { code, stdout } = await run(...TRAIN, "--bench", easy);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nothing is saved: no round of training found more/m);
    const { json } = await runJson("tools", "list", "--libraries");
    expect(json).toContainEqual(expect.objectContaining({ name: "things", adapters: [] }));
  });

  it("refuses requests if a part of the split would be empty", async () => {
    const few = folderOf({ "tools.jsonl": TOOLS, "queries.jsonl": REQUESTS.slice(0, 2) });
    expect(errorLine(await run(...TRAIN, "--bench", few))).toMatch(
      /pairs: 2 requests, .* leave no request .* Give more requests/,
    );
  });

  it.each([
    [[], /pairs: give either --pairs FILE or --bench and folders/],
    [["--pairs", "a", "--bench", "b"], /pairs: give either/],
    [["--pairs", "nowhere.jsonl"], /pairs nowhere\.jsonl: the file does not exist/],
    [["--bench", "nowhere"], /bench nowhere.tools\.jsonl: the file does not exist/],
    [["--seed", "x"], /--seed <n>.*Not a number/],
  ])("refuses %j in one line", async (options, message) => {
    expect(errorLine(await run(...TRAIN, ...options))).toMatch(message);
  });
});
