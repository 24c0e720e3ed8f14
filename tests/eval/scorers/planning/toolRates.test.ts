import { describe, expect, it } from "vitest";
import { callOf, scoreOf } from "../support.js";

const RATES = ["irrelevantRate", "necessaryRate", "missingRate"];

function ratesOf(predicted: string[], gold: string[]): (number | undefined)[] {
  const task = { tools: gold, calls: gold.map((tool) => ({ tool, args: {} })) };
  const run = { calls: predicted.map((tool) => callOf(tool)) };
  return RATES.map((id) => scoreOf(id, { task, run }));
}

describe("the tools of a solution", () => {
  it("are counted as multisets", () => {
    // Of a, a, b, x the task needs a and b; of its a, b, b, c the solution lacks one b and c.
    expect(ratesOf(["a", "a", "b", "x"], ["a", "b", "b", "c"])).toStrictEqual([
      2 / 4,
      2 / 4,
      2 / 4,
    ]);
  });

  it("are perfect when they are the gold ones in any order", () => {
    expect(ratesOf(["b", "a", "a"], ["a", "a", "b"])).toStrictEqual([0, 1, 0]);
  });

  it("have no share of an empty solution, which lacks all", () => {
    expect(ratesOf([], ["a"])).toStrictEqual([0, 0, 1]);
  });

  it("are perfect if there are none and none are needed", () => {
    expect(ratesOf([], [])).toStrictEqual([0, 1, 0]);
  });

  it("are all irrelevant if none are needed, and none is missing", () => {
    expect(ratesOf(["a", "b"], [])).toStrictEqual([1, 0, 0]);
  });

  it("leave out control tools, refused and failed calls", () => {
    const task = { calls: [{ tool: "a", args: {} }] };
    const calls = [callOf("a"), callOf("stop"), callOf("x", {}, "failed")];
    expect(scoreOf("irrelevantRate", { task, run: { calls } })).toBe(0);
  });

  it("are not judged without gold calls", () => {
    expect(RATES.map((id) => scoreOf(id, { run: { calls: [callOf("add")] } }))).toStrictEqual(
      RATES.map(() => undefined),
    );
  });

  it("are judged in a world only if the complete gold is known as a plan", () => {
    const world = { name: "work" };
    const calls = [{ tool: "a", args: {} }];
    const run = { calls: [callOf("a"), callOf("look")] };
    expect(scoreOf("irrelevantRate", { task: { calls }, run, world })).toBeUndefined();
    const plan = { steps: calls as { tool: string; args: {} }[], answer: "" };
    expect(scoreOf("irrelevantRate", { task: { calls, plan }, run, world })).toBe(1 / 2);
  });
});
