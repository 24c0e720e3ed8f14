import { describe, expect, test } from "vitest";
import { type Settlement, outcomeOf } from "../../../../tools/calls/engine/callOutcome.js";

function textOf(settlement: Partial<Settlement>, maxResultChars = 20): string {
  const whole = { status: "done" as const, ms: 1, cost: 0, replayed: false, ...settlement };
  const call = { id: "call", tool: "tool", args: {} };
  return outcomeOf(call, whole, maxResultChars).resultText;
}

describe("what a model is told about a result", () => {
  test.each([
    ["a number", "59", "59"],
    ["true or false", "true", "true"],
    ["a text, without quotes", '"sunny"', "sunny"],
    ["an object as compact JSON", '{"x":1,"y":[2]}', '{"x":1,"y":[2]}'],
    ["null", "null", "null"],
  ])("is %s", (_what, resultJson, text) => {
    expect(textOf({ resultJson })).toBe(text);
  });

  test("is cut if it is too long, but not within a character", () => {
    const resultJson = JSON.stringify("😀".repeat(30));
    expect(textOf({ resultJson }, 20)).toBe(
      `${"😀".repeat(10)}… [cut: the first 20 of 60 characters are shown]`,
    );
    expect(textOf({ resultJson }, 21)).toBe(
      `${"😀".repeat(10)}… [cut: the first 20 of 60 characters are shown]`,
    );
  });

  test("is the error when there is none, cut like a result", () => {
    expect(textOf({ status: "error", error: "RangeError: no" })).toBe("RangeError: no");
    expect(textOf({ status: "error", error: "x".repeat(50) })).toContain("first 20 of 50");
  });
});
