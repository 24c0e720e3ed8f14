import { describe, expect, it } from "vitest";
import { callOf, scoreOf } from "../support.js";

const gold = [{ tool: "add", args: { a: 3, b: 5 } }];

describe("the texts of a solution and of the gold calls", () => {
  it("are the same whatever the order of arguments", () => {
    const run = { calls: [callOf("add", { b: 5, a: 3 })] };
    expect(scoreOf("bleu", { task: { calls: gold }, run })).toBeCloseTo(1, 12);
    expect(scoreOf("rougeL", { task: { calls: gold }, run })).toBe(1);
  });

  it("overlap in the calls as the report writes them", () => {
    // 33 tokens against 49, of which all but the 2 are there in order; BLEU by sacreBLEU 2.6.0.
    const run = { calls: [callOf("add", { a: 2 })] };
    const task = { calls: gold };
    expect(scoreOf("rougeL", { task, run })).toBeCloseTo((2 * 32) / (33 + 49), 12);
    expect(scoreOf("bleu", { task, run })).toBeCloseTo(0.5670435947169341, 12);
  });

  it.each(["bleu", "rougeL"])(
    "have a %s of 0 where one is empty, and of 1 where both are",
    (id) => {
      const run = { calls: [callOf("add", { a: 3, b: 5 })] };
      expect(scoreOf(id, { task: { calls: gold } })).toBe(0);
      expect(scoreOf(id, { task: { tools: [], calls: [] }, run })).toBe(0);
      expect(scoreOf(id, { task: { tools: [], calls: [] } })).toBe(1);
    },
  );

  it.each(["bleu", "rougeL"])(
    "have no %s where gold arguments are lists of acceptable values",
    (id) => {
      const task = { calls: [{ tool: "add", args: { a: [3], b: [5, ""] } }] };
      expect(scoreOf(id, { task, argumentRule: "any-of" })).toBeUndefined();
      expect(scoreOf("missingRate", { task, argumentRule: "any-of" })).toBe(1);
    },
  );
});
