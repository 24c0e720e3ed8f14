import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import { definitionHash } from "../../../tools/library/records/hash.js";
import { validateArguments } from "../../../tools/calls/engine/validateArguments.js";
import { catalogTools } from "./support.js";

const MATH = await catalogTools("math");

describe.each(Object.keys(CATALOGS))("the catalog %s", (catalog) => {
  it("gives every tool a text of its own, and says of every parameter and result what it is", async () => {
    const tools = await catalogTools(catalog);
    for (const { description, parameters, returns } of tools) {
      expect(description).toMatch(/^[A-Z].{15,}\.$/su);
      expect(returns?.description).toMatch(/\w{3,}/u);
      for (const schema of Object.values(parameters.properties)) {
        expect(schema.description).toMatch(/\w{3,}/u);
      }
    }
    expect(new Set(tools.map(({ description }) => description)).size).toBe(tools.length);
  });
});

describe("the catalog for mathematics", () => {
  it("has 101 to 120 tools, which read and take numbers and lists of numbers", () => {
    expect(MATH.length).toBeGreaterThan(100);
    expect(MATH.length).toBeLessThanOrEqual(120);
    expect(MATH.filter(({ effects }) => effects !== "read")).toEqual([]);
    const types = MATH.flatMap(({ parameters }) => Object.values(parameters.properties)).map(
      ({ type, items }) => (type === "array" ? (items as { type?: string }).type : type),
    );
    expect(new Set(types)).toEqual(new Set(["number"]));
  });

  it.each(MATH)("$id is called with numbers alone, or the parameter is named", (tool) => {
    const record = { ...tool, hash: definitionHash(tool) };
    for (const wrong of ["seven", Number.NaN, Number.POSITIVE_INFINITY]) {
      const args = Object.entries(tool.parameters.properties).map(([name, { type }]) => [
        name,
        type === "array" ? [1, wrong] : wrong,
      ]);
      const check = validateArguments({ record, args: Object.fromEntries(args) });
      if (check.ok) throw new Error(`${String(wrong)} is taken`);
      for (const [name] of args) expect(check.problem).toContain(String(name));
    }
  });

  const benchmark = new URL("../../../../shared/bench/tulip_math/tools.jsonl", import.meta.url);
  it.skipIf(!existsSync(benchmark))(
    "has every tool of the benchmark with the same parameters (skipped where ../shared/bench is absent)",
    () => {
      const lines = readFileSync(benchmark, "utf8").trim().split("\n");
      const shapeOf = ({
        name,
        parameters,
      }: Pick<(typeof MATH)[number], "name" | "parameters">) => ({
        name,
        parameters: Object.keys(parameters.properties),
        required: parameters.required,
      });
      const wanted = lines.map((line) => shapeOf(JSON.parse(line) as (typeof MATH)[number]));
      expect(wanted).toHaveLength(100);
      expect(MATH.map(shapeOf)).toEqual(expect.arrayContaining(wanted));
    },
  );
});
