import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lexicalIndex } from "../../../tools/library/lexical.js";
import { lexicalText, lexicalWords } from "../../../tools/library/lexicalText.js";
import { readRetrievalSet } from "../../../eval/retrieval/questions.js";
import { recallAtK } from "../../../eval/scorers/retrieval.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { declared } from "../../eval/retrieval/support.js";

const BENCH = fileURLToPath(new URL("../../../../shared/bench/", import.meta.url));

describe("the words of a tool", () => {
  it("take identifiers apart, and lose stop words and the plural", () => {
    expect(lexicalWords("Get the playlists of a user: getUserToken_v2")).toEqual(
      "get playlist user get user token v2".split(" "),
    );
  });

  it("are brought to the singular by the first rule of the S stemmer that fits", () => {
    expect(lexicalWords("cities movies buses glass status tables goes")).toEqual(
      "city movy buse glass status table goe".split(" "),
    );
  });

  it("come from its name, its description and its parameters at any depth", () => {
    const tool = declared("findRoom", "Finds rooms.", {
      when: { type: "object", description: "the night", properties: { day: { type: "string" } } },
      guests: { type: "array", items: { type: "string", description: "full name" } },
    });
    expect(lexicalText(tool)).toBe("findRoom Finds rooms. when the night day guests full name");
  });
});

describe("BM25", () => {
  it("orders tools as its formula does", () => {
    // N 3, average length 2 words. "red" is in two tools: idf ln(1 + 1.5 / 2.5) = 0.470; "blue" in
    // one: ln(1 + 2.5 / 1.5) = 0.981. With tf 1: c (length 1) 0.470 × 2.2 / 1.75 = 0.591; a (length 3)
    // 0.470 × 2.2 / 2.65 = 0.390; b (length 2) 0.981 × 2.2 / 2.2 = 0.981.
    const tools = [named("red tall oak"), named("blue oak"), named("red")];
    expect(lexicalIndex(tools).search({ query: "red or blue?", depth: 3 })).toEqual([
      "blue oak",
      "red",
      "red tall oak",
    ]);
  });

  it("prefers one rare word to two common ones where their weights say so", () => {
    // Multiplying by the number of matched words, as the package does, would turn these round:
    // idf "x1" 0.182, "x2" 0.182 (each in 5 of 6), idf "rare" ln(1 + 5.5 / 1.5) = 1.540.
    const common = Array.from({ length: 5 }, (_, at) => named(`apple pear filler${at}`));
    const tools = [...common, named("rare thing more")];
    const [first] = lexicalIndex(tools).search({ query: "apple pear rare", depth: 3 });
    expect(first).toBe("rare thing more");
  });

  it("agrees with its formula on any tools and queries", () => {
    const text = fc.array(fc.constantFrom("red", "blue", "oak", "elm", "tall"), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, query) => {
        const tools = texts.map((words, at) => declared(`t${at}`, words.join(" ")));
        const ranked = lexicalIndex(tools).search({ query: query.join(" "), depth: 10 });
        const expected = bm25(tools, query);
        expect(ranked.toSorted()).toEqual([...expected.keys()].toSorted());
        const scores = ranked.map((id) => expected.get(id) ?? 0);
        for (const [at, score] of scores.slice(1).entries()) {
          expect(score).toBeLessThanOrEqual((scores[at] ?? 0) + 1e-9);
        }
      }),
    );
  });

  it("keeps equal tools in their order, and gives as many as are wanted", () => {
    const tools = ["z", "x", "y"].map((id) => declared(id, "red"));
    expect(lexicalIndex(tools).search({ query: "red", depth: 2 })).toEqual(["z", "x"]);
    expect(lexicalIndex(tools).search({ query: "the", depth: 2 })).toEqual([]);
  });

  it("finds as many as are wanted among some of the tools only", () => {
    const tools = ["z", "x", "y"].map((id) => declared(id, "red"));
    const among = new Set(["y", "x"]);
    expect(lexicalIndex(tools).search({ query: "red", depth: 2, among })).toEqual(["x", "y"]);
  });

  it.skipIf(!existsSync(BENCH)).each([
    ["tulip_math", 0.819, 0.837],
    ["apibank", 0.718, 0.819],
    ["metatool", 0.653, 0.723],
    ["toolalpaca", 0.87, 0.917],
  ])("comes near what was measured elsewhere on %s", async (name, at5, at10) => {
    const { tools, questions } = await readRetrievalSet({
      toolsFile: join(BENCH, name, "tools.jsonl"),
      queriesFile: join(BENCH, name, "queries.jsonl"),
      selection: {},
    });
    const index = lexicalIndex(tools);
    const recall = (k: number) => {
      const values = questions.map(({ query, tools: relevant }) =>
        recallAtK({ ranked: index.search({ query, depth: k }), relevant, k }),
      );
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    expect(Math.abs(recall(5) - at5)).toBeLessThan(0.02);
    expect(Math.abs(recall(10) - at10)).toBeLessThan(0.02);
  });
});

/** A tool whose name is all its text. */
function named(name: string): ToolDefinition {
  return declared(name, "");
}

/** The published sum, with the number of different words as the length of a text. */
function bm25(tools: readonly ToolDefinition[], query: readonly string[]): Map<string, number> {
  const texts = tools.map((tool) => lexicalWords(lexicalText(tool)));
  const lengths = texts.map((words) => new Set(words).size);
  const average = lengths.reduce((sum, length) => sum + length, 0) / tools.length;
  const scores = new Map<string, number>();
  for (const word of new Set(query)) {
    const holding = texts.filter((words) => words.includes(word)).length;
    const idf = Math.log(1 + (tools.length - holding + 0.5) / (holding + 0.5));
    for (const [at, words] of texts.entries()) {
      const tf = words.filter((each) => each === word).length;
      if (tf === 0) continue;
      const norm = 1.2 * (1 - 0.75 + (0.75 * (lengths[at] ?? 0)) / average);
      const id = tools[at]?.id ?? "";
      scores.set(id, (scores.get(id) ?? 0) + (idf * tf * 2.2) / (tf + norm));
    }
  }
  return scores;
}
