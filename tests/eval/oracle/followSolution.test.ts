import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { follow, isDone, readySteps } from "../../../eval/oracle/followSolution.js";
import { goldTask, SUM } from "./support.js";

const SQUARE = { tool: "area_square", args: { side: 3 }, result: 9 };
const CIRCLE = { tool: "areaCircle", args: { radius: 2 }, result: { area: 12.5 } };
const ADD = { tool: "add", args: { a: 9, b: 12.5 }, result: 21.5 };

/** Positions of the steps that can be called after some calls. */
function readyAfter(calls: Parameters<typeof follow>[1], missing: readonly string[] = []) {
  const ready = readySteps({
    gold: SUM,
    followed: follow(SUM, calls),
    isOffered: (tool) => !missing.includes(tool),
  });
  return ready.map(({ step, args }) => [step, args]);
}

describe("following a gold plan", () => {
  it("calls independent steps at once, and then those that use their results", () => {
    expect(readyAfter([])).toEqual([
      [0, { side: 3 }],
      [1, { radius: 2 }],
    ]);
    expect(readyAfter([CIRCLE])).toEqual([[0, { side: 3 }]]);
    expect(readyAfter([CIRCLE, SQUARE])).toEqual([[2, { a: 9, b: 12.5 }]]);
    expect(readyAfter([CIRCLE, SQUARE, ADD])).toEqual([]);
  });

  it("holds up only steps that use the result of a failed or missing tool", () => {
    expect(readyAfter([], ["areaCircle"])).toEqual([[0, { side: 3 }]]);
    expect(readyAfter([SQUARE], ["areaCircle"])).toEqual([]);
    const broken = { tool: "areaCircle", args: { radius: 2 }, error: "out of order" };
    expect(readyAfter([SQUARE, broken])).toEqual([]);
  });

  it("waits for a write before later steps", () => {
    const gold = goldTask({
      steps: [
        { tool: "save", args: { name: "a" } },
        { tool: "list", args: {} },
      ],
      writing: ["save"],
    });
    const ready = readySteps({ gold, followed: follow(gold, []), isOffered: () => true });
    expect(ready.map(({ tool }) => tool)).toEqual(["save"]);
  });

  it("is done when each step has had its own call with the right arguments", () => {
    expect(isDone(SUM, follow(SUM, [SQUARE, CIRCLE, ADD]))).toBe(true);
    expect(isDone(SUM, follow(SUM, [SQUARE, CIRCLE]))).toBe(false);
    expect(isDone(SUM, follow(SUM, [SQUARE, CIRCLE, { ...ADD, args: { a: 9, b: 9 } }]))).toBe(
      false,
    );
  });

  it("requires each write as often as the plan has it, and each read once", () => {
    const steps = [SQUARE, SQUARE].map(({ tool, args }) => ({ tool, args }));
    const reading = goldTask({ steps });
    expect(isDone(reading, follow(reading, [SQUARE]))).toBe(true);
    const writing = goldTask({ steps, writing: ["area_square"] });
    expect(isDone(writing, follow(writing, [SQUARE]))).toBe(false);
    expect(isDone(writing, follow(writing, [SQUARE, SQUARE]))).toBe(true);
  });

  it("accepts both ways to write a list into a text", () => {
    const gold = goldTask({
      steps: [
        { tool: "list", args: {} },
        { tool: "tell", args: { text: { $text: ["Names: ", { $prev: 0, path: [] }] } } },
      ],
    });
    const list = { tool: "list", args: {}, result: ["a", "b"] };
    const told = (text: string) =>
      isDone(gold, follow(gold, [list, { tool: "tell", args: { text }, result: null }]));
    expect(told('Names: ["a","b"]')).toBe(true);
    expect(told("Names: a,b")).toBe(true);
    expect(told("Names: a")).toBe(false);
  });

  it("ignores the order of calls, and other calls in between", () => {
    const other = { tool: "now", args: {}, result: "today" };
    fc.assert(
      fc.property(fc.shuffledSubarray([SQUARE, CIRCLE, ADD, other], { minLength: 4 }), (calls) => {
        expect(isDone(SUM, follow(SUM, calls))).toBe(true);
      }),
    );
  });
});
