import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OracleFigures } from "../../../eval/oracle/oracleFigures.js";
import { readResults } from "../../../eval/runs/experimentFolder.js";
// Registers embeddings that take no time.
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

const TEXT = { type: "string" };

const TOOLS = [
  { name: "find_hotel", parameters: { city: TEXT }, returns: { hotel_name: TEXT } },
  { name: "get_price", parameters: { hotel: TEXT }, returns: { amount: { type: "number" } } },
  { name: "book_room", parameters: { hotel: TEXT, amount: { type: "number" } }, returns: TEXT },
].map((tool) => ({ ...tool, description: `Can ${tool.name.replace("_", " a ")} for a trip.` }));

const TASK = {
  id: "t1",
  query: "Find a hotel in Rome, get its price and book a room.",
  tools: ["find_hotel", "get_price", "book_room"],
  calls: [
    { tool: "find_hotel", args: { city: "Rome" }, label: "a" },
    { tool: "get_price", args: { hotel: "$a.hotel_name$" }, label: "b" },
    { tool: "book_room", args: { hotel: "$a.hotel_name$", amount: "$b.amount$" }, label: "c" },
  ],
};

/** Its gold call has a number in place of a text. */
const BROKEN = {
  id: "t2",
  query: "Find a hotel in 7.",
  tools: ["find_hotel"],
  calls: [{ tool: "find_hotel", args: { city: 7 }, label: "a" }],
};

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => JSON.stringify(row)).join("\n");
}

/** A folder with a benchmark of one task that can be done, and a file with other tools. */
function benchmarkIn(folder: string): { benchmark: string; others: string } {
  const benchmark = join(folder, "trips");
  const others = join(folder, "others.jsonl");
  mkdirSync(benchmark);
  writeFileSync(join(benchmark, "tools.jsonl"), lines(TOOLS));
  writeFileSync(join(benchmark, "queries.jsonl"), lines([TASK, BROKEN]));
  const count = Array.from({ length: 120 }, (_, at) => at);
  writeFileSync(
    others,
    lines(count.map((at) => ({ name: `other_${at}`, description: "Something else." }))),
  );
  return { benchmark, others };
}

describe("eval oracle", () => {
  it("compares graphs on solvable tasks, in growing libraries, and continues where it stopped", async () => {
    const folder = temporaryFolder();
    const { benchmark, others } = benchmarkIn(folder);
    const out = join(folder, "out");
    const argv = [
      "eval",
      "oracle",
      ...Object.entries({
        "--out": out,
        "--benchmarks": benchmark,
        "--others": others,
        "--graphs": "naive_tool,cot_tulip",
        "--embeddings": TEST_LIBRARY.embeddings,
      }).flat(),
    ];
    const { code, json } = await runJson(...argv);
    const { experiments } = json as OracleFigures;
    expect(code).toBe(0);
    const names = experiments.map(({ part, tools }) => `${part} ${tools}`);
    expect(names).toEqual(["main 3", "time 3", "growth 100", "growth 123"]);
    const [main, time] = experiments;
    expect(main?.failures).toEqual([]);
    expect(main?.graphs).toMatchObject([
      // Three calls that each wait for the one before, and the end.
      { graph: "naive_tool", runs: 1, success: 1, modelCalls: 4 },
      { graph: "cot_tulip", runs: 1, success: 1, modelCalls: 6 },
    ]);
    expect(main?.long).toEqual(main?.graphs);
    // At least four replies of 500 ms and three calls of 200 ms.
    expect(time?.graphs[0]?.wallMs).toBeGreaterThan(2590);

    const text = readFileSync(join(out, "report.md"), "utf8");
    expect(text).toContain("| trips | 123 | naive_tool |");
    await run(...argv);
    expect(readResults(join(out, "main-trips")).records).toHaveLength(2);
    expect(readFileSync(join(out, "report.md"), "utf8")).toBe(text);
  }, 900_000);

  it("refuses unknown graphs", async () => {
    const printed = await run("eval", "oracle", "--out", temporaryFolder(), "--graphs", "magic");
    expect(errorLine(printed)).toMatch(/graph/);
  });
});
