import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../common/errors.js";
import {
  PAST_CALL_LINES,
  importLines as importFile,
  writeLines,
} from "../../memory/jsonLinesFile.js";
import type { ExperienceStore } from "../../memory/experience.js";
import { allOf, openStore, temporaryHome, pastCalls } from "./support.js";

const LINE = { query: "add two numbers", tool: "add", args: {}, result: "3", helpful: true };

/** Writes a file with these lines (strings unchanged, others as JSON) and imports it. */
async function importLines(
  lines: readonly (string | object)[],
  options: { store?: ExperienceStore; library?: string; tools?: string[] } = {},
) {
  const { store = openStore(), library = "math", tools } = options;
  const file = join(temporaryHome(), "calls.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.join("\n"));
  const known = tools && { tools: async () => new Set(tools) };
  return {
    store,
    ...(await importFile({ kind: PAST_CALL_LINES, store, file, library, ...known })),
  };
}

describe("importing experience", () => {
  it("takes lines that say the least, and gives them ids by their content", async () => {
    const { store, added } = await importLines([LINE]);
    expect(added).toBe(1);
    const [pastCall] = await allOf(store.pastCalls());
    expect(pastCall).toEqual({
      ...LINE,
      id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      library: "math",
      failed: false,
      judgedBy: "given",
      cost: 1,
      ms: 0,
      at: expect.any(Number) as number,
    });
    const swapped = Object.fromEntries(Object.entries(LINE).toReversed());
    expect(await importLines([LINE, swapped, { ...LINE, result: "4" }], { store })).toMatchObject({
      added: 1,
      known: 2,
    });
  });

  it("takes what lines say, their library before that of the file", async () => {
    const [pastCall] = pastCalls({
      library: "office",
      failed: true,
      helpful: null,
      judgedBy: "model",
    });
    const { store } = await importLines([{ ...pastCall, more: "is left out" }]);
    expect(await allOf(store.pastCalls())).toEqual([pastCall]);
  });

  it.each<[string, string | object, RegExp]>([
    ["malformed JSON", '{"query": ', /^is not JSON \(/],
    ["NaN, which JSON does not have", '{"cost": NaN}', /^is not JSON/],
    ["something else than an object", "[1]", /^is not a JSON object$/],
    ["a missing field", { ...LINE, tool: undefined }, /^has no "tool"$/],
    ["a missing verdict", { ...LINE, helpful: undefined }, /^has no "helpful"$/],
    ["an empty request", { ...LINE, query: " " }, /^"query": is empty$/],
    ["a verdict that is none", { ...LINE, helpful: "yes" }, /^"helpful": /],
    ["arguments that are no object", { ...LINE, args: [1] }, /^"args": is not a JSON object$/],
    ["a negative cost", { ...LINE, cost: -1 }, /^"cost": /],
    ["a cost in words", { ...LINE, cost: "NaN" }, /^"cost": /],
    ["an endless cost", JSON.stringify({ ...LINE, cost: 7 }).replace("7", "1e999"), /^"cost": /],
    ["a cost of null", { ...LINE, cost: null }, /^"cost": /],
    ["a negative time", { ...LINE, ms: -1 }, /^"ms": /],
  ])("reports %s by its line, and takes the rest", async (_what, line, problem) => {
    const imported = await importLines([LINE, line, "", { ...LINE, result: "4" }, line]);
    expect(imported).toMatchObject({ added: 2, rejected: 2 });
    expect(imported.problems).toEqual([
      { line: 2, problem: expect.stringMatching(problem) as string },
      { line: 5, problem: expect.stringMatching(problem) as string },
    ]);
  });

  it("counts calls of tools that the library lacks", async () => {
    const unknown = { ...LINE, tool: "ad" };
    const imported = await importLines([unknown, LINE, unknown], { tools: ["add"] });
    const problem = 'library math has no tool "ad"';
    expect(imported).toMatchObject({ added: 1, rejected: 2 });
    expect(imported.problems).toEqual([1, 3].map((line) => ({ line, problem })));
  });

  it("refuses a file that is not there or is a folder", async () => {
    const store = openStore();
    const folder = temporaryHome();
    const read = (file: string) => importFile({ kind: PAST_CALL_LINES, store, file });
    await expect(read(join(folder, "none"))).rejects.toThrow(InvalidSetting);
    await expect(read(folder)).rejects.toThrow(/is a folder/);
  });
});

describe("exporting experience", () => {
  it("leaves a file unchanged if it fails, and no other file behind", async () => {
    const folder = temporaryHome();
    const file = join(folder, "calls.jsonl");
    writeFileSync(file, "as it was");
    const written = writeLines({ file, kind: PAST_CALL_LINES, items: failing() });
    await expect(written).rejects.toThrow("the disk is gone");
    expect(readdirSync(folder)).toEqual(["calls.jsonl"]);
    expect(readFileSync(file, "utf8")).toBe("as it was");
  });
});

async function* failing() {
  yield* pastCalls({}, {});
  throw new Error("the disk is gone");
}
