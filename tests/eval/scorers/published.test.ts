import { describe, expect, it } from "vitest";
import { scoreOf } from "./support.js";

const world = { name: "costbench" };
const verdict = {
  valid: true,
  reached: true,
  exact: false,
  normalized: 0.5,
  cost: 110,
  least: 100,
  target: "<DiningPreference01987>",
};
const answer = "<answer> <DiningCandidate01987> </answer>";

describe("scores of CostBench", () => {
  it("are those that its repository gives", () => {
    const run = { answer, stateDiff: verdict };
    expect(scoreOf("pathAnswer", { world, run })).toBe(1);
    expect(scoreOf("pathExact", { world, run })).toBe(0);
    expect(scoreOf("pathEdits", { world, run })).toBe(0.5);
    expect(scoreOf("costRatio", { world, run })).toBeCloseTo(1.1);
  });

  it("leave out a run that no event came to, and the cost of one that missed the goal", () => {
    expect(
      scoreOf("pathExact", { world, run: { stateDiff: { ...verdict, valid: false } } }),
    ).toBeUndefined();
    expect(
      scoreOf("costRatio", { world, run: { stateDiff: { ...verdict, reached: false } } }),
    ).toBeUndefined();
  });

  it("count a run without a call as wrong, and apply to no other benchmark", () => {
    expect(scoreOf("pathExact", { world, run: { stateDiff: {} } })).toBe(0);
    expect(scoreOf("pathEdits", { world, run: { stateDiff: {} } })).toBe(1);
    expect(scoreOf("pathExact", { run: { stateDiff: verdict } })).toBeUndefined();
  });
});

describe("the checker of a benchmark's own repository", () => {
  const tau = { name: "tau" };
  const task = { facts: ["1234"] };

  it("decides together with the outputs that must stand in the answer", () => {
    const right = { stateDiff: { right: true } };
    expect(
      scoreOf("ownChecker", { world: tau, task, run: { ...right, answer: "1,234 left" } }),
    ).toBe(1);
    expect(scoreOf("ownChecker", { world: tau, task, run: { ...right, answer: "none" } })).toBe(0);
    expect(scoreOf("ownChecker", { world: tau, run: { stateDiff: {} } })).toBe(0);
    const idle = { world: tau, task: { rightWithoutCalls: true as const } };
    expect(scoreOf("ownChecker", { ...idle, run: { stateDiff: {} } })).toBe(1);
    expect(scoreOf("ownChecker", { ...idle, run: { stateDiff: { right: false } } })).toBe(0);
    expect(scoreOf("ownChecker", { task, run: right })).toBeUndefined();
  });
});
