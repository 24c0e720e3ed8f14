import { describe, expect, it } from "vitest";
import { demonstrationsText } from "../../../nodes/acting/demonstrationText.js";

describe("the text of demonstrations", () => {
  it("shows each task with its calls, what came of them, and the answer", () => {
    const text = demonstrationsText([
      {
        task: "Add 1 and 2, then double it",
        calls: [
          { name: "add", args: { a: 1, b: 2 }, result: { sum: 3 } },
          { name: "double", args: { x: 3 }, result: "six" },
        ],
        answer: "It is 6.",
      },
      { task: "Greet", calls: [{ name: "greet", args: {} }] },
    ]);
    const [, first, second] = text.split("\n\n");
    expect(first).toBe(
      [
        "Example 1: Add 1 and 2, then double it",
        'Call: add({"a":1,"b":2})',
        'Result: {"sum":3}',
        'Call: double({"x":3})',
        "Result: six",
        "Answer: It is 6.",
      ].join("\n"),
    );
    expect(second).toBe("Example 2: Greet\nCall: greet({})");
  });

  it("cuts long results", () => {
    const result = "x".repeat(100_000);
    const text = demonstrationsText([{ task: "t", calls: [{ name: "n", args: {}, result }] }]);
    expect(text.length).toBeLessThan(2000);
  });

  it("is empty where there is nothing to show", () => {
    expect(demonstrationsText([])).toBe("");
  });
});
