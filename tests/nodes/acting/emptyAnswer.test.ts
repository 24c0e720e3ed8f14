import { describe, expect, it } from "vitest";
import { isNoAnswer, tellsNothing } from "../../../nodes/acting/emptyAnswer.js";
import type { Call } from "../../../state/state.js";

describe("a text that is not an answer", () => {
  it.each(["", " \n", "🙂🙂", "null", "[]", "{}", '""', "[[[[", '{"name": "add", "arg'])(
    "is %j, wherever it stands",
    (answer) => {
      expect(isNoAnswer(answer)).toBe(true);
    },
  );

  it.each(["true", '{"response": {"name": "add"}}'])("is %j as a whole reply", (answer) => {
    expect(isNoAnswer(answer, { inWords: true })).toBe(true);
    expect(isNoAnswer(answer)).toBe(false);
  });

  it.each([
    "I will now close the issue.",
    "Sure! I'll start by closing the issue.",
    "I will now close TCK-41.",
    "Let me work through this step by step.",
    "I apologize for the confusion. Here is the corrected answer:",
  ])("is %j, which only promises one", (answer) => {
    expect(isNoAnswer(answer)).toBe(true);
  });

  it.each([
    "I'll remind you tomorrow.",
    "Done. Let me know if you need anything else.",
    "The issue is closed now. I will now be notified of changes.",
    "The printer is now being repaired.",
    "I'm sorry, but no tool does that.",
    "I will now tell you the result: 42.",
    "Here is the answer: yes.",
  ])("is not %j, which says something", (answer) => {
    expect(isNoAnswer(answer)).toBe(false);
  });

  it.each(["The result of the task is late.", "42", "[2, 3, 5]", "Yes.", "是的", "The sum is 3."])(
    "is not %j",
    (answer) => {
      expect(isNoAnswer(answer, { inWords: true })).toBe(false);
    },
  );
});

describe("an answer after look-ups", () => {
  it.each(["Let me work through this step by step.", "I will now compute the result.", "true"])(
    "tells nothing of a number with %j",
    (answer) => {
      expect(silent(answer, [found(1064947554)])).toBe(true);
    },
  );

  it.each([
    ["The printer is broken.", { id: "TCK-41", title: "Printer on floor 3" }],
    ["Yes, it is.", true],
    ["There are no such issues.", []],
    ["Nobody is free.", null],
  ])("may say %j of a result in its own words", (answer, result) => {
    expect(silent(answer, [found(result)])).toBe(false);
  });

  it("need not report anything if something was changed", () => {
    expect(silent("Done.", [found("B-7"), { ...found("ok"), tool: "write" }])).toBe(false);
  });
});

function silent(answer: string, calls: Call[]): boolean {
  return tellsNothing(answer, calls, (tool) => tool === "write");
}

function found(result: unknown): Call {
  return { id: "1", tool: "read", args: {}, result, ms: 1, cost: 0 };
}
