import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluateRetrieval, type RetrievalOptions } from "../../../eval/retrieval/evaluate.js";
import { registerEmbeddingsProvider } from "../../../models/providers.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { filesOf, QUERIES, TOOLS } from "./support.js";

const words = wordEmbeddings({ dimensions: 1024 });
registerEmbeddingsProvider("counted", { makeEmbeddings: async () => words });

function embeddedTexts(): string[] {
  return words.calls.splice(0).flat();
}

async function evaluate(options: Partial<RetrievalOptions> & ReturnType<typeof filesOf>) {
  return await evaluateRetrieval({
    ks: [1, 2],
    embeddings: "counted:words",
    selection: {},
    home: join(options.folder, "home"),
    ...options,
  });
}

describe("evaluateRetrieval", () => {
  it("counts what is found by each method, and leaves out requests without a tool", async () => {
    const { rows, ...rest } = await evaluate(filesOf());
    expect(rest).toMatchObject({
      tools: { count: 3 },
      queries: { evaluated: 2, leftOut: 1 },
      embeddings: "counted:words",
      textsEmbedded: 5,
    });
    expect(rows.map(({ method, split, queries }) => `${method} ${split} ${queries}`)).toEqual(
      ["meaning", "words", "both"].flatMap((method) => [
        `${method} all 2`,
        `${method} math 1`,
        `${method} travel 1`,
      ]),
    );
    for (const row of rows) {
      expect(row.recall.map(({ mean }) => mean)).toEqual([1, 1]);
      expect(row).toMatchObject({ ndcg10: 1, comp10: 1 });
    }
  });

  it("takes any tool of a group that serves for the one that is needed", async () => {
    const query = { id: "1", query: "reserve a plane seat", tools: ["add"] };
    const first = async (more: object) => {
      const { rows, prompts } = await evaluate(filesOf({ queries: [{ ...query, ...more }] }));
      return [rows[0]?.recall[0]?.mean, prompts.named];
    };
    expect(await first({})).toEqual([0, 1]);
    expect(await first({ tool_groups: [["add", "flight"]] })).toEqual([1, 1]);
  });

  it("tells what the first prompt of tulip has", async () => {
    const { prompts } = await evaluate(filesOf());
    expect(prompts).toMatchObject({ queries: 2, named: 1, signed: 1 });
    expect(prompts.tokens).toBeGreaterThan(200);
    // So few tools are shown whole, before the request.
    expect(prompts.stable).toBeGreaterThan(0.9);
    const many = Array.from({ length: 600 }, (_, at) => ({
      ...TOOLS[1],
      id: `t${at}`,
      name: `t${at}`,
    }));
    const large = await evaluate(filesOf({ tools: [...TOOLS, ...many] }));
    expect(large.prompts).toMatchObject({ named: 1, signed: 1 });
    expect(large.prompts.stable).toBeGreaterThan(0.9);
  });

  it("embeds the tools of a file once, over all runs", async () => {
    const files = filesOf();
    embeddedTexts();
    const first = await evaluate(files);
    expect(embeddedTexts()).toHaveLength(5);
    const again = await evaluate(files);
    expect(embeddedTexts()).toHaveLength(2);
    expect(again).toMatchObject({ rows: first.rows, textsEmbedded: 2 });
    expect(again.embeddingTokens).toBe(first.embeddingTokens);
  });

  it.each([
    [{ tools: ["{"] }, /tools\.jsonl:1: is not JSON/],
    [{ tools: [TOOLS[0], TOOLS[0]] }, /tools\.jsonl:2: the id "add" is that of line 1/],
    [{ queries: [QUERIES[0], "[]"] }, /queries\.jsonl:2: is not a JSON object/],
    [{ queries: [QUERIES[0], QUERIES[0]] }, /queries\.jsonl:2: the id "1"/],
    [{ queries: [{ ...QUERIES[0], tools: ["x"] }] }, /queries\.jsonl:1: the tool "x"/],
    [{ queries: "" }, /queries\.jsonl:1: has no tasks/],
    [{ queries: [QUERIES[2]] }, /none of the 1 queries chosen/],
  ])(
    "refuses files that cannot be used before anything is embedded: %j",
    async (files, message) => {
      embeddedTexts();
      await expect(evaluate(filesOf(files))).rejects.toThrow(message);
      expect(embeddedTexts()).toEqual([]);
    },
  );
});
