import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as catalog from "../../../../tools/catalogs/math/index.js";
import { readDeclarations } from "./declarations.js";

const BENCHMARK = new URL("../../../../../shared/bench/tulip_math/tools.jsonl", import.meta.url);
const declarations = readDeclarations();
const functions = new Map<string, (...args: unknown[]) => unknown>(
  Object.entries(catalog).map(([name, call]) => [
    name,
    (...args) => Reflect.apply(call, undefined, args),
  ]),
);

interface BenchmarkTool {
  name: string;
  parameters: { properties: Record<string, unknown>; required: string[] };
}

describe("the mathematics catalog", () => {
  it("exports exactly the functions that are declared as tools", () => {
    const declared = declarations.map(({ exportName }) => exportName);
    expect(Object.keys(catalog).toSorted()).toEqual(declared.toSorted());
  });

  it("has between 101 and 120 tools", () => {
    expect(declarations.length).toBeGreaterThan(100);
    expect(declarations.length).toBeLessThanOrEqual(120);
  });

  it("gives every tool a name of its own", () => {
    const names = declarations.map(({ tags }) => tags["name"]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("gives every tool a description of its own", () => {
    const descriptions = declarations.map(({ description }) => description);
    expect(new Set(descriptions).size).toBe(descriptions.length);
  });

  it.skipIf(!existsSync(BENCHMARK))(
    "offers every tool of the benchmark under its name with the same parameters (skipped where ../shared/bench is absent)",
    () => {
      const offered = declarations.map(({ tags, parameters }) => ({
        name: tags["name"],
        parameters: parameters.map(({ name }) => name),
        required: parameters.filter(({ optional }) => !optional).map(({ name }) => name),
      }));
      const wanted = readBenchmark();
      expect(wanted).toHaveLength(100);
      expect(offered).toEqual(expect.arrayContaining(wanted));
    },
  );
});

describe.each(declarations)("the tool $tags.name", (declaration) => {
  const { exportName, description, parameters, returnType, tags } = declaration;

  it("is named like its function", () => {
    const words = exportName.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(tags["name"]?.replaceAll("_", "")).toBe(words.replaceAll("_", ""));
  });

  it("says what it does, what it takes and what it returns", () => {
    expect(description).toMatch(/^[A-Z].{15,}\.$/su);
    for (const { text } of parameters) expect(text).toMatch(/\w{3,}/u);
    expect(tags["returns"]).toMatch(/\w{3,}/u);
    expect(tags["effects"]).toBe("read");
  });

  it("declares the types of its parameters and of its result", () => {
    for (const { type } of parameters) expect(["number", "number[]"]).toContain(type);
    expect(returnType).not.toBe("");
  });

  it("answers any numbers with finite values or with an error of one clear line", () => {
    const args = fc.tuple(...parameters.map(({ type }) => argument(type)));
    fc.assert(
      fc.property(args, (values) => {
        expect(outcomeOf(() => call(exportName, values))).toMatch(ANSWER_OR_ERROR);
      }),
      { numRuns: 20, examples: EXTREMES.map((value) => [parameters.map(extreme(value))]) },
    );
  });

  it("refuses anything that is not a number and says which parameter it is", () => {
    const values = parameters.map(({ type }) => (type === "number" ? "seven" : ["seven", "eight"]));
    expect(() => call(exportName, values)).toThrow(TypeError);
    const named = parameters.some(({ name }) =>
      messageOf(() => call(exportName, values)).startsWith(name),
    );
    expect(named).toBe(true);
  });
});

const ANSWER_OR_ERROR = /^(finite|(RangeError|TypeError): [^\n]{10,200})$/u;
const EXTREMES = [0, -0, 1, -1, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53 - 1];

function extreme(value: number): (parameter: { type: string }) => number | number[] {
  return ({ type }) => (type === "number" ? value : [value, value, value]);
}

function argument(type: string): fc.Arbitrary<number | number[]> {
  const number = fc.oneof(
    fc.integer({ min: -5, max: 200 }),
    fc.maxSafeInteger(),
    fc.double(),
    fc.constantFrom(...EXTREMES, NaN, Infinity),
  );
  return type === "number" ? number : fc.array(number, { maxLength: 6 });
}

function call(exportName: string, values: unknown[]): unknown {
  const called = functions.get(exportName);
  if (called === undefined) throw new Error(`the catalog does not export ${exportName}`);
  return called(...values);
}

/** "finite", or what came instead: the kind and text of an error, or the value that is not finite. */
function outcomeOf(run: () => unknown): string {
  try {
    const answer = run();
    return isFinite(answer) ? "finite" : `not finite: ${JSON.stringify(answer)}`;
  } catch (error) {
    return String(error);
  }
}

function isFinite(value: unknown): boolean {
  if (typeof value === "boolean") return true;
  if (typeof value === "object" && value !== null) return Object.values(value).every(isFinite);
  return Number.isFinite(value);
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
}

function readBenchmark(): { name: string; parameters: string[]; required: string[] }[] {
  return readFileSync(BENCHMARK, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as BenchmarkTool)
    .map(({ name, parameters }) => ({
      name,
      parameters: Object.keys(parameters.properties),
      required: parameters.required,
    }));
}
