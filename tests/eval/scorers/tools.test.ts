import { describe, expect, it } from "vitest";
import { callOf, scoreOf } from "./support.js";

const TOOL_SCORES = ["toolPrecision", "toolRecall", "toolF1", "toolMatch"];

function toolScores(gold: string[], calls: ReturnType<typeof callOf>[]): (number | undefined)[] {
  return TOOL_SCORES.map((id) => scoreOf(id, { task: { tools: gold }, run: { calls } }));
}

describe("the tools called", () => {
  it("are compared as multisets", () => {
    // Called a, a, b, x; needed a, b, c: two in common, of four called and of three needed.
    const calls = ["a", "a", "b", "x"].map((tool) => callOf(tool));
    const scores = toolScores(["a", "b", "c"], calls);
    expect(scores).toStrictEqual([2 / 4, 2 / 3, 4 / 7, 0]);
  });

  it("match when they are the same in any order", () => {
    expect(toolScores(["a", "b", "a"], [callOf("b"), callOf("a"), callOf("a")])).toStrictEqual([
      1, 1, 1, 1,
    ]);
  });

  it("have a precision of 0 if there are none", () => {
    expect(toolScores(["a"], [])).toStrictEqual([0, 0, 0, 0]);
  });

  it("leave out control tools, refused and failed calls", () => {
    const calls = [callOf("a"), callOf("stop"), callOf("search_tools"), callOf("b", {}, "failed")];
    expect(toolScores(["a"], calls)).toStrictEqual([1, 1, 1, 1]);
  });

  it("are measured against the gold calls, which name a tool as often as it is needed", () => {
    const gold = [
      { tool: "a", args: {} },
      { tool: "a", args: {} },
    ];
    const task = { tools: ["a"], calls: gold };
    expect(scoreOf("toolRecall", { task, run: { calls: [callOf("a")] } })).toBe(1 / 2);
  });

  it("are not judged for tasks that need none", () => {
    expect(toolScores([], [callOf("a")])).toStrictEqual(TOOL_SCORES.map(() => undefined));
  });
});

describe("the sequence of calls", () => {
  const task = { calls: ["a", "b"].map((tool) => ({ tool, args: {} })) };

  it("is right with other calls in between", () => {
    const calls = ["x", "a", "x", "b"].map((tool) => callOf(tool));
    expect(scoreOf("sequenceMatch", { task, run: { calls } })).toBe(1);
  });

  it("is wrong in another order, or when a step failed", () => {
    expect(scoreOf("sequenceMatch", { task, run: { calls: [callOf("b"), callOf("a")] } })).toBe(0);
    const failed = [callOf("a", {}, "failed"), callOf("b")];
    expect(scoreOf("sequenceMatch", { task, run: { calls: failed } })).toBe(0);
  });

  it("is not judged without gold calls", () => {
    expect(scoreOf("sequenceMatch", { run: { calls: [callOf("add")] } })).toBeUndefined();
  });
});

describe("tasks that no tool fits", () => {
  const task = { tools: [], calls: [] };

  it("are handled right if no call was carried out", () => {
    const stopped = { calls: [callOf("stop"), callOf("a", {}, "refused")] };
    expect(scoreOf("irrelevance", { task, run: stopped })).toBe(1);
    expect(scoreOf("irrelevance", { task, run: { calls: [callOf("a")] } })).toBe(0);
  });

  it("are handled right in a world if nothing was changed, whatever was looked up", () => {
    const world = { name: "work" };
    const looked = { calls: [callOf("a")], stateDiff: {} };
    expect(scoreOf("irrelevance", { task, run: looked, world })).toBe(1);
    const changed = { calls: [], stateDiff: { comments: { "COMMENT-31": {} } } };
    expect(scoreOf("irrelevance", { task, run: changed, world })).toBe(0);
    expect(scoreOf("irrelevance", { task, run: {}, world })).toBeUndefined();
  });

  it("are the only tasks judged this way", () => {
    expect(scoreOf("irrelevance", {})).toBeUndefined();
  });
});
