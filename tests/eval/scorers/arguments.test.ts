import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARGUMENT_RULES, maximumMatching } from "../../../eval/scorers/arguments.js";
import { callOf, scoreOf } from "./support.js";

const equal = ARGUMENT_RULES.equal;
const anyOf = ARGUMENT_RULES["any-of"];

describe("equal arguments", () => {
  it.each([
    [{ a: 1 }, { a: 1 }],
    [{ a: 1 }, { a: "1.0" }],
    [{ a: "85" }, { a: 85 }],
    [{ a: 0.3 }, { a: 0.1 + 0.2 }],
    [{ a: " Paris" }, { a: "paris" }],
    [{ a: true }, { a: "True" }],
    [{ a: null }, { a: null }],
    [{ a: { b: [1, "x"] } }, { a: { b: ["1", "X"] } }],
    [{}, {}],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ])("are %j and %j", (gold, made) => {
    expect(equal(gold, made)).toBe(true);
    expect(equal(made, gold)).toBe(true);
  });

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: "00000159" }, { a: "159" }],
    [{ a: 0 }, { a: "" }],
    [{ a: 1 }, { a: true }],
    [{ a: null }, { a: "null" }],
    [{ a: [] }, { a: {} }],
    [{ a: "2023-03-07" }, { a: "2023/03/07" }],
  ])("are not %j and %j", (gold, made) => {
    expect(equal(gold, made)).toBe(false);
    expect(equal(made, gold)).toBe(false);
  });
});

describe("acceptable arguments", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["one of the values", { city: ["Berkeley, CA", "Berkeley"] }, { city: "berkeley" }],
    ["a text with other marks", { day: ["2023-03-07"] }, { day: "2023/03/07" }],
    ["without an optional one", { a: [1], kind: ["", "direct"] }, { a: 1 }],
    ["with an optional one", { a: [1], kind: ["", "direct"] }, { a: 1, kind: "direct" }],
    ["a list", { between: [[1, 3]] }, { between: [1, 3] }],
    [
      "one of two lists",
      {
        items: [
          ["a", "b"],
          ["b", "a"],
        ],
      },
      { items: ["b", "a"] },
    ],
    ["an object with such lists", { p: [{ f: ["x", "y"], g: ["", 1] }] }, { p: { f: "y" } }],
    ["a list of objects", { p: [[{ f: ["x"] }, { f: ["y"] }]] }, { p: [{ f: "x" }, { f: "y" }] }],
    ["an object that is meant as it is", { p: [{ f: [1, 2] }] }, { p: { f: [1, 2] } }],
    ["a number written as a text", { n: [20] }, { n: "20" }],
  ])("are those of %s", (_, gold, made) => {
    expect(anyOf(gold, made)).toBe(true);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["another value", { city: ["Berkeley"] }, { city: "Oakland" }],
    ["a missing one", { a: [1], b: [2] }, { a: 1 }],
    ["one that gold does not name", { a: [1] }, { a: 1, b: 2 }],
    ["a list in another order", { between: [[1, 3]] }, { between: [3, 1] }],
    ["a longer list", { between: [[1, 3]] }, { between: [1, 3, 5] }],
    ["another value of an optional one", { kind: ["", "direct"] }, { kind: "fast" }],
    ["an object with another field", { p: [{ f: ["x"] }] }, { p: { f: "x", g: 1 } }],
  ])("are not those of %s", (_, gold, made) => {
    expect(anyOf(gold, made)).toBe(false);
  });
});

describe("the calls made", () => {
  const gold = [
    { tool: "play", args: { artist: ["Swift", "Adele"] } },
    { tool: "play", args: { artist: ["Swift"] } },
  ];
  const task = { tools: ["play"], calls: gold };

  it("are paired so that as many as possible match", () => {
    // Each gold call takes "Swift"; only one of the two can also take "Adele".
    const calls = [callOf("play", { artist: "Swift" }), callOf("play", { artist: "Adele" })];
    const given = { task, run: { calls }, argumentRule: "any-of" as const };
    expect(scoreOf("argumentMatch", given)).toBe(1);
    expect(scoreOf("callMatch", given)).toBe(1);
  });

  it("count for one gold call each", () => {
    const given = {
      task,
      run: { calls: [callOf("play", { artist: "Swift" })] },
      argumentRule: "any-of" as const,
    };
    expect(scoreOf("argumentMatch", given)).toBe(1 / 2);
    expect(scoreOf("callMatch", given)).toBe(0);
  });

  it("do not match as a whole when there is one too many", () => {
    const calls = ["Swift", "Adele", "Adele"].map((artist) => callOf("play", { artist }));
    const given = { task, run: { calls }, argumentRule: "any-of" as const };
    expect(scoreOf("argumentMatch", given)).toBe(1);
    expect(scoreOf("callMatch", given)).toBe(0);
  });

  it("count only when they were carried out, by the same tool", () => {
    const one = { calls: [{ tool: "add", args: { a: 2, b: 3 } }] };
    const failed = { calls: [callOf("add", { a: 2, b: 3 }, "failed")] };
    expect(scoreOf("argumentMatch", { task: one, run: failed })).toBe(0);
    const other = { calls: [callOf("sum", { a: 2, b: 3 })] };
    expect(scoreOf("argumentMatch", { task: one, run: other })).toBe(0);
    const right = { calls: [callOf("stop"), callOf("add", { a: "2", b: 3 })] };
    expect(scoreOf("callMatch", { task: one, run: right })).toBe(1);
  });

  it("are not judged without gold calls", () => {
    expect(scoreOf("argumentMatch", {})).toBeUndefined();
    expect(scoreOf("callMatch", { task: { tools: [], calls: [] } })).toBeUndefined();
  });
});

describe("a maximum matching", () => {
  it("is as large as the best of all ways to pair", () => {
    const partners = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 4 })), { maxLength: 5 });
    fc.assert(
      fc.property(partners, (each) => {
        expect(maximumMatching(each)).toBe(bestByTrying(each, new Set()));
      }),
    );
  });
});

/** Tries all pairings, one after the other. */
function bestByTrying(partners: number[][], used: ReadonlySet<number>): number {
  const [first, ...rest] = partners;
  if (!first) return 0;
  const choices = first
    .filter((partner) => !used.has(partner))
    .map((partner) => 1 + bestByTrying(rest, new Set([...used, partner])));
  return Math.max(bestByTrying(rest, used), ...choices);
}
