import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BENCHMARKS, openBenchmark } from "../../../eval/benchmarks/index.js";
import { folderOf } from "./support.js";

describe("a benchmark", () => {
  it("is opened by its name if it ships", async () => {
    const benchmark = await openBenchmark("math");
    expect(Object.keys(BENCHMARKS)).toEqual(["creation", "math", "priced", "work"]);
    expect(benchmark).toMatchObject({ name: "math", catalog: "math" });
    expect(benchmark).not.toHaveProperty("toolsFile");
  });

  it("is opened from a folder", async () => {
    const folder = folderOf({
      "set/tools.jsonl": [{ name: "add" }],
      "set/queries.jsonl": [{ id: "1", query: "q", tools: ["add"] }],
    });
    expect(await openBenchmark(join(folder, "set"))).toMatchObject({ name: "set" });
  });

  it("is distinguished from a folder of its name by the path", async () => {
    const folder = join(folderOf({}), "math");
    mkdirSync(folder);
    await expect(openBenchmark(folder)).rejects.toThrow(/there is no file .*tools\.jsonl/);
  });

  it("that does not exist is refused with a list of the others and how to name a folder", async () => {
    await expect(openBenchmark("toString")).rejects.toThrow(
      'unknown benchmark "toString"; available: creation, math, priced, work; or name a folder that holds tools.jsonl and queries.jsonl',
    );
    await expect(openBenchmark("./nowhere")).rejects.toThrow("the folder ./nowhere does not exist");
  });
});
